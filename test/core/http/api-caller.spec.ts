import { describe, expect, it } from '@jest/globals';

import { Clock } from '../../../lib/core/time/clock.js';
import type { ApiCall, ApiReply, ReplyUsage } from '../../../lib/core/http/api-call.js';
import type { ApiCallerOptions } from '../../../lib/core/http/api-caller.js';
import { errorFor } from '../../../lib/core/http/failed-reply.js';
import { AccessToken } from '../../../lib/core/api-session.js';
import {
  HttpAbortedError,
  HttpMaxRetriesError,
  HttpRequestError,
  HttpTimeoutError,
} from '../../../lib/core/http/http.errors.js';
import { Pacer } from '../../../lib/core/pacing/pacer.js';
import type { PaceRequest, Settlement, Ticket } from '../../../lib/core/pacing/pacer.js';
import { apiCaller } from '../../support/api-caller.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';

const SHOP = 'test-shop.myshopify.com';

interface Sent {
  readonly outcome: Promise<ApiReply<string>>;
  readonly script: ScriptedFetch;
  readonly clock: ManualClock;
}

function send(
  answers: Scripted[],
  call: Partial<ApiCall<string>> = {},
  options: Partial<ApiCallerOptions> = {},
  clock = patient(),
): Sent {
  const script = new ScriptedFetch(...answers);
  const caller = apiCaller(script.fetch, clock, { random: () => 0.5, ...options });
  const outcome = caller.call({ ...CALL, ...call });
  // Looked at later.
  outcome.catch(() => {});
  return { outcome, script, clock };
}

const CALL: ApiCall<string> = {
  shop: SHOP,
  operation: 'GET products',
  request: {
    url: `https://${SHOP}/products.json`,
    method: 'GET',
    headers: { 'x-shopify-access-token': 'shpat_secret' },
  },
  kind: 'rest',
  cost: () => 1,
  repeatable: true,
  read: (response) => response.text(),
};

/** A token that another one replaces when it is refused. */
const renewable = (): AccessToken => new AccessToken('shpat_secret', async () => 'shpat_other');
const patient = (): ManualClock => new ManualClock(Number.MAX_SAFE_INTEGER);
const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response('body', { status: code, headers });
const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Answers never, but gives up when it is told to. */
const silence: typeof fetch = (_url, init) =>
  new Promise((_resolve, reject) =>
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
  );

/** Keeps what it was asked and told. */
class RecordingPacer extends Pacer {
  readonly requests: PaceRequest[] = [];
  readonly settled: (Settlement | undefined)[] = [];

  constructor(private readonly turn: (request: PaceRequest) => Promise<void> = async () => {}) {
    super();
  }

  override async reserve(request: PaceRequest): Promise<Ticket> {
    this.requests.push(request);
    await this.turn(request);
    return { settle: (told) => void this.settled.push(told) };
  }

  override async close(): Promise<void> {}
}

/**
 * Its sleepers wait until they are woken or aborted, but for sleeps of the given lengths, which are
 * over at once.
 */
class StandingClock extends Clock {
  time = 0;
  readonly sleepers = new Map<() => void, number>();
  readonly slept: number[] = [];

  constructor(private readonly passing: readonly number[] = []) {
    super();
  }

  now(): Date {
    return new Date(this.time);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.passing.includes(ms)) {
        this.time += ms;
        this.slept.push(ms);
        return resolve();
      }
      const wake = (): void => {
        this.sleepers.delete(wake);
        resolve();
      };
      this.sleepers.set(wake, ms);
      signal?.addEventListener('abort', () => {
        this.sleepers.delete(wake);
        reject(signal.reason);
      });
    });
  }
}

