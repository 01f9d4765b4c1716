import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { MemoryPacer } from '../../../lib/core/pacing/memory-pacer.js';
import type { BucketState, PaceRequest, Priority, Ticket } from '../../../lib/core/pacing/pacer.js';
import { LEAST_RATE } from '../../../lib/core/pacing/pace-bucket.js';
import { makeManyCalls } from './many.calls.js';
import { PlatformBucket } from './platform.bucket.js';
import { VirtualClock } from './virtual.clock.js';

const REQUEST: PaceRequest = { app: 'app', shop: 'shop', kind: 'rest', cost: 1 };
const EMPTY = { available: 0, capacity: 40 };

function setUp() {
  const clock = new VirtualClock();
  return { clock, pacer: new MemoryPacer(clock) };
}

/** A pacer that has been told that the bucket is empty, and keeps no call under way. */
async function setUpEmpty(
  bucket: { available: number; capacity: number; restoreRate?: number } = EMPTY,
) {
  const parts = setUp();
  (await parts.pacer.reserve(REQUEST)).settle({ bucket });
  return parts;
}

/** The order in which calls are let through. */
function orderOf(
  pacer: MemoryPacer,
  requests: readonly (Partial<PaceRequest> & { readonly name: string })[],
) {
  const order: string[] = [];
  const tickets = requests.map(async ({ name, ...request }) => {
    const ticket = await pacer.reserve({ ...REQUEST, ...request });
    order.push(name);
    return ticket;
  });
  return { order, done: Promise.all(tickets) };
}

