import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../../../lib/core/core.errors.js';
import { bodyCopies } from '../../../lib/core/http/body-copies.js';
import { webRequest, webResponse } from '../../../lib/core/http/web-http.js';
import { DevClock } from '../../../lib/dev-store/base/dev-clock.js';
import { APP_URL, appOptions } from '../../support/app.js';
import { heldBytes } from '../../support/heap.js';
import { ManualClock } from '../../support/manual.clock.js';

const config = resolveConfig({ ...appOptions(), webhookBodyLimit: 10 });
const streamed = (body: ReadableStream): Request =>
  new Request('http://a/', { method: 'POST', body, duplex: 'half' } as RequestInit);
const post = (body: BodyInit | null): Request =>
  new Request('http://internal:3000/webhooks?a=1', { method: 'POST', body });

describe('webRequest', () => {
  it('shows method, URL on the origin of the app, headers and body', async () => {
    const request = webRequest(
      new Request('http://proxy.internal/x?y=1', {
        method: 'PUT',
        headers: { 'X-Name': 'v' },
        body: 'text',
      }),
      config,
    );
    expect([request.method, request.url.href]).toEqual(['PUT', `${APP_URL}/x?y=1`]);
    expect([request.header('x-name'), request.header('X-NAME'), request.header('absent')]).toEqual([
      'v',
      'v',
      undefined,
    ]);
    expect((await request.rawBody()).toString()).toBe('text');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an address', 'https://app.example.com/'],
    ['all that a loader is given', { request: new Request('http://a/'), params: {} }],
    ['the request of Node', { method: 'GET', url: '/page', headers: { accept: 'text/html' } }],
  ])('refuses %s, and says what to pass', (_, given) => {
    expect(() => webRequest(given as Request, config)).toThrow(
      expect.objectContaining({
        code: 'ERR_ARGUMENT_MISSING',
        message: expect.stringContaining('pass the `request`'),
      }),
    );
  });

  it('reads the address once, when it is asked for', () => {
    let reads = 0;
    const asked = {
      method: 'GET',
      get url() {
        reads++;
        return 'https://proxy.internal/x%20y/?z=1#part';
      },
    };
    const request = webRequest(asked, config);
    expect(reads).toBe(0);
    expect(request.path).toBe('/x%20y/');
    expect(request.url).toBe(request.url);
    expect(request.url.href).toBe(`${APP_URL}/x%20y/?z=1`);
    expect(reads).toBe(1);
  });

  it.each([
    ['http://a', '/'],
    ['http://a?b=/c', '/?b=/c'],
    ['http://a#b/c', '/'],
    ['HTTP://USER:PW@A:80/b', '/b'],
    ['http://a//evil.example/x', '//evil.example/x'],
    ['http://a/\\evil.example/x', '//evil.example/x'],
    ['http://a\\evil.example/x', '/evil.example/x'],
    ['http://a/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['http://a/b/../../c d', '/c%20d'],
    ['http://a/@evil.example/', '/@evil.example/'],
  ])('keeps %s on the origin of the app', (url, expected) => {
    const request = webRequest({ method: 'GET', url }, config);
    expect(request.url.href).toBe(APP_URL + expected);
    expect(request.path).toBe(request.url.pathname);
  });

  it.each([undefined, '', '/x', 'x'])('takes no address without an origin: %j', (url) => {
    const request = webRequest({ method: 'GET', url } as Request, config);
    for (const read of [() => request.url, () => request.path])
      expect(read).toThrow(expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }));
  });

  it('gives the bytes as they were sent, each time it is asked', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]);
    const request = webRequest(post(bytes), config);
    expect([await request.rawBody(), await request.rawBody()]).toEqual([bytes, bytes]);
  });

  it.each([
    ['a Buffer', () => Buffer.from('a body')],
    ['a stream of Node', () => Readable.from([Buffer.from('a '), Buffer.from('body')])],
    ['a stream of texts', () => Readable.from(['a ', 'body'])],
    ['a text', () => 'a body'],
    ['an ArrayBuffer', () => Uint8Array.from(Buffer.from('a body')).buffer],
    ['a Blob', () => new Blob(['a body'])],
    ['a Blob of node-fetch', () => ({ stream: () => Readable.from([Buffer.from('a body')]) })],
  ])('gives the bytes of a class of requests whose body is %s', async (_kind, body) => {
    const request = { url: 'http://a/', method: 'POST', body: body() } as unknown as Request;
    expect((await webRequest(request, config).rawBody()).toString()).toBe('a body');
  });

  it('reads no more than the limit of a stream of Node', async () => {
    const pieces = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(6)));
    const request = { url: 'http://a/', method: 'POST', body: pieces } as unknown as Request;
    const closed = new Promise((resolve) => pieces.once('close', resolve));
    await expect(webRequest(request, config).rawBody()).rejects.toThrow(BodyTooLargeError);
    await closed;
    expect(pieces.readableEnded).toBe(false);
  });

  it('refuses a body that has no bytes', async () => {
    const request = { url: 'http://a/', method: 'POST', body: { a: 1 } } as unknown as Request;
    const reading = webRequest(request, config).rawBody();
    await expect(reading).rejects.toBeInstanceOf(RawBodyUnavailableError);
    await expect(reading).rejects.toThrow('a kind that cannot be read');
  });

  it('destroys a stream of Node that has stalled', async () => {
    const clock = new DevClock({ now: () => new Date(0) });
    const stalled = new Readable({ read: () => {} });
    stalled.push(Buffer.from('1'));
    const request = { url: 'http://a/', method: 'POST', body: stalled } as unknown as Request;
    const reading = webRequest(request, resolveConfig(appOptions({ clock }))).rawBody();
    reading.catch(() => {});
    // It waits for the second piece.
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10_000);
    await expect(reading).rejects.toBeInstanceOf(BodyTimeoutError);
    expect(stalled.destroyed).toBe(true);
  });

  it('takes no notice of how a body ends that nobody wants', async () => {
    const pieces = {
      next: async () => ({ done: false, value: Buffer.alloc(6) }),
      return: () => Promise.reject(new Error('late')),
    };
    const body = { [Symbol.asyncIterator]: () => pieces };
    const request = { url: 'http://a/', method: 'POST', body } as unknown as Request;
    await expect(webRequest(request, config).rawBody()).rejects.toThrow(BodyTooLargeError);
    // A rejection that nobody handled would fail this test.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('gives an empty body when there is none', async () => {
    expect(await webRequest(post(null), config).rawBody()).toEqual(Buffer.alloc(0));
  });

  it('leaves the body to the app when it is not asked for', async () => {
    const request = post('text');
    webRequest(request, config);
    expect(await request.text()).toBe('text');
  });

  it('refuses a body beyond the limit and stops reading it', async () => {
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from('1234')),
      cancel: () => void (cancelled = true),
    });
    await expect(webRequest(streamed(endless), config).rawBody()).rejects.toBeInstanceOf(
      BodyTooLargeError,
    );
    expect(cancelled).toBe(true);
    expect((await webRequest(post('x'.repeat(10)), config).rawBody()).length).toBe(10);
  });

  it('refuses a body that somebody has read, and names the fix', async () => {
    const request = post('text');
    await request.text();
    const reading = webRequest(request, config).rawBody();
    await expect(reading).rejects.toBeInstanceOf(RawBodyUnavailableError);
    await expect(reading).rejects.toThrow('Authenticate the webhook first');
    await expect(reading).rejects.toMatchObject({ reason: 'already_read' });
  });

  it('tells of a body that breaks off', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new Error('reset')),
    });
    const reading = webRequest(streamed(broken), config).rawBody();
    await expect(reading).rejects.toBeInstanceOf(RawBodyUnavailableError);
    await expect(reading).rejects.toMatchObject({ reason: 'went_away' });
  });

  it('refuses a body that somebody is reading', async () => {
    const request = post('text');
    request.body!.getReader();
    await expect(webRequest(request, config).rawBody()).rejects.toMatchObject({
      reason: 'already_read',
    });
  });

  it('waits no longer than 10 s for a body, and tells its sender', async () => {
    const clock = new ManualClock();
    let cancelled = false;
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('1')),
      cancel: () => void (cancelled = true),
    });
    const patient = resolveConfig(appOptions({ clock }));
    await expect(webRequest(streamed(stalled), patient).rawBody()).rejects.toBeInstanceOf(
      BodyTimeoutError,
    );
    expect([clock.slept, cancelled]).toEqual([[10_000], true]);
  });

  it('answers in time even when the sender takes no notice', async () => {
    const stubborn = new ReadableStream({ cancel: () => new Promise<void>(() => {}) });
    const patient = resolveConfig(appOptions({ clock: new ManualClock() }));
    await expect(webRequest(streamed(stubborn), patient).rawBody()).rejects.toBeInstanceOf(
      BodyTimeoutError,
    );
  });

  it('drops the oldest body when all together take too much memory, and tells its sender', async () => {
    const release = bodyCopies.limitTo(1_000_000);
    const large = resolveConfig({ ...appOptions(), webhookBodyLimit: 1_000_000 });
    let cancelled = false;
    const stalled = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.alloc(600_000)),
      cancel: () => void (cancelled = true),
    });
    const first = webRequest(streamed(stalled), large).rawBody();
    first.catch(() => {});
    const second = await webRequest(post('x'.repeat(600_000)), large).rawBody();
    release();
    await expect(first).rejects.toBeInstanceOf(BodyDroppedError);
    expect([second.length, cancelled, bodyCopies.allocated]).toEqual([600_000, true, 0]);
  });

  it('holds little more than its bytes of a body in tiny pieces', async () => {
    // Each piece was kept as a buffer of its own.
    const SIZE = 200_000;
    let left = SIZE;
    let held = 0;
    const before = heldBytes();
    const pieces = new ReadableStream({
      pull: (controller) => {
        if (left-- > 0) return controller.enqueue(new Uint8Array([0x78]));
        held = heldBytes() - before;
        controller.close();
      },
    });
    const body = await webRequest(streamed(pieces), resolveConfig(appOptions())).rawBody();
    expect(body.equals(Buffer.alloc(SIZE, 'x'))).toBe(true);
    expect(held).toBeLessThan(12 * 1024 * 1024);
  });
});

describe('webResponse', () => {
  it('carries status, body and every cookie', async () => {
    const response = webResponse({
      status: 302,
      headers: [
        ['location', '/there'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
      body: 'moved',
    });
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([
      302,
      '/there',
      'moved',
    ]);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('takes a status that allows no body', () => {
    expect(webResponse({ status: 204, headers: [], body: '' }).body).toBeNull();
  });
});
