import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, jest } from '@jest/globals';

import { LockTimeoutError } from '../../../lib/sessions/sessions.errors.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { Lock } from '../../../lib/sessions/coordination/lock.js';
import { RecordLock } from '../../../lib/sessions/coordination/coordination-stores.js';
import { withLock } from '../../../lib/sessions/coordination/with-lock.js';
import { JumpingClock } from '../../webhooks/webhooks.fixture.js';

const MINUTE = 60_000;

/** Lets time go by in steps no longer than a renewal's. */
async function pass(clock: JumpingClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    clock.advance(Math.min(5_000, ms - passed));
    await setImmediate();
  }
}

/** A lock that is taken at once, and notes when it is renewed. */
class NotedLock extends Lock {
  readonly renewals: number[] = [];

  constructor(
    private readonly clock: JumpingClock,
    private readonly renewed: () => Promise<boolean>,
  ) {
    super();
  }

  async take(): Promise<boolean> {
    return true;
  }

  renew(): Promise<boolean> {
    this.renewals.push(this.clock.now().getTime());
    return this.renewed();
  }

  async release(): Promise<void> {}
}

/** Work under a lock, with the seconds at which it is renewed. */
async function held(renewed: () => Promise<boolean>) {
  const clock = new JumpingClock();
  const start = clock.now().getTime();
  const lock = new NotedLock(clock, renewed);
  let finish = (): void => {};
  let lost: AbortSignal | undefined;
  const done = withLock({ lock, clock }, 'shop', (signal) => {
    lost = signal;
    return new Promise<void>((resolve) => (finish = resolve));
  });
  await setImmediate();
  return {
    clock,
    finish: () => (finish(), done),
    isLost: () => lost?.aborted,
    renewals: () => lock.renewals.map((time) => (time - start) / 1_000),
  };
}

describe('withLock', () => {
  it('renews the name until the work is done, and leaves no timer', async () => {
    const { clock, finish, isLost, renewals } = await held(async () => true);
    await pass(clock, 17_000);
    await finish();
    await pass(clock, MINUTE);
    expect([renewals(), isLost(), clock.alarms]).toEqual([[5, 10, 15], false, 0]);
  });

  it('loses the name at once when it is no longer its own, and renews no more', async () => {
    const { clock, isLost, renewals } = await held(async () => false);
    await pass(clock, 5_000);
    expect(isLost()).toBe(true);
    await pass(clock, MINUTE);
    expect([renewals(), clock.alarms]).toEqual([[5], 0]);
  });

  it('tries again after a renewal that failed, until the lease has ended', async () => {
    const { clock, isLost, renewals } = await held(() => Promise.reject(new Error('away')));
    await pass(clock, 14_999);
    expect(isLost()).toBe(false);
    await pass(clock, 1);
    await pass(clock, MINUTE);
    // The third is due in the moment in which the lease ends.
    expect([isLost(), renewals().slice(0, 2), clock.alarms]).toEqual([true, [5, 10], 0]);
    expect(renewals().length).toBeLessThanOrEqual(3);
  });

  it('keeps the name while work goes on, but takes work for dead that is not back after an hour', async () => {
    // The name was kept for as long as the process lived.
    const clock = new JumpingClock();
    const lock = new RecordLock(new MemoryRecordStore(clock));
    let lost: AbortSignal | undefined;
    void withLock({ lock, clock }, 'shop', (signal) => new Promise(() => (lost = signal)));
    await pass(clock, 59 * MINUTE);
    expect([await lock.take('shop', 'another', 1), lost?.aborted]).toEqual([false, false]);
    await pass(clock, 2 * MINUTE);
    expect([await lock.take('shop', 'another', 1), lost?.reason]).toEqual([
      true,
      expect.any(LockTimeoutError),
    ]);
    expect(clock.alarms).toBe(0);
  });

  it('tells that the name is lost when the lease ends, not when a renewal that nobody answers is given up', async () => {
    const clock = new JumpingClock();
    const lock = new RecordLock(new MemoryRecordStore(clock));
    jest.spyOn(lock, 'renew').mockReturnValue(new Promise(() => {}));
    let lost: AbortSignal | undefined;
    let finish = (): void => {};
    const done = withLock({ lock, clock }, 'shop', (signal) => {
      lost = signal;
      return new Promise<void>((resolve) => (finish = resolve));
    });
    await pass(clock, 14_999);
    expect([lost?.aborted, await lock.take('shop', 'another', 1)]).toEqual([false, false]);
    await pass(clock, 1);
    expect([lost?.reason, await lock.take('shop', 'another', 1)]).toEqual([
      expect.any(LockTimeoutError),
      true,
    ]);
    finish();
    await done;
    expect(clock.alarms).toBe(0);
  });

  it('counts a lease from when it was asked for: the answer may have been long on its way', async () => {
    const clock = new JumpingClock();
    const lock = new RecordLock(new MemoryRecordStore(clock));
    const take = lock.take.bind(lock);
    jest.spyOn(lock, 'take').mockImplementationOnce(async (...hold) => {
      const isTaken = await take(...hold);
      clock.advance(4_000);
      return isTaken;
    });
    jest.spyOn(lock, 'renew').mockRejectedValue(new Error('the server is away'));
    let lost: AbortSignal | undefined;
    void withLock({ lock, clock }, 'shop', (signal) => new Promise(() => (lost = signal)));
    await pass(clock, 10_999);
    expect(lost?.aborted).toBe(false);
    await pass(clock, 1);
    expect(lost?.aborted).toBe(true);
  });

  it('gives a name back that was taken although no answer came', async () => {
    const clock = new JumpingClock();
    const lock = new RecordLock(new MemoryRecordStore(clock));
    const { take } = lock;
    jest.spyOn(lock, 'take').mockImplementationOnce(async (...params) => {
      await take.apply(lock, params);
      throw new Error('no answer');
    });
    await expect(withLock({ lock, clock }, 'shop', async () => {})).rejects.toThrow('no answer');
    expect(await lock.take('shop', 'another', 1)).toBe(true);
  });
});
