import { beforeAll, describe, expect, it } from '@jest/globals';

import { Clock, systemClock } from '../../../lib/core/time/clock.js';
import {
  HttpAbortedError,
  HttpRequestError,
  HttpTimeoutError,
  InvalidRequestError,
} from '../../../lib/core/http/http.errors.js';
import { HttpTransport, onDemand } from '../../../lib/core/http/http-transport.js';
import { safeRedirect } from '../../../lib/core/http/redirects.js';
import { LogSeverity, PlatformLogger } from '../../../lib/core/logger.js';

/** Time that passes when the test says so. */
class ManualClock extends Clock {
  readonly sleepers = new Map<() => void, number>();

  now(): Date {
    return new Date(0);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.sleepers.set(resolve, ms);
      signal?.addEventListener('abort', () => {
        this.sleepers.delete(resolve);
        reject(signal.reason);
      });
    });
  }

  wakeAll(): void {
    for (const wake of this.sleepers.keys()) wake();
  }
}

/** Answers never, but gives up when it is told to. */
const silence: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  );

describe('the transport', () => {
  // The first call with a limit of time waits for their file.
  beforeAll(async () => void (await onDemand()));

  it('hands a reply over whatever its status, and leaves no timer behind', async () => {
    const clock = new ManualClock();
    const transport = new HttpTransport({
      clock,
      fetch: async () => new Response('no', { status: 500 }),
    });
    expect((await transport.send('https://x.example/', { timeout: 1000 })).status).toBe(500);
    expect(clock.sleepers.size).toBe(0);
  });

  it('passes method, headers and body on', async () => {
    const seen: unknown[] = [];
    const transport = new HttpTransport({
      clock: new ManualClock(),
      fetch: async (...args) => (seen.push(args), new Response()),
    });
    await transport.send('https://x.example/', { method: 'POST', headers: { a: 'b' }, body: 'c' });
    expect(seen).toEqual([
      [
        'https://x.example/',
        { method: 'POST', headers: { a: 'b' }, body: 'c', redirect: 'manual' },
      ],
    ]);
  });

  it('gives up when the time is over', async () => {
    const clock = new ManualClock();
    const pending = new HttpTransport({ clock, fetch: silence }).send(
      'https://x.example/a?code=1',
      { timeout: 1000 },
    );
    expect([...clock.sleepers.values()]).toEqual([1000]);
    clock.wakeAll();
    await expect(pending).rejects.toThrow(
      'GET https://x.example/a failed: no reply within 1000 ms.',
    );
    await expect(pending).rejects.toBeInstanceOf(HttpTimeoutError);
  });

  it('gives up on a body that never ends', async () => {
    const clock = new ManualClock();
    const fetch: typeof globalThis.fetch = async (_url, init) =>
      new Response(
        new ReadableStream({
          start: (stream) =>
            init?.signal?.addEventListener('abort', () => stream.error(new Error('cut'))),
        }),
      );
    const pending = new HttpTransport({ clock, fetch }).receive(
      'https://x.example/',
      { timeout: 1000 },
      (response) => response.text(),
    );
    await new Promise(setImmediate);
    clock.wakeAll();
    await expect(pending).rejects.toThrow('no reply within 1000 ms');
  });

  it('reads a reply', async () => {
    const transport = new HttpTransport({
      clock: new ManualClock(),
      fetch: async () => new Response('text'),
    });
    await expect(
      transport.receive('https://x.example/', {}, (response) => response.text()),
    ).resolves.toBe('text');
  });

  it('passes an error of our own on that reading throws, and explains any other', async () => {
    const transport = new HttpTransport({
      clock: new ManualClock(),
      fetch: async () => new Response(),
    });
    const own = new InvalidRequestError('not like this');
    await expect(
      transport.receive('https://x.example/', {}, () => Promise.reject(own)),
    ).rejects.toBe(own);
    const other = transport.receive('https://x.example/', {}, () =>
      Promise.reject(new Error('cut off')),
    );
    await expect(other).rejects.toThrow('GET https://x.example/ failed: cut off.');
  });

  it('gives up in real time too, and leaves no timer behind when there is no need', async () => {
    const transport = new HttpTransport({ clock: systemClock, fetch: silence });
    await expect(transport.send('https://x.example/', { timeout: 1 })).rejects.toBeInstanceOf(
      HttpTimeoutError,
    );
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const quick = new HttpTransport({ clock: systemClock, fetch: async () => new Response() });
    await quick.send('https://x.example/', { timeout: 60_000 });
    expect(timers()).toBe(before);
  });

  it('stops when the caller does', async () => {
    const controller = new AbortController();
    const pending = new HttpTransport({ clock: new ManualClock(), fetch: silence }).send(
      'https://x.example/',
      {
        signal: controller.signal,
      },
    );
    controller.abort(new Error('changed my mind'));
    await expect(pending).rejects.toThrow('the call was aborted');
    await expect(pending).rejects.toBeInstanceOf(HttpAbortedError);
  });

  it('says what is behind “fetch failed”, and keeps it', async () => {
    const cause = new TypeError('fetch failed', {
      cause: new Error('connect ECONNREFUSED 127.0.0.1:1'),
    });
    const error = await new HttpTransport({
      clock: new ManualClock(),
      fetch: () => Promise.reject(cause),
    })
      .send('https://x.example/')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HttpRequestError);
    expect(error).toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      cause,
      code: 'ERR_HTTP_REQUEST',
    });
  });

  it('logs method, address without query, and status, only when asked to', async () => {
    const lines: string[] = [];
    for (const httpRequests of [true, false]) {
      const clock = new ManualClock();
      const sink = {
        level: LogSeverity.Debug,
        httpRequests,
        log: (_severity: LogSeverity, line: string) => lines.push(line),
      };
      const transport = new HttpTransport({
        clock,
        logger: new PlatformLogger(sink, clock),
        fetch: async () => new Response(),
      });
      await transport.send('https://x.example/a?secret=1', {
        headers: { authorization: 'Bearer t' },
      });
    }
    expect(lines).toEqual([
      '[shopwright/DEBUG] Received a reply | {method: GET, url: https://x.example/a, status: 200}',
    ]);
  });
});

