import type { Clock } from '../../core/time/clock.js';
import { discard } from '../../core/http/http-transport.js';
import type { HttpTransport } from '../../core/http/http-transport.js';
import { readerOf } from '../../core/http/reply-body.js';
import { TimeLimit } from '../../core/http/time-limit.js';
import { BulkTransferError } from './bulk.errors.js';
import { pauses } from './bulk-operation.js';

/** Time limit for the headers of a reply, in milliseconds. */
const TIMEOUT = 30_000;
/**
 * Time limit for the next bytes, in milliseconds. The reader's own time between them does not
 * count.
 */
const LONGEST_SILENCE = 30_000;
/** How many attempts in a row may bring no data. */
const MOST_FAILURES = 5;

interface BulkFile {
  readonly url: string;
  /** In bytes, when the platform reports it. */
  readonly size: number | undefined;
}

/**
 * Downloads a file while it is read. When the connection breaks, the download continues where it
 * broke: no byte is repeated or missing. No access token is sent.
 * @throws {BulkTransferError} when the file is denied, stays incomplete or changes meanwhile
 * @throws {HttpAbortedError} when the signal is aborted
 */
export async function* download(
  transport: HttpTransport,
  file: BulkFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = new Source(transport, file, signal);
  let received = 0;
  let failures = 0;
  let pause = pauses();
  for (;;) {
    const before = received;
    let broken: unknown;
    try {
      for await (const chunk of source.from(received)) {
        received += chunk.length;
        yield chunk;
      }
      if (received >= (source.size ?? 0)) return;
    } catch (error) {
      if (signal.aborted || error instanceof BulkTransferError) throw error;
      broken = error;
    }
    if (received > before) [failures, pause] = [0, pauses()];
    if (++failures >= MOST_FAILURES) throw incomplete(received, source.size, broken);
    await transport.clock.sleep(pause.next().value, signal);
  }
}

/** Opens one file repeatedly, and checks that it has not changed. */
class Source {
  size: number | undefined;
  #tag: string | undefined;
  /**
   * Whether the file is sent encoded: a range would count the encoded bytes, so none is requested.
   */
  #isEncoded = false;

  constructor(
    private readonly transport: HttpTransport,
    private readonly file: BulkFile,
    private readonly signal: AbortSignal,
  ) {
    this.size = file.size;
  }

  /** The bytes from `start` on. */
  async *from(start: number): AsyncGenerator<Uint8Array> {
    const isRange = start > 0 && !this.#isEncoded;
    const response = await this.transport.send(this.file.url, {
      headers: {
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(isRange && { range: `bytes=${start}-` }),
        ...(isRange && this.#tag !== undefined && { 'if-range': this.#tag }),
      },
      redirect: 'error',
      signal: this.signal,
      timeout: TIMEOUT,
    });
    if (!response.ok) await refuse(response);
    this.#check(response, start);
    let skip = response.status === 206 ? 0 : start;
    for await (const chunk of bytesOf(response, this.transport.clock)) {
      const rest = chunk.subarray(skip);
      skip -= chunk.length - rest.length;
      if (rest.length > 0) yield rest;
    }
  }

  #check(response: Response, start: number): void {
    const { headers } = response;
    if (start === 0) {
      this.#isEncoded = (headers.get('content-encoding') ?? 'identity') !== 'identity';
      this.#tag = strong(headers.get('etag'));
      if (!this.#isEncoded) this.size ??= lengthIn(headers);
      return;
    }
    const tag = strong(headers.get('etag'));
    const isOther = tag !== undefined && this.#tag !== undefined && tag !== this.#tag;
    const isElsewhere =
      response.status === 206 && !headers.get('content-range')?.startsWith(`bytes ${start}-`);
    if (isOther || isElsewhere) {
      void discard(response);
      throw new BulkTransferError(
        'The file changed while it was fetched: run the operation again.',
      );
    }
  }
}

/** The bytes of a reply. A timeout is thrown as a plain error, like a broken connection. */
async function* bytesOf(response: Response, clock: Clock): AsyncGenerator<Uint8Array> {
  const { chunks, close } = readerOf(response);
  const reader = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const limit = new TimeLimit(clock, LONGEST_SILENCE);
      limit.signal.addEventListener('abort', close, { once: true });
      const { done, value } = await reader.next().finally(() => limit.cancel());
      if (limit.isOver) throw new Error(`no bytes within ${LONGEST_SILENCE} ms`);
      if (done) return;
      yield value;
    }
  } finally {
    close();
  }
}

/** Throws a plain error for a failure that may be temporary, like a broken connection. */
async function refuse(response: Response): Promise<never> {
  const { status } = response;
  await discard(response);
  if (status === 429 || status >= 500) throw new Error(`status ${status}`);
  const expired =
    status === 403 || status === 404 || status === 410 ? ' Results are kept for seven days.' : '';
  throw new BulkTransferError(`The file was refused with status ${status}.${expired}`, { status });
}

function incomplete(received: number, size: number | undefined, cause: unknown): BulkTransferError {
  const whole = size === undefined ? '' : ` of ${size}`;
  return new BulkTransferError(
    `The file stayed incomplete: ${received}${whole} bytes came in spite of ${MOST_FAILURES} attempts.`,
    {
      cause,
    },
  );
}

function lengthIn(headers: Headers): number | undefined {
  const length = Number(headers.get('content-length') ?? undefined);
  return Number.isNaN(length) ? undefined : length;
}

/** The tag, unless it is weak: a weak tag may stand for different bytes. */
function strong(tag: string | null): string | undefined {
  return tag === null || tag.startsWith('W/') ? undefined : tag;
}