describe('200 calls by 20 at a time', () => {
  it.each([
    { capacity: 40, restoreRate: 2 },
    { capacity: 80, restoreRate: 4 },
    { capacity: 40, restoreRate: 50 },
    { capacity: 40, restoreRate: 7 },
  ])(
    'take no longer than a bucket of $capacity and $restoreRate a second needs, and none is refused',
    async (limits) => {
      const { clock, pacer } = setUp();
      const platform = new PlatformBucket({ clock, ...limits });
      const seconds = await makeManyCalls({
        clock,
        pacer,
        platform,
        calls: 200,
        concurrency: 20,
        latency: () => 2,
      });
      expect(platform.taken).toBe(200);
      expect(platform.refused).toBe(0);
      expect(seconds).toBeLessThanOrEqual((1.01 * (200 - limits.capacity)) / limits.restoreRate);
    },
  );

  it.each([
    ['down', Math.floor],
    ['up', Math.ceil],
    ['to the nearest', Math.round],
  ])('meet at most one refusal where the platform rounds what is left %s', async (_, round) => {
    const { clock, pacer } = setUp();
    const platform = new PlatformBucket({ clock, capacity: 40, restoreRate: 2, round });
    await makeManyCalls({ clock, pacer, platform, calls: 200, concurrency: 20, latency: () => 3 });
    expect(platform.taken).toBe(200);
    expect(platform.refused).toBeLessThanOrEqual(1);
  });

  it('meet few refusals where less comes back than the size of the bucket promises', async () => {
    const { clock, pacer } = setUp();
    const platform = new PlatformBucket({ clock, capacity: 40, restoreRate: 1 });
    const seconds = await makeManyCalls({
      clock,
      pacer,
      platform,
      calls: 200,
      concurrency: 20,
      latency: () => 3,
    });
    expect(platform.refused).toBeLessThanOrEqual(20);
    expect(seconds).toBeLessThanOrEqual(1.01 * 160);
  });

  it('meet no refusal whatever the latencies, the plan and the number at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.integer({ min: 1, max: 300 })),
        fc.constantFrom(2, 4, 20),
        fc.integer({ min: 1, max: 60 }),
        async (latencies, restoreRate, concurrency) => {
          const { clock, pacer } = setUp();
          const platform = new PlatformBucket({ clock, capacity: restoreRate * 20, restoreRate });
          const latency = (): number => latencies.next().value;
          await makeManyCalls({
            clock,
            pacer,
            platform,
            calls: restoreRate * 20 + 30,
            concurrency,
            latency,
          });
          expect(platform.refused).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('meet no refusal by cost points, however many calls are under way', async () => {
    const { clock, pacer } = setUp();
    const platform = new PlatformBucket({ clock, capacity: 1000, restoreRate: 50 });
    let turn = 0;
    const latency = (): number => 5 + ((turn += 37) % 400);
    const seconds = await makeManyCalls({
      clock,
      pacer,
      platform,
      kind: 'graphql',
      cost: 52,
      calls: 100,
      concurrency: 30,
      latency,
    });
    expect(platform.refused).toBe(0);
    expect(seconds).toBeLessThanOrEqual((1.01 * (100 * 52 - 1000)) / 50 + 0.8);
  });
});

describe('what is not known', () => {
  it('sends a quarter of the standard bucket before the first reply, and the rest when that tells of a full one', async () => {
    const { clock, pacer } = setUp();
    const start = clock.time;
    const tickets: Ticket[] = [];
    const all = Array.from({ length: 40 }, async () => tickets.push(await pacer.reserve(REQUEST)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(tickets).toHaveLength(10);
    tickets[0]!.settle({ bucket: { available: 39, capacity: 40 } });
    await Promise.all(all);
    expect(clock.time).toBe(start);
  });

  it('meets few refusals when another process has emptied the bucket before', async () => {
    const { clock, pacer } = setUp();
    const platform = new PlatformBucket({ clock, capacity: 40, restoreRate: 2 });
    for (let index = 0; index < 38; index++) platform.take(1);
    await makeManyCalls({ clock, pacer, platform, calls: 60, concurrency: 60, latency: () => 5 });
    expect(platform.refused).toBeLessThanOrEqual(8);
  });

  it('learns a fresh rate when the capacity, and so the plan, changes', async () => {
    const { clock, pacer } = setUp();
    const platform = new PlatformBucket({ clock, capacity: 40, restoreRate: 2 });
    await makeManyCalls({ clock, pacer, platform, calls: 60, concurrency: 20, latency: () => 2 });
    platform.capacity = 400;
    platform.restoreRate = 20;
    const seconds = await makeManyCalls({
      clock,
      pacer,
      platform,
      calls: 201,
      concurrency: 20,
      latency: () => 2,
    });
    expect(platform.refused).toBe(0);
    // The bucket is empty when the plan changes: the first call still waits at the old rate.
    expect(seconds).toBeLessThanOrEqual(0.5 + 201 / 20);
  });

  // What others took once made the learnt rate 0, so that nobody was let through any more, or
  // negative, so that everybody was.
  it.each([2, 10])(
    'waits for a finite time after others have emptied a bucket of %i, and a call was refused',
    async (available) => {
      const { clock, pacer } = await setUpEmpty({ available, capacity: 40 });
      await clock.sleep(100);
      (await pacer.reserve(REQUEST)).settle({ bucket: EMPTY });
      (await pacer.reserve(REQUEST)).settle({ bucket: EMPTY, throttled: true });
      const start = clock.time;
      const waiting = pacer.reserve(REQUEST).then(() => clock.time - start);
      expect(await Promise.race([waiting, clock.sleep(60_000)])).toBe(1000 / LEAST_RATE);
    },
  );

  // Such numbers once held everybody back for ever, or nobody.
  it.each<object>([
    { available: 40, capacity: 40, restoreRate: 0 },
    { available: 40, capacity: 40, restoreRate: -2 },
    { available: 40, capacity: 40, restoreRate: null },
    { available: 40, capacity: null },
    { available: 40, capacity: 0 },
    { available: 40, capacity: Infinity },
    { available: '40', capacity: 40 },
    { available: NaN, capacity: 40 },
  ])('learns nothing from a bucket of %p', async (bucket) => {
    const { clock, pacer } = await setUpEmpty();
    const start = clock.time;
    // Like a reply that tells of no bucket, so what the call costs is what was estimated.
    (await pacer.reserve(REQUEST)).settle({ bucket: bucket as BucketState });
    const waiting = pacer.reserve(REQUEST).then(() => clock.time - start);
    expect(await Promise.race([waiting, clock.sleep(60_000)])).toBe(1000);
  });

  it.each([NaN, Infinity, -5])('does not believe that a call cost %p', async (actualCost) => {
    const { clock, pacer } = await setUpEmpty();
    const start = clock.time;
    (await pacer.reserve(REQUEST)).settle({ actualCost });
    const waiting = pacer.reserve(REQUEST).then(() => clock.time - start);
    expect(await Promise.race([waiting, clock.sleep(60_000)])).toBe(1000);
  });

  it('takes every call for free when no reply ever tells of a bucket', async () => {
    const { clock, pacer } = setUp();
    const start = clock.time;
    for (let index = 0; index < 500; index++) (await pacer.reserve(REQUEST)).settle({});
    expect(clock.time).toBe(start);
  });

  it('takes a call without a reply as spent', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 1, capacity: 40 });
    const start = clock.time;
    (await pacer.reserve(REQUEST)).settle();
    (await pacer.reserve(REQUEST)).settle({});
    expect(clock.time - start).toBe(500);
  });
});

describe('the level', () => {
  it('waits as long as the missing part takes to come back', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 10, capacity: 1000, restoreRate: 50 });
    const start = clock.time;
    await pacer.reserve({ ...REQUEST, cost: 110 });
    expect(clock.time - start).toBe(2000);
  });

  it('keeps room for a call into a full bucket that has not arrived yet', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 40, capacity: 40 });
    await pacer.reserve(REQUEST);
    await clock.sleep(60_000);
    const start = clock.time;
    // The bucket is still full, so it is these that empty it but for one place.
    for (let left = 39; left > 0; left--)
      (await pacer.reserve(REQUEST)).settle({ bucket: { available: left, capacity: 40 } });
    expect(clock.time).toBe(start);
    await pacer.reserve(REQUEST);
    expect(clock.time - start).toBe(500);
  });

  it('gets back what a call did not cost', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 500, capacity: 1000, restoreRate: 50 });
    const start = clock.time;
    const ticket = await pacer.reserve({ ...REQUEST, cost: 500 });
    const next = pacer.reserve({ ...REQUEST, cost: 400 });
    ticket.settle({ actualCost: 20 });
    await next;
    expect(clock.time).toBe(start);
  });

  it('is what a refusal leaves of it', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 30, capacity: 40 });
    const start = clock.time;
    (await pacer.reserve(REQUEST)).settle({ throttled: true });
    await pacer.reserve(REQUEST);
    expect(clock.time - start).toBe(500);
  });

  it('sends a call that costs more than the bucket holds when the bucket is full', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 500, capacity: 1000, restoreRate: 50 });
    const start = clock.time;
    await pacer.reserve({ ...REQUEST, cost: 3000 });
    expect(clock.time - start).toBe(10_000);
  });

  it('counts a ticket once, however often it is settled', async () => {
    const { clock, pacer } = await setUpEmpty({ available: 2, capacity: 40 });
    const start = clock.time;
    const ticket = await pacer.reserve(REQUEST);
    for (let times = 0; times < 5; times++) ticket.settle({ actualCost: 0 });
    for (let times = 0; times < 3; times++) await pacer.reserve(REQUEST);
    expect(clock.time - start).toBe(500);
  });

  // A timer takes what is too long for it as 1 ms: the queue looked a thousand times a second.
  it('waits with timers that can be set, however slowly the bucket fills up', async () => {
    const slept: number[] = [];
    const clock = new (class extends VirtualClock {
      override sleep(ms: number, signal?: AbortSignal): Promise<void> {
        slept.push(ms);
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        );
      }
    })();
    const pacer = new MemoryPacer(clock);
    (await pacer.reserve(REQUEST)).settle({ bucket: { ...EMPTY, restoreRate: 1e-9 } });
    const waiting = pacer.reserve(REQUEST);
    await new Promise(setImmediate);
    expect(slept).toEqual([2 ** 31 - 1]);
    await pacer.close();
    (await waiting).settle();
  });

  it.each([Number.NaN, -1, Infinity, undefined])(
    'has no room for a call that costs %p',
    async (cost) => {
      const { pacer } = await setUpEmpty();
      await expect(pacer.reserve({ ...REQUEST, cost: cost as number })).rejects.toMatchObject({
        code: 'ERR_REQUEST_INVALID',
      });
    },
  );

  it('remembers the shops that are called, however many others are', async () => {
    const { clock, pacer } = await setUpEmpty();
    for (let shop = 0; shop < 12_000; shop++) {
      (await pacer.reserve({ ...REQUEST, shop: `shop-${shop}` })).settle();
      if (shop % 1000 === 0)
        (await pacer.reserve({ ...REQUEST, cost: 0 })).settle({ actualCost: 0 });
    }
    const start = clock.time;
    await pacer.reserve(REQUEST);
    expect(clock.time - start).toBe(500);
  });

  it('is one per app, shop and kind of interface', async () => {
    const { clock, pacer } = await setUpEmpty();
    const start = clock.time;
    await pacer.reserve({ ...REQUEST, app: 'b' });
    await pacer.reserve({ ...REQUEST, shop: 'b' });
    await pacer.reserve({ ...REQUEST, kind: 'graphql' });
    expect(clock.time).toBe(start);
    await pacer.reserve(REQUEST);
    expect(clock.time - start).toBe(500);
  });
});