const SHOP = 'https://shop.myshopify.com/admin/api/2026-07/products.json';
const moved = (status: number, location: string): Response =>
  new Response(null, { status, headers: { location } });

// `fetch` took the access token wherever a reply pointed, and made a GET of a POST.
describe('a redirect', () => {
  it.each([
    [302, '/admin/elsewhere.json', 'GET', 'https://shop.myshopify.com/admin/elsewhere.json'],
    [301, 'https://renamed.myshopify.com/x', 'GET', 'https://renamed.myshopify.com/x'],
    [308, 'https://renamed.myshopify.com/x', 'POST', 'https://renamed.myshopify.com/x'],
    [307, '/same', 'DELETE', 'https://shop.myshopify.com/same'],
  ])('%d to %s is followed by a %s', (status, location, method, target) => {
    expect(safeRedirect(moved(status, location), SHOP, method)).toBe(target);
  });

  it.each([
    [302, 'https://evil.example/x', 'GET'],
    [302, '//evil.example/x', 'GET'],
    [308, 'https://shop.myshopify.com.evil.example/', 'GET'],
    [302, 'http://shop.myshopify.com/x', 'GET'],
    [302, 'http://renamed.myshopify.com/x', 'GET'],
    [302, 'https://shop.myshopify.com:8443/x', 'GET'],
    [302, 'https://admin.shopify.com/login', 'GET'],
    [302, '/x', 'POST'],
    [301, '/x', 'PUT'],
    [302, 'http://[', 'GET'],
    [200, '/x', 'GET'],
    [304, '/x', 'GET'],
  ])('%d to %s is not followed by a %s', (status, location, method) => {
    expect(safeRedirect(moved(status, location), SHOP, method)).toBeUndefined();
  });

  it('keeps method, headers and body, and is followed three times at most', async () => {
    const sent: [string, RequestInit | undefined][] = [];
    const fetch = (async (url: string, init?: RequestInit) => {
      sent.push([url, init]);
      return moved(308, `/${sent.length}`);
    }) as typeof globalThis.fetch;
    const transport = new HttpTransport({ fetch, clock: systemClock });
    const response = await transport.send(SHOP, {
      method: 'POST',
      body: '{}',
      headers: { 'x-shopify-access-token': 'token' },
    });
    expect(response.status).toBe(308);
    expect(sent.map(([url]) => new URL(url).pathname)).toEqual([
      '/admin/api/2026-07/products.json',
      '/1',
      '/2',
      '/3',
    ]);
    for (const [, init] of sent)
      expect(init).toMatchObject({
        method: 'POST',
        body: '{}',
        headers: { 'x-shopify-access-token': 'token' },
        redirect: 'manual',
      });
  });

  // Not every runtime knows `redirect: 'error'`: Workers throw a TypeError before anything is sent.
  it.each([
    [302, 'https://evil.example/'],
    [307, '/same'],
  ])('%d to %s fails where none may be followed, and ends its transfer', async (status, to) => {
    const sent: unknown[] = [];
    let isCancelled = false;
    const fetch = (async (url: string, init?: RequestInit) => {
      sent.push([url, init?.redirect]);
      const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
      return new Response(body, { status, headers: { location: to } });
    }) as typeof globalThis.fetch;
    const transport = new HttpTransport({ fetch, clock: systemClock });
    const call = transport.send(SHOP, { method: 'POST', body: 'secret', redirect: 'error' });
    await expect(call).rejects.toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      message: expect.stringContaining('the reply is a redirect, which is not followed'),
    });
    expect([sent, isCancelled]).toEqual([[[SHOP, 'manual']], true]);
  });

  it('to another host is handed back, the token unsent', async () => {
    const sent: string[] = [];
    const fetch = (async (url: string) => {
      sent.push(url);
      return moved(302, 'https://evil.example/');
    }) as typeof globalThis.fetch;
    const response = await new HttpTransport({ fetch, clock: systemClock }).send(SHOP);
    expect([response.status, sent]).toEqual([302, [SHOP]]);
  });
});
