import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';

import { checkedLimit } from '../../../lib/core/http/api-request.js';
import { Deadline, TimeLimit } from '../../../lib/core/http/time-limit.js';
import { ManualClock } from '../../support/manual.clock.js';
import { systemClock } from '../../../lib/core/time/clock.js';
import { InvalidRequestError } from '../../../lib/core/http/http.errors.js';
import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import { heldBytes } from '../../support/heap.js';

const URL_OF_SHOP = 'https://shop.myshopify.com/';

/** Reads a little of it, and goes away. */
async function leave({ body }: Response): Promise<void> {
  const reader = body!.getReader();
  await reader.read();
  await reader.cancel();
}

async function all(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  while (!(await reader.read()).done);
}

/** How many listeners stay on the signal. */
async function lasting(signal: AbortSignal, meanwhile = (): unknown => undefined): Promise<number> {
  for (let turn = 0; turn < 20 && getEventListeners(signal, 'abort').length > 0; turn++) {
    await new Promise(setImmediate);
    meanwhile();
  }
  return getEventListeners(signal, 'abort').length;
}

/** Shows another time whenever it is set, and ticks on. */
class SetClock extends ManualClock {
  count = 0;

  override ticks(): number {
    return this.count;
  }
}

describe('a deadline', () => {
  // It was over at once, and every attempt after that failed.
  it.each([3_600_000, -3_600_000])(
    'leaves as much as before when the clock is set by %i ms',
    (by) => {
      const clock = new SetClock();
      const deadline = new Deadline(clock, 60_000);
      clock.count += 1000;
      clock.time += by;
      expect(deadline.remaining).toBe(59_000);
      clock.count += 60_000;
      expect(deadline.remaining).toBe(0);
      deadline.cancel();
    },
  );
});

describe('an allowance of time', () => {
  it.each([1, 0.5, 2 ** 31 - 1])('may be %d ms', (ms) =>
    expect(checkedLimit('timeout', ms)).toBe(ms),
  );

  // Timers take what is too long for them as 1 ms: switching a limit off with Infinity made every
  // call fail.
  it('is none when it is Infinity, or not given', () => {
    expect([checkedLimit('timeout', Infinity), checkedLimit('timeout', undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([0, -1, Number.NaN, 2 ** 31, '100'])('may not be %p', (ms) => {
    expect(() => checkedLimit('deadline', ms as number)).toThrow(InvalidRequestError);
  });

  it('is over when the caller has had enough, but not because the time is', () => {
    const caller = new AbortController();
    const limit = new TimeLimit(systemClock, 60_000, caller.signal);
    caller.abort(new Error('enough'));
    expect([limit.signal.aborted, limit.signal.reason.message, limit.isOver]).toEqual([
      true,
      'enough',
      false,
    ]);
    limit.cancel();
  });

  // Every call with a timeout left kilobytes behind on a signal that outlived it.
  it('leaves nothing on the signal of the caller', async () => {
    const { signal } = new AbortController();
    const transport = new HttpTransport({
      fetch: async () => Response.json({}),
      clock: systemClock,
    });
    for (let call = 0; call < 5; call++)
      await transport.receive(URL_OF_SHOP, { timeout: 1000, signal }, (response) =>
        response.text(),
      );
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  // Every reply that was handed over unread left a listener.
  it.each<[string, (body: Response) => Promise<unknown>]>([
    ['read', (response) => response.text()],
    ['read by a reader of its own', (response) => all(response.body!)],
    ['cancelled', (response) => response.body!.cancel()],
    ['left half way', leave],
  ])('leaves nothing on it once a reply that was handed over is %s', async (_, use) => {
    const { signal } = new AbortController();
    const transport = new HttpTransport({
      fetch: async () => Response.json({}),
      clock: systemClock,
    });
    const response = await transport.send(URL_OF_SHOP, { timeout: 1000, signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await use(response);
    expect(await lasting(signal)).toBe(0);
  });

  it('leaves nothing on it when a reply that was handed over breaks off', async () => {
    const { signal } = new AbortController();
    const broken = new ReadableStream(
      { pull: (stream) => stream.error(new Error('cut')) },
      { highWaterMark: 0 },
    );
    const transport = new HttpTransport({
      fetch: async () => new Response(broken),
      clock: systemClock,
    });
    const response = await transport.send(URL_OF_SHOP, { timeout: 1000, signal });
    await expect(response.text()).rejects.toThrow('cut');
    expect(await lasting(signal)).toBe(0);
  });

  it('does not mind a body of a kind it does not know', async () => {
    const { signal } = new AbortController();
    const reply = {
      status: 200,
      headers: new Headers(),
      bodyUsed: false,
      body: { getReader: () => 'foreign' },
    };
    const transport = new HttpTransport({
      fetch: async () => reply as unknown as Response,
      clock: systemClock,
    });
    expect(await transport.send(URL_OF_SHOP, { timeout: 1000, signal })).toBe(reply);
    await new Promise(setImmediate);
  });

  it('leaves nothing on it in the end when replies that were handed over are dropped', async () => {
    const { signal } = new AbortController();
    const transport = new HttpTransport({
      fetch: async () => Response.json({}),
      clock: systemClock,
    });
    for (let call = 0; call < 10; call++)
      await transport.send(URL_OF_SHOP, { timeout: 1000, signal });
    // Counting what is held collects the rest, but for the last ones, which may still be on the
    // stack.
    expect(await lasting(signal, heldBytes)).toBeLessThan(5);
  });

  it('still follows the caller while a reply is unread', async () => {
    const caller = new AbortController();
    let passed: AbortSignal | undefined;
    const fetch = (async (_: string, init?: RequestInit) => {
      passed = init?.signal ?? undefined;
      return Response.json({});
    }) as typeof globalThis.fetch;
    await new HttpTransport({ fetch, clock: systemClock }).send(URL_OF_SHOP, {
      timeout: 1000,
      signal: caller.signal,
    });
    caller.abort();
    expect(passed?.aborted).toBe(true);
  });
});