describe('a call to the platform', () => {
  it('answers with the reply, what was read of it, and its facts', async () => {
    const { outcome, script } = send([status(200, { 'x-request-id': 'req-1' })], {
      request: { ...CALL.request, method: 'PUT', body: '{}' },
    });
    expect(await outcome).toMatchObject({
      value: 'body',
      attempts: 1,
      requestId: 'req-1',
      call: { shop: SHOP, operation: 'GET products' },
      response: { status: 200 },
    });
    expect(script.last).toMatchObject({
      method: 'PUT',
      body: '{}',
      url: CALL.request.url,
      headers: CALL.request.headers,
    });
  });

  it('is sent again after what may pass, and waits longer each time', async () => {
    const { outcome, script, clock } = send(
      [status(503), status(500), new Error('lost'), status(200)],
      { retries: 3 },
    );
    expect(await outcome).toMatchObject({ attempts: 4, response: { status: 200 } });
    expect([script.sent.length, clock.slept]).toEqual([4, [500, 1000, 2000]]);
  });

  it('waits as long as the platform says, else as long as the call says', async () => {
    const { outcome, clock } = send(
      [status(429, { 'retry-after': '2.5' }), status(503), status(200)],
      { retries: 2, wait: 7 },
    );
    await outcome;
    expect(clock.slept).toEqual([2500, 7]);
  });

  it('is sent as often as its caller says unless it says otherwise itself', async () => {
    expect(await send([() => status(503)], {}, { retries: 2 }).outcome).toMatchObject({
      attempts: 3,
      value: 'body',
    });
    expect(await send([() => status(503)], { retries: 0 }, { retries: 2 }).outcome).toMatchObject({
      attempts: 1,
    });
  });

  it('that must not be done twice is sent again only when nothing was done', async () => {
    const once = { repeatable: false, retries: 3 };
    expect(await send([status(429), status(201)], once).outcome).toMatchObject({
      response: { status: 201 },
    });
    expect(await send([status(503), status(201)], once).outcome).toMatchObject({
      attempts: 1,
      response: { status: 503 },
    });
    const lost = send([new Error('connection lost'), status(201)], once);
    await expect(lost.outcome).rejects.toThrow(HttpRequestError);
    expect(lost.script.sent).toHaveLength(1);
  });

  it('is sent again when a success says that nothing ran', async () => {
    const answers = [new Response('wait'), new Response('done')];
    const usage = (_: Response, value: string): ReplyUsage | undefined =>
      value === 'wait' ? { throttledFor: 1234 } : undefined;
    const { outcome, clock } = send(answers, { repeatable: false, retries: 1, usage });
    expect(await outcome).toMatchObject({ value: 'done', attempts: 2 });
    expect(clock.slept).toEqual([1234]);
  });

  it('hands the last reply over rather than wait for more than a minute', async () => {
    const { outcome, clock } = send([status(429, { 'retry-after': '61' })], { retries: 3 });
    expect((await outcome).response.status).toBe(429);
    expect(clock.slept).toEqual([]);
  });

  it('is sent again when its body breaks off', async () => {
    const broken = new Response(
      new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) }),
    );
    expect(await send([broken, status(200)], { retries: 1 }).outcome).toMatchObject({
      attempts: 2,
      value: 'body',
    });
  });

  // The error said that no reply had come at all.
  it('tells the status and the id of a reply whose body broke off for the last time', async () => {
    const broken = (): Response =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('cut')) }), {
        status: 202,
        headers: { 'x-request-id': 'req-9' },
      });
    const error = await send([broken(), broken()], { retries: 1 }).outcome.catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HttpRequestError);
    expect(error).toMatchObject({ status: 202, requestId: 'req-9', attempts: 2 });
    const none = send([new TypeError('fetch failed')]).outcome;
    expect(await none.catch((thrown: object) => 'status' in thrown)).toBe(false);
  });

  it('leaves no body unread that nobody will read', async () => {
    const first = status(503);
    const { outcome } = send([first, status(200)], { retries: 1, read: () => 'not read' });
    await outcome;
    await expect(first.text()).rejects.toThrow();
  });

  it('tells its observer of each reply, each retry and what the final reply deprecates', async () => {
    const events: unknown[] = [];
    const deprecation = { 'x-shopify-api-deprecated-reason': 'gone soon' };
    const { outcome } = send(
      [status(503, deprecation), new Error('lost'), status(201, deprecation)],
      {
        retries: 2,
        observer: {
          replied: ({ operation }, response) => events.push([operation, response.status]),
          retried: ({ request }, { number, most, last }) =>
            events.push([request.url, number, most, last?.status]),
          deprecated: ({ shop }, reason) => events.push([shop, reason]),
        },
      },
    );
    await outcome;
    expect(events).toEqual([
      ['GET products', 503],
      [CALL.request.url, 1, 2, 503],
      [CALL.request.url, 2, 2, undefined],
      ['GET products', 201],
      [SHOP, 'gone soon'],
    ]);
  });
});

