import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';

import { discard } from '../../../lib/core/http/http-transport.js';
import { readerOf } from '../../../lib/core/http/reply-body.js';

const replyOf = (body: unknown, text = ''): Response =>
  ({ body, text: async () => text }) as unknown as Response;

async function read(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of readerOf(response).chunks)
    text += decoder.decode(chunk, { stream: true });
  return text;
}

describe('the body of a reply', () => {
  it.each([
    ['a web stream', () => new Response('a text')],
    ['a Node stream', () => replyOf(new PassThrough().end('a text'))],
    ['nothing', () => replyOf(undefined, 'a text')],
    ['null', () => replyOf(null, 'a text')],
  ])('is read when it is %s', async (_kind, response) => {
    expect(await read(response())).toBe('a text');
  });

  it.each([
    ['a web stream', () => new Response(new ReadableStream())],
    ['a Node stream', () => replyOf(new PassThrough())],
    ['nothing', () => ({ text: () => new Promise(() => {}) }) as unknown as Response],
  ])('ends the wait for a chunk when it is %s that is closed', async (_kind, response) => {
    const { chunks, close } = readerOf(response());
    const next = chunks[Symbol.asyncIterator]().next();
    close();
    close();
    const ended = await next.then(({ done }) => done === true).catch(() => true);
    expect(ended).toBe(true);
  });

  it('destroys what is piped into it, as node-fetch 2 pipes a connection', async () => {
    const connection = new PassThrough();
    const unzipped = connection.pipe(new PassThrough()).pipe(new PassThrough());
    const closed = new Promise<void>((resolve) => connection.once('close', resolve));
    await discard(replyOf(unzipped));
    await closed;
    expect(connection.destroyed).toBe(true);
  });

  it('survives an error that comes after it was dropped', async () => {
    const body = new PassThrough();
    await discard(replyOf(body));
    expect(() => body.emit('error', new Error('aborted'))).not.toThrow();
  });

  it('is dropped where there is none', async () => {
    await expect(discard(undefined)).resolves.toBeUndefined();
    await expect(discard(replyOf(undefined))).resolves.toBeUndefined();
    await expect(discard(replyOf(null))).resolves.toBeUndefined();
  });
});