describe('a clock that is set back by an hour', () => {
  const HOUR = 3_600_000;

  // The reply seemed to have come before its call: nothing was left in the bucket for an hour.
  it('while a call is under way holds nobody back', async () => {
    const { clock, pacer } = setUp();
    const ticket = await pacer.reserve(REQUEST);
    clock.set(-HOUR);
    ticket.settle({ bucket: { available: 39, capacity: 40 } });
    const start = clock.time;
    await pacer.reserve(REQUEST);
    expect(clock.time).toBe(start);
  });

  // What had been learnt stood for an hour: every later reply seemed to be older.
  it('does not keep the pacer from learning how fast the bucket fills up', async () => {
    const { clock, pacer } = setUp();
    const parts = { clock, pacer, concurrency: 1, latency: () => 3 };
    const platform = new PlatformBucket({ clock, capacity: 40, restoreRate: 2 });
    await makeManyCalls({ ...parts, platform, calls: 60 });
    clock.set(-HOUR);
    const slower = new PlatformBucket({ clock, capacity: 40, restoreRate: 1 });
    for (let index = 0; index < 40; index++) slower.take(1);
    await makeManyCalls({ ...parts, platform: slower, calls: 100 });
    expect(slower.refused).toBeLessThanOrEqual(10);
  });
});