describe('a call that gets no reply', () => {
  it('says which call that was, how often it was sent, and why, but not its token', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
    const error = await thrownBy(send([cause], { retries: 2 }).outcome);
    expect(error).toBeInstanceOf(HttpRequestError);
    expect(error).toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      shop: SHOP,
      operation: 'GET products',
      attempts: 3,
      cause,
    });
    expect(error).toMatchObject({
      message: expect.stringMatching(/ENOTFOUND.*Gave up after 3 attempts/),
    });
    expect(error).not.toHaveProperty('status');
    expect(JSON.stringify(error) + String(error)).not.toContain('shpat_secret');
  });

  it('in time is tried again, if that does no harm', async () => {
    const clock = new ManualClock();
    // A sleep within the patience of the clock is over at once.
    const caller = apiCaller(silence, clock, { retries: 2, timeout: 100, random: () => 0 });
    const error = await thrownBy(caller.call(CALL));
    expect(error).toBeInstanceOf(HttpTimeoutError);
    expect(error).toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
      attempts: 3,
      message: expect.stringContaining('no reply within 100 ms'),
    });
    await expect(caller.call({ ...CALL, repeatable: false })).rejects.toMatchObject({
      attempts: 1,
    });
  });

  it('has its own timeout rather than that of its caller', async () => {
    const caller = apiCaller(silence, new ManualClock(), { timeout: 60_000 });
    await expect(caller.call({ ...CALL, timeout: 5 })).rejects.toThrow('no reply within 5 ms');
  });
});

describe('a call that is aborted', () => {
  it('before it is sent is not sent', async () => {
    const { outcome, script } = send([status(200)], { retries: 3, signal: AbortSignal.abort() });
    await expect(outcome).rejects.toThrow(HttpAbortedError);
    expect(script.sent).toEqual([]);
  });

  it('while it waits for its next attempt ends at once', async () => {
    const clock = new StandingClock();
    const controller = new AbortController();
    const script = new ScriptedFetch(() => status(503));
    const outcome = apiCaller(script.fetch, clock, { retries: 3 }).call({
      ...CALL,
      signal: controller.signal,
    });
    while (clock.sleepers.size === 0) await new Promise(setImmediate);
    controller.abort();
    await expect(outcome).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
      shop: SHOP,
      status: 503,
      attempts: 1,
    });
    expect([script.sent.length, clock.sleepers.size]).toEqual([1, 0]);
  });

  it('while it waits for its turn ends at once', async () => {
    const controller = new AbortController();
    const pacer = new RecordingPacer(({ signal }) => {
      controller.abort();
      return Promise.reject(signal?.reason);
    });
    const { outcome, script } = send([status(200)], { signal: controller.signal }, { pacer });
    await expect(outcome).rejects.toMatchObject({ code: 'ERR_HTTP_ABORTED', attempts: 0 });
    expect(script.sent).toEqual([]);
  });
});

