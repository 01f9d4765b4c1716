import { jsonText } from '../../core/http/api-request.js';
import { HttpRequestError, InvalidRequestError } from '../../core/http/http.errors.js';
import { discard } from '../../core/http/http-transport.js';
import type { HttpTransport } from '../../core/http/http-transport.js';
import { orAborted } from '../../core/http/time-limit.js';
import type { StagedTarget } from './bulk.api.js';
import { BulkTransferError } from './bulk.errors.js';
import { pauses } from './bulk-operation.js';

/**
 * The platform's limit for one file, in bytes.
 * @see https://shopify.dev/changelog/faster-bulk-operations
 */
const LARGEST_FILE = 100 * 1024 * 1024;
/** Text is encoded in portions of about this many characters. */
const PORTION = 1024 * 1024;
/** Time limit of one attempt, in milliseconds. */
const TIMEOUT = 10 * 60_000;
const ATTEMPTS = 4;

/** The variables of one run of a mutation. */
export type BulkVariables = Readonly<Record<string, unknown>>;

/**
 * Writes rows as JSON lines. They are read one by one and kept as bytes only: a form has to know
 * the size of its file.
 * @throws {InvalidRequestError} when there is no row, a row is not an object or has no form in
 * JSON, or the file exceeds the platform's limit
 */
export async function writeJsonl(
  rows: Iterable<BulkVariables> | AsyncIterable<BulkVariables>,
  signal: AbortSignal,
): Promise<Blob> {
  const portions: Blob[] = [];
  let size = 0;
  let text = '';
  let line = 0;
  const flush = (): void => {
    const portion = new Blob([text]);
    size += portion.size;
    if (size > LARGEST_FILE) {
      throw new InvalidRequestError(
        `The rows up to number ${line} fill more than the ${LARGEST_FILE} bytes the platform takes: split them.`,
      );
    }
    portions.push(portion);
    text = '';
  };
  for await (const row of Symbol.asyncIterator in rows ? untilAborted(rows, signal) : rows) {
    signal.throwIfAborted();
    line++;
    if (typeof row !== 'object' || row === null)
      throw new InvalidRequestError(`Row ${line} is no object of variables.`);
    text += `${jsonText(row, `row ${line}`)}\n`;
    if (text.length >= PORTION) flush();
  }
  if (line === 0) throw new InvalidRequestError('There are no rows to run the mutation with.');
  flush();
  return new Blob(portions, { type: 'text/jsonl' });
}

/**
 * The same rows. When the signal is aborted, also while a row is awaited, they end with its reason.
 */
async function* untilAborted<Row>(
  rows: AsyncIterable<Row>,
  signal: AbortSignal,
): AsyncGenerator<Row, void> {
  const iterator = rows[Symbol.asyncIterator]();
  try {
    for (;;) {
      const row = await orAborted(iterator.next(), signal);
      if (row.done) return;
      yield row.value;
    }
  } finally {
    // Not awaited: an iterable that stalls on a row stalls here, too.
    void (async () => iterator.return?.())().catch(() => {});
  }
}

/**
 * Uploads a file to the platform's storage, without the access token.
 * @returns the path to start the operation with
 * @throws {BulkTransferError} when the file is denied
 * @throws {HttpRequestError} when it cannot be sent
 */
export async function upload(
  transport: HttpTransport,
  target: StagedTarget,
  file: Blob,
  signal: AbortSignal,
): Promise<string> {
  const path = target.parameters.find(({ name }) => name === 'key')?.value;
  if (path === undefined)
    throw new BulkTransferError('The platform named no path for the upload of the variables.');
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  // The file must be the last field.
  form.append('file', file, 'variables.jsonl');
  const encoded = await encodedForm(form);
  const pause = pauses();
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS;
    try {
      const status = await post(transport, target.url, encoded, signal);
      if (status < 300) return path;
      if (isLast || status < 500)
        throw new BulkTransferError(`The file of variables was refused with status ${status}.`, {
          status,
        });
    } catch (error) {
      if (isLast || signal.aborted || !(error instanceof HttpRequestError)) throw error;
    }
    await transport.clock.sleep(pause.next().value, signal);
  }
}

/** A form as it is sent. */
interface EncodedForm {
  readonly body: ArrayBuffer;
  readonly contentType: string;
}

/** As bytes: not every `fetch` of an app takes a `FormData`; node-fetch 2 sends its name. */
async function encodedForm(form: FormData): Promise<EncodedForm> {
  const encoded = new Response(form);
  return {
    body: await encoded.arrayBuffer(),
    contentType: encoded.headers.get('content-type')!,
  };
}

function post(
  transport: HttpTransport,
  url: string,
  { body, contentType }: EncodedForm,
  signal: AbortSignal,
): Promise<number> {
  return transport.receive(
    url,
    {
      ...{ method: 'POST', headers: { 'content-type': contentType }, body },
      ...{ redirect: 'error', signal, timeout: TIMEOUT },
    },
    async (response) => {
      await discard(response);
      return response.status;
    },
  );
}
