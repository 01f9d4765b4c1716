import { setImmediate } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { LockTimeoutError } from '../../lib/sessions/sessions.errors.js';
import { MemoryLock } from '../../lib/sessions/storages/memory/memory.lock.js';
import { withLock } from '../../lib/sessions/with-lock.js';
import { JumpingClock } from '../webhooks/webhooks.fixture.js';

const MINUTE = 60_000;

/** Lets time go by in steps no longer than a renewal's. */
async function pass(clock: JumpingClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5_000) {
    clock.advance(5_000);
    await setImmediate();
  }
}

describe('withLock', () => {
  it('keeps the name while work goes on, but takes work for dead that is not back after an hour', async () => {
    // The name was kept for as long as the process lived.
    const clock = new JumpingClock();
    const lock = new MemoryLock(clock);
    let lost: AbortSignal | undefined;
    void withLock({ lock, clock }, 'shop', (signal) => new Promise(() => (lost = signal)));
    await pass(clock, 59 * MINUTE);
    expect([await lock.take('shop', 'another', 1), lost?.aborted]).toEqual([false, false]);
    await pass(clock, 2 * MINUTE);
    expect([await lock.take('shop', 'another', 1), lost?.reason]).toEqual([true, expect.any(LockTimeoutError)]);
    expect(clock.alarms).toBe(0);
  });
});