describe('a call whose token was refused', () => {
  const pendingRenewal = (): { token: AccessToken; fail: () => void; asked: () => number } => {
    let asked = 0;
    let fail = (): void => {};
    const token = new AccessToken('shpat_secret', () => {
      asked++;
      return new Promise((_, reject) => (fail = () => reject(new Error('no'))));
    });
    return { token, fail: () => fail(), asked: () => asked };
  };

  it('ends at once when it is aborted while it waits for another token, whatever becomes of that', async () => {
    const controller = new AbortController();
    const renewal = pendingRenewal();
    const { outcome, script } = send([status(401)], {
      signal: controller.signal,
      token: renewal.token,
    });
    while (renewal.asked() === 0) await new Promise(setImmediate);
    controller.abort();
    await expect(outcome).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
      shop: SHOP,
      status: 401,
      attempts: 1,
    });
    renewal.fail();
    await new Promise(setImmediate);
    expect([script.sent.length, renewal.asked()]).toEqual([1, 1]);
  });

  it('does not wait for another token past its deadline', async () => {
    const clock = new StandingClock();
    const renewal = pendingRenewal();
    const { fetch } = new ScriptedFetch(status(401));
    const outcome = apiCaller(fetch, clock).call({
      ...CALL,
      deadline: 1000,
      token: renewal.token,
    });
    while (renewal.asked() === 0) await new Promise(setImmediate);
    clock.sleepers.forEach((_, wake) => wake());
    const message = expect.stringContaining('another token within 1000 ms');
    await expect(outcome).rejects.toMatchObject({ code: 'ERR_HTTP_TIMEOUT', status: 401, message });
    renewal.fail();
    await new Promise(setImmediate);
  });

  it('counts its retries without the renewal: where the platform names no wait, the first is as short as ever', async () => {
    const heard: number[] = [];
    const answers = [status(401), status(503), status(503), status(200)];
    const { outcome, clock } = send(answers, {
      retries: 2,
      token: renewable(),
      observer: { retried: (_, { number }) => heard.push(number) },
    });
    expect(await outcome).toMatchObject({ attempts: 4, retries: 2, response: { status: 200 } });
    expect([heard, clock.slept]).toEqual([
      [1, 2],
      [500, 1000],
    ]);
  });

  it('and then gets no reply is not said to be given up', async () => {
    const error = await thrownBy(
      send([status(401), new Error('lost')], { repeatable: false, token: renewable() }).outcome,
    );
    expect(error).toMatchObject({ attempts: 2, message: expect.not.stringContaining('Gave up') });
  });

  it('fails as the renewal does', async () => {
    const renewal = pendingRenewal();
    const { outcome } = send([status(401)], {
      signal: new AbortController().signal,
      token: renewal.token,
    });
    while (renewal.asked() === 0) await new Promise(setImmediate);
    renewal.fail();
    await expect(outcome).rejects.toThrow(/^no$/);
  });
});

describe('a call that is finished once it is sent', () => {
  it('is not sent when it is aborted while it waits for its turn', async () => {
    const controller = new AbortController();
    const pacer = new RecordingPacer(({ signal }) => {
      controller.abort();
      return Promise.reject(signal?.reason);
    });
    const { outcome, script } = send(
      [status(200)],
      { signal: controller.signal, finishOnceSent: true },
      { pacer },
    );
    await expect(outcome).rejects.toMatchObject({ code: 'ERR_HTTP_ABORTED', attempts: 0 });
    expect([script.sent, pacer.settled]).toEqual([[], []]);
  });

  it('is not sent when it is aborted in the moment it gets its turn, and gives its place back', async () => {
    const controller = new AbortController();
    const pacer = new RecordingPacer(async () => controller.abort());
    const { outcome, script } = send(
      [status(200)],
      { signal: controller.signal, finishOnceSent: true },
      { pacer },
    );
    await expect(outcome).rejects.toMatchObject({ code: 'ERR_HTTP_ABORTED', attempts: 0 });
    expect([script.sent, pacer.settled]).toEqual([[], [undefined]]);
  });

  it('is seen through when it is aborted on its way', async () => {
    const controller = new AbortController();
    const signals: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      signals.push(init?.signal);
      controller.abort();
      return status(200);
    };
    const call = { ...CALL, signal: controller.signal, finishOnceSent: true };
    expect(await apiCaller(fetch, patient()).call(call)).toMatchObject({ value: 'body' });
    expect(signals).toEqual([undefined]);
  });

  it('is not sent again when it was aborted on its way', async () => {
    const controller = new AbortController();
    const answer = (): Response => (controller.abort(), status(429, { 'retry-after': '1' }));
    const { outcome, script } = send([answer], {
      signal: controller.signal,
      finishOnceSent: true,
      retries: 3,
    });
    await expect(outcome).rejects.toMatchObject({
      code: 'ERR_HTTP_ABORTED',
      status: 429,
      attempts: 1,
    });
    expect(script.sent).toHaveLength(1);
  });
});

