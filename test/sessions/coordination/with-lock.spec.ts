import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, jest } from '@jest/globals';

import { LockTimeoutError } from '../../../lib/sessions/sessions.errors.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
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

describe('withLock', () => {
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
