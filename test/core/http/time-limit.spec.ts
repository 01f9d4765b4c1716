import { getEventListeners } from 'node:events';

import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/core/clock.js';
import { InvalidRequestError } from '../../../lib/core/http/http.errors.js';
import { HttpTransport } from '../../../lib/core/http/http.transport.js';
import { TimeLimit, checkedLimit } from '../../../lib/core/http/time-limit.js';

describe('an allowance of time', () => {
  it.each([1, 0.5, 2 ** 31 - 1])('may be %d ms', (ms) => expect(checkedLimit('timeout', ms)).toBe(ms));

  // Timers take what is too long for them as 1 ms: switching a limit off with Infinity made every call fail.
  it('is none when it is Infinity, or not given', () => {
    expect([checkedLimit('timeout', Infinity), checkedLimit('timeout', undefined)]).toEqual([undefined, undefined]);
  });

  it.each([0, -1, Number.NaN, 2 ** 31, '100'])('may not be %p', (ms) => {
    expect(() => checkedLimit('deadline', ms as number)).toThrow(InvalidRequestError);
  });

  it('is over when the caller has had enough, but not because the time is', () => {
    const caller = new AbortController();
    const limit = new TimeLimit(systemClock, 60_000, caller.signal);
    caller.abort(new Error('enough'));
    expect([limit.signal.aborted, limit.signal.reason.message, limit.isOver]).toEqual([true, 'enough', false]);
    limit.cancel();
  });

  // Every call with a timeout left kilobytes behind on a signal that outlived it.
  it('leaves nothing on the signal of the caller', async () => {
    const { signal } = new AbortController();
    const transport = new HttpTransport({ fetch: async () => Response.json({}), clock: systemClock });
    for (let call = 0; call < 5; call++) await transport.sendAndRead('https://shop.myshopify.com/', { timeout: 1000, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('still follows the caller while a reply is unread', async () => {
    const caller = new AbortController();
    let passed: AbortSignal | undefined;
    const fetch = (async (_: string, init?: RequestInit) => {
      passed = init?.signal ?? undefined;
      return Response.json({});
    }) as typeof globalThis.fetch;
    await new HttpTransport({ fetch, clock: systemClock }).send('https://shop.myshopify.com/', { timeout: 1000, signal: caller.signal });
    caller.abort();
    expect(passed?.aborted).toBe(true);
  });
});
