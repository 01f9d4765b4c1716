import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';

import { HttpAbortedError } from '../../../lib/core/http/http.errors.js';
import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import { download } from '../../../lib/graphql-client/bulk/bulk-download.js';
import { BulkTransferError } from '../../../lib/graphql-client/bulk/bulk.errors.js';
import { ManualClock } from '../../support/manual.clock.js';
import { openFileServer } from './file-server.js';
import type { FileServer } from './file-server.js';

const FILE = Buffer.from(Array.from({ length: 5000 }, (_, line) => `{"line":${line}}\n`).join(''));
const never = new AbortController().signal;

let server: FileServer | undefined;
afterEach(async () => server?.close());

/** Fetches from a server that answers like this, and puts the pieces together. */
async function fetched(
  answer: Parameters<typeof openFileServer>[0],
  { size, clock = new ManualClock() }: { size?: number; clock?: ManualClock } = {},
): Promise<Buffer> {
  server = await openFileServer(answer);
  const chunks: Uint8Array[] = [];
  for await (const chunk of download(
    new HttpTransport({ clock }),
    { url: server.url, size },
    never,
  ))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Answers with the file from where the request asks, and breaks the connection off after `length`
 * bytes.
 */
function serve(
  req: IncomingMessage,
  res: ServerResponse,
  length = FILE.length,
  { ranges = true, tag = '"v1"' } = {},
): void {
  const from = ranges ? Number(/bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0) : 0;
  const rest = FILE.subarray(from);
  const headers = {
    etag: tag,
    'content-length': rest.length,
    'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}`,
  };
  res.writeHead(from > 0 ? 206 : 200, headers);
  if (length >= rest.length) return void res.end(rest);
  res.write(rest.subarray(0, length), () => res.destroy());
}

/** Its alarms go off when the test says so. */
class AlarmClock extends ManualClock {
  readonly alarms = new Map<object, { readonly ms: number; readonly ring: () => void }>();

  override timer(ms: number, ring: () => void): () => void {
    const key = {};
    this.alarms.set(key, { ms, ring });
    return () => this.alarms.delete(key);
  }
}

describe('the download of a bulk file', () => {
  it('is the file, and asks for it without a token', async () => {
    expect(await fetched((req, res) => serve(req, res))).toEqual(FILE);
    expect(server!.requests).toHaveLength(1);
    expect(
      Object.keys(server!.requests[0]!).filter((name) => /token|authorization|cookie/.test(name)),
    ).toEqual([]);
  });

  it('goes on where the connection broke', async () => {
    expect(
      await fetched((req, res, number) => serve(req, res, number < 3 ? 20_000 : undefined)),
    ).toEqual(FILE);
    expect(server!.requests.map(({ range }) => range)).toEqual([
      undefined,
      'bytes=20000-',
      'bytes=40000-',
    ]);
    expect(server!.requests[1]!['if-range']).toBe('"v1"');
  });

  it('goes on where the connection fell silent for half a minute', async () => {
    const clock = new AlarmClock();
    const silent = (res: ServerResponse) =>
      void res.writeHead(200, { 'content-length': FILE.length }).write(FILE.subarray(0, 20_000));
    server = await openFileServer((req, res, number) =>
      number === 1 ? silent(res) : serve(req, res),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of download(
      new HttpTransport({ clock }),
      { url: server.url, size: undefined },
      never,
    )) {
      expect(clock.alarms.size).toBe(0);
      chunks.push(chunk);
      if (Buffer.concat(chunks).length !== 20_000) continue;
      setImmediate(() => clock.alarms.forEach(({ ms, ring }) => ms === 30_000 && ring()));
    }
    expect(Buffer.concat(chunks)).toEqual(FILE);
    expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=20000-']);
    expect(clock.alarms.size).toBe(0);
  });

  it('skips what it has when the server knows no ranges', async () => {
    expect(
      await fetched((req, res, number) =>
        serve(req, res, number === 1 ? 20_000 : undefined, { ranges: false }),
      ),
    ).toEqual(FILE);
    expect(server!.requests).toHaveLength(2);
  });

  it('goes on when a file is shorter than the platform said', async () => {
    const whole = await fetched(
      (req, res, number) =>
        number === 1
          ? res.end(FILE.subarray(0, 20_000))
          : serve(req, res, undefined, { tag: 'W/"weak"' }),
      { size: FILE.length },
    );
    expect(whole).toEqual(FILE);
  });

  it('waits longer after each attempt that brings nothing, and begins anew after one that does', async () => {
    const clock = new ManualClock();
    const attempts = ['fail', 'fail', 'part', 'fail', 'all'];
    await fetched(
      (req, res, number) => {
        const attempt = attempts[number - 1];
        if (attempt === 'fail') res.writeHead(503).end();
        else serve(req, res, attempt === 'part' ? 20_000 : undefined);
      },
      { clock },
    );
    expect(clock.slept).toEqual([1000, 2000, 1000, 2000]);
  });

  it('gives up when nothing more comes, and says how much was missing', async () => {
    const incomplete = fetched((req, res, number) =>
      number === 1 ? serve(req, res, 20_000) : res.destroy(),
    );
    await expect(incomplete).rejects.toThrow(BulkTransferError);
    await expect(incomplete).rejects.toThrow(`20000 of ${FILE.length} bytes`);
  });

  it('does not mix two files', async () => {
    const mixed = fetched((req, res, number) =>
      serve(req, res, number === 1 ? 20_000 : undefined, { tag: `"v${number}"` }),
    );
    await expect(mixed).rejects.toThrow('changed while it was fetched');
  });

  it('says what a refusal may mean', async () => {
    const refused = fetched((_req, res) =>
      res.writeHead(403).end('<StringToSign>secret</StringToSign>'),
    );
    await expect(refused).rejects.toMatchObject({ code: 'ERR_BULK_TRANSFER', status: 403 });
    await expect(refused).rejects.toThrow('seven days');
    expect(server!.requests).toHaveLength(1);
  });

  it('is not led anywhere else', async () => {
    const led = fetched((_req, res) =>
      res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    );
    await expect(led).rejects.toThrow(BulkTransferError);
  });

  it('ends with its signal, in the middle of the file', async () => {
    server = await openFileServer(
      (_req, res) => void res.writeHead(200).write(FILE.subarray(0, 20_000)),
    );
    const stop = new AbortController();
    const chunks = download(
      new HttpTransport({ clock: new ManualClock() }),
      { url: server.url, size: undefined },
      stop.signal,
    );
    await chunks.next();
    stop.abort();
    await expect(drain(chunks)).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });

  it('does not begin when it is aborted already', async () => {
    server = await openFileServer((req, res) => serve(req, res));
    const chunks = download(
      new HttpTransport({ clock: new ManualClock() }),
      { url: server.url, size: undefined },
      AbortSignal.abort(),
    );
    await expect(chunks.next()).rejects.toThrow(HttpAbortedError);
    expect(server.requests).toHaveLength(0);
  });
});

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}