describe('the queue', () => {
  const background: { readonly priority: Priority } = { priority: 'background' };

  it('is first come, first served, whatever the calls cost', async () => {
    const { pacer } = await setUpEmpty();
    const { order, done } = orderOf(pacer, [
      { name: 'first', cost: 5 },
      { name: 'second', cost: 1 },
      { name: 'third', cost: 3 },
    ]);
    await done;
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('lets interactive calls pass background calls', async () => {
    const { pacer } = await setUpEmpty();
    const { order, done } = orderOf(pacer, [
      { name: 'background', ...background },
      { name: 'one' },
      { name: 'two' },
    ]);
    await done;
    expect(order).toEqual(['one', 'two', 'background']);
  });

  it('leaves every fifth place to background calls', async () => {
    const { pacer } = await setUpEmpty();
    const waiting = Array.from({ length: 10 }, (_, index) => ({ name: `i${index}` }));
    const { order, done } = orderOf(pacer, [
      { name: 'b0', ...background },
      { name: 'b1', ...background },
      ...waiting,
    ]);
    await done;
    expect(order).toEqual(['i0', 'i1', 'i2', 'i3', 'b0', 'i4', 'i5', 'i6', 'i7', 'b1', 'i8', 'i9']);
  });

  it('is left by a call that is aborted, with its reason, and the next one moves up', async () => {
    const { clock, pacer } = await setUpEmpty();
    const start = clock.time;
    const abort = new AbortController();
    const long = pacer.reserve({ ...REQUEST, cost: 30, signal: abort.signal });
    const short = pacer.reserve(REQUEST);
    abort.abort(new Error('no longer needed'));
    await expect(long).rejects.toThrow('no longer needed');
    await short;
    expect(clock.time - start).toBe(500);
  });

  it('is not entered by a call that is aborted already', async () => {
    const { pacer } = setUp();
    await expect(
      pacer.reserve({ ...REQUEST, signal: AbortSignal.abort(new Error('too late')) }),
    ).rejects.toThrow('too late');
  });

  it('keeps a place that was given, though its call is aborted later', async () => {
    const { pacer } = setUp();
    const abort = new AbortController();
    const ticket: Ticket = await pacer.reserve({ ...REQUEST, signal: abort.signal });
    abort.abort();
    expect(() => ticket.settle({ bucket: EMPTY })).not.toThrow();
  });

  it('sets a timer only while somebody waits', async () => {
    const { clock, pacer } = await setUpEmpty();
    expect(clock.sleepers).toBe(0);
    const abort = new AbortController();
    const waiting = pacer.reserve({ ...REQUEST, signal: abort.signal });
    expect(clock.sleepers).toBe(1);
    abort.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(clock.sleepers).toBe(0);
  });

  it('lets everybody through when it is closed', async () => {
    const { clock, pacer } = await setUpEmpty();
    const start = clock.time;
    const waiting = [pacer.reserve(REQUEST), pacer.reserve({ ...REQUEST, ...background })];
    await pacer.close();
    for (const ticket of await Promise.all(waiting)) ticket.settle();
    (await pacer.reserve(REQUEST)).settle();
    expect(clock.time).toBe(start);
    expect(clock.sleepers).toBe(0);
  });
});