describe('a call with a deadline', () => {
  it('returns the last reply when the next wait would pass it', async () => {
    const clock = new StandingClock([4000]);
    const { fetch } = new ScriptedFetch(() => status(503, { 'retry-after': '4' }));
    const reply = await apiCaller(fetch, clock).call({ ...CALL, retries: 3, deadline: 9000 });
    expect(reply).toMatchObject({ attempts: 3, response: { status: 503 }, value: 'body' });
    expect([clock.slept, clock.sleepers.size]).toEqual([[4000, 4000], 0]);
  });

  it('throws the last error when the next wait would pass it', async () => {
    const clock = new StandingClock();
    const script = new ScriptedFetch(new Error('lost'));
    const outcome = apiCaller(script.fetch, clock).call({
      ...CALL,
      retries: 3,
      wait: 2000,
      deadline: 2000,
    });
    await expect(outcome).rejects.toMatchObject({
      code: 'ERR_HTTP_REQUEST',
      attempts: 1,
      message: expect.stringContaining('lost'),
    });
    expect(script.sent).toHaveLength(1);
  });

  it('has what remains of it for an attempt', async () => {
    const clock = new StandingClock();
    const outcome = apiCaller(silence, clock, { timeout: 30_000 }).call({
      ...CALL,
      deadline: 1000,
    });
    await new Promise(setImmediate);
    expect(Math.max(...clock.sleepers.values())).toBe(1000);
    clock.sleepers.forEach((_, wake) => wake());
    await expect(outcome).rejects.toThrow(HttpTimeoutError);
    expect(clock.sleepers.size).toBe(0);
  });

  it('does not wait for its turn any longer', async () => {
    const clock = new StandingClock();
    const pacer = new RecordingPacer(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const outcome = apiCaller(silence, clock, { pacer }).call({ ...CALL, deadline: 1000 });
    while (clock.sleepers.size === 0) await new Promise(setImmediate);
    clock.sleepers.forEach((_, wake) => wake());
    await expect(outcome).rejects.toMatchObject({
      code: 'ERR_HTTP_TIMEOUT',
      message: expect.stringContaining('its turn within 1000 ms'),
    });
    expect(pacer.settled).toEqual([]);
  });
});

describe('a paced call', () => {
  it('asks for its place before each attempt, and tells what each reply told', async () => {
    const pacer = new RecordingPacer();
    const bucket = { available: 3, capacity: 40, restoreRate: 2 };
    const { outcome } = send(
      [status(429), new Error('lost'), status(200)],
      {
        retries: 2,
        cost: () => 5,
        priority: 'background',
        usage: () => ({ bucket, actualCost: 4 }),
      },
      { pacer },
    );
    await outcome;
    const request = { app: 'test-app', shop: SHOP, kind: 'rest', cost: 5, priority: 'background' };
    expect(pacer.requests).toMatchObject([request, request, request]);
    expect(pacer.settled).toEqual([
      { bucket, actualCost: 4, throttled: true },
      undefined,
      { bucket, actualCost: 4, throttled: false },
    ]);
  });

  // It was taken before the time was looked at, and never given back.
  it('takes no place when its timeout is none', async () => {
    const pacer = new RecordingPacer();
    await expect(send([status(200)], { timeout: -1 }, { pacer }).outcome).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
    expect(pacer.requests).toEqual([]);
  });

  it('gives its place back when reading the reply fails', async () => {
    const pacer = new RecordingPacer();
    const failing = { read: () => Promise.reject(new HttpRequestError('unreadable')) };
    await expect(send([status(200)], failing, { pacer }).outcome).rejects.toThrow('unreadable');
    expect(pacer.settled).toEqual([undefined]);
  });
});

describe('the error for a reply', () => {
  it('knows the call, and the last reply when all retries were of no avail', async () => {
    const reply = await send([() => status(503, { 'x-request-id': 'req-3' })], { retries: 1 })
      .outcome;
    const error = errorFor(reply, reply.value);
    expect(error).toBeInstanceOf(HttpMaxRetriesError);
    const facts = {
      shop: SHOP,
      operation: 'GET products',
      status: 503,
      requestId: 'req-3',
      attempts: 2,
    };
    expect(error).toMatchObject({
      ...facts,
      response: { code: 503, body: 'body' },
      cause: { code: 'ERR_HTTP_INTERNAL', ...facts },
    });
  });

  // One that was sent once more with another token counted as retried.
  it.each([500, 429])(
    'says that all retries were of no avail only when there were some: not after a renewed token and a %i',
    async (code) => {
      const call = { repeatable: false, token: renewable() };
      const reply = await send([status(401), status(code)], call).outcome;
      const error = errorFor(reply, reply.value);
      expect(error).not.toBeInstanceOf(HttpMaxRetriesError);
      expect(error).toMatchObject({ status: code, attempts: 2 });
      const retried = await send([status(429), status(401), status(429)], {
        ...call,
        token: renewable(),
        retries: 1,
      }).outcome;
      expect(errorFor(retried, retried.value)).toBeInstanceOf(HttpMaxRetriesError);
    },
  );
});
