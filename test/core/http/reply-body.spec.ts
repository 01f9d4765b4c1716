import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';

import { discard } from '../../../lib/core/http/http-transport.js';
import { readerOf, textWithin } from '../../../lib/core/http/reply-body.js';

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

describe('textWithin()', () => {
  it.each([
    ['a web stream', () => new Response('ein Schlüssel')],
    ['a Node stream', () => replyOf(new PassThrough().end('ein Schlüssel'))],
    ['nothing', () => replyOf(undefined, 'ein Schlüssel')],
  ])(
    'answers with the text of what is no longer than the limit, in %s',
    async (_kind, response) => {
      await expect(textWithin(response(), 14)).resolves.toBe('ein Schlüssel');
      await expect(textWithin(response(), 13)).resolves.toBeUndefined();
    },
  );

  it('answers with the text that a `fetch` gives back after reading it', async () => {
    const response = new Response('ein Schlüssel');
    const text = await response.text();
    response.text = () => Promise.resolve(text);
    await expect(textWithin(response, 14)).resolves.toBe(text);
  });

  it('joins characters that come in two pieces', async () => {
    const body = new PassThrough();
    for (const byte of Buffer.from('ü€')) body.write(Buffer.from([byte]));
    body.end();
    await expect(textWithin(replyOf(body), 100)).resolves.toBe('ü€');
  });

  it('stops reading what has no end', async () => {
    let isStopped = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (stream) => stream.enqueue(new Uint8Array(1000)),
      cancel: () => void (isStopped = true),
    });
    await expect(textWithin(new Response(endless), 5000)).resolves.toBeUndefined();
    expect(isStopped).toBe(true);
  });
});
