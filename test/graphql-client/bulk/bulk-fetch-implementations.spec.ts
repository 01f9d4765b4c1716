import type { IncomingMessage, ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';

import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import { download } from '../../../lib/graphql-client/bulk/bulk-download.js';
import { upload, writeJsonl } from '../../../lib/graphql-client/bulk/bulk-upload.js';
import { BulkTransferError } from '../../../lib/graphql-client/bulk/bulk.errors.js';
import { FETCH_IMPLEMENTATIONS } from '../../support/fetch-implementations.js';
import { ManualClock } from '../../support/manual.clock.js';
import { openFileServer } from './file-server.js';
import type { FileServer } from './file-server.js';

/** More than a socket and a stream hold back for a reader. */
const FILE = Buffer.from('{"name":"Käse"}\n'.repeat(40_000));
const never = new AbortController().signal;

let server: FileServer | undefined;
afterEach(async () => server?.close());

// `body.getReader`, `body.cancel` and a `FormData` were taken for granted.
describe.each(FETCH_IMPLEMENTATIONS)('with %s, the file of a bulk operation', (name, custom) => {
  const transport = () =>
    new HttpTransport({ clock: new ManualClock(), fetch: custom as unknown as typeof fetch });
  const serve = async (answer: Parameters<typeof openFileServer>[0]) =>
    (server = await openFileServer(answer));
  const downloaded = async (url: string) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of download(transport(), { url, size: FILE.length }, never))
      chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it('is downloaded whole', async () => {
    const { url } = await serve((_, res) => res.end(FILE));
    expect((await downloaded(url)).equals(FILE)).toBe(true);
  });

  it('is downloaded again after a 503 that has a long body', async () => {
    const { url, requests } = await serve((_, res, number) =>
      number === 1 ? res.writeHead(503).end(FILE) : res.end(FILE),
    );
    expect((await downloaded(url)).equals(FILE)).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('is downloaded on when the connection broke', async () => {
    const { url, requests } = await serve((req, res, number) => {
      const from = Number(/bytes=(\d+)-/.exec(req.headers.range ?? '')?.[1] ?? 0);
      if (number === 1) return brokenOff(res);
      const range = { 'content-range': `bytes ${from}-${FILE.length - 1}/${FILE.length}` };
      res.writeHead(from > 0 ? 206 : 200, from > 0 ? range : {}).end(FILE.subarray(from));
    });
    expect((await downloaded(url)).equals(FILE)).toBe(true);
    expect(requests).toHaveLength(2);
  });

  it('is refused when it changed meanwhile', async () => {
    const { url } = await serve((_, res, number) => {
      if (number > 1) return void res.writeHead(200, { etag: '"b"' }).end(FILE);
      brokenOff(res.setHeader('etag', '"a"'));
    });
    const failure = downloaded(url);
    // What has no body to read bit by bit begins anew, with the file as it is now.
    if (name === 'a fetch without bodies') expect((await failure).equals(FILE)).toBe(true);
    else await expect(failure).rejects.toBeInstanceOf(BulkTransferError);
  });

  it('can be left before its end', async () => {
    const { url } = await serve((_, res) => res.end(FILE));
    for await (const chunk of download(transport(), { url, size: FILE.length }, never)) {
      expect(FILE.indexOf(chunk)).toBe(0);
      break;
    }
  });

  it('is uploaded as a form, once more after a 503', async () => {
    const forms: Promise<FormData>[] = [];
    const { url } = await serve((req: IncomingMessage, res: ServerResponse, number) => {
      forms.push(formIn(req));
      req.on('end', () => res.writeHead(number === 1 ? 503 : 201).end(FILE));
    });
    const rows = await writeJsonl([{ title: 'Käse' }, { title: 'Brot' }], never);
    const parameters = [
      { name: 'key', value: 'tmp/variables' },
      { name: 'policy', value: 'abc' },
    ];
    expect(await upload(transport(), { url, parameters }, rows, never)).toBe('tmp/variables');
    const sent = await Promise.all(forms);
    expect(sent.map((form) => [...form.keys()])).toEqual([
      ['key', 'policy', 'file'],
      ['key', 'policy', 'file'],
    ]);
    const file = sent[1]!.get('file') as File;
    expect([file.name, await file.text()]).toEqual([
      'variables.jsonl',
      '{"title":"Käse"}\n{"title":"Brot"}\n',
    ]);
  });
});

/** In chunks: of a body with a `content-length`, node-fetch 2 does not notice an early end. */
function brokenOff(response: ServerResponse): void {
  response.write(FILE.subarray(0, 100_000), () => response.destroy());
}

async function formIn(request: IncomingMessage): Promise<FormData> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  return new Response(Buffer.concat(chunks), { headers }).formData();
}
