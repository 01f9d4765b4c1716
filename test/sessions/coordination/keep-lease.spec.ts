import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { keepLease } from '../../../lib/sessions/coordination/with-lock.js';
import type { HeldLease } from '../../../lib/sessions/coordination/with-lock.js';
import { Clock } from '../../../lib/core/time/clock.js';

/** Time passes when the test says so. */
class SteppedClock extends Clock {
  readonly #timers = new Map<() => void, number>();
  time = 0;

  get pending(): number {
    return this.#timers.size;
  }

  now(): Date {
    return new Date(this.time);
  }

  override ticks(): number {
    return this.time;
  }

  sleep(): Promise<void> {
    throw new Error('not used');
  }

  override timer(ms: number, callback: () => void): () => void {
    this.#timers.set(callback, this.time + ms);
    return () => void this.#timers.delete(callback);
  }

  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const [next] = [...this.#timers].sort(([, one], [, other]) => one - other);
      if (!next || next[1] > end) break;
      const [callback, at] = next;
      this.#timers.delete(callback);
      this.time = Math.max(this.time, at);
      callback();
      await setImmediate();
    }
    this.time = end;
  }
}

function held(renew: () => Promise<boolean>, options: Partial<HeldLease> = {}) {
  const clock = new SteppedClock();
  const renewals: number[] = [];
  const lost: number[] = [];
  const stop = keepLease({
    clock,
    interval: 5,
    mostRenewals: 100,
    expiry: { duration: 15, left: 15 },
    renew: () => {
      renewals.push(clock.time);
      return renew();
    },
    onLost: () => lost.push(clock.time),
    ...options,
  });
  return { clock, renewals, lost, stop };
}

describe('keepLease', () => {
  it('renews at each interval until it is stopped, and leaves no timer', async () => {
    const { clock, renewals, lost, stop } = held(async () => true, {
      expiry: { duration: 15, left: 15 },
    });
    await clock.pass(17);
    stop();
    await clock.pass(50);
    expect([renewals, lost, clock.pending]).toEqual([[5, 10, 15], [], 0]);
  });

  it('reports the loss once, and renews no more', async () => {
    const { clock, renewals, lost } = held(async () => false, {
      expiry: { duration: 15, left: 15 },
    });
    await clock.pass(100);
    expect([renewals, lost, clock.pending]).toEqual([[5], [5], 0]);
  });

  it('tries again after a renewal that failed, until the lease has ended', async () => {
    const failing = () => Promise.reject<boolean>(new Error('away'));
    const { clock, renewals, lost } = held(failing, { expiry: { duration: 15, left: 12 } });
    await clock.pass(100);
    expect([renewals, lost]).toEqual([[5, 10], [12]]);
  });

  it('counts the lease as lost at its end while a renewal waits for an answer', async () => {
    const { clock, lost } = held(() => new Promise<boolean>(() => {}), {
      expiry: { duration: 15, left: 15 },
    });
    await clock.pass(100);
    expect(lost).toEqual([15]);
  });

  it('counts the lease as lost after the last renewal', async () => {
    const { clock, renewals, lost } = held(async () => true, { mostRenewals: 2 });
    await clock.pass(100);
    expect([renewals, lost]).toEqual([[5, 10], [10]]);
  });
});
