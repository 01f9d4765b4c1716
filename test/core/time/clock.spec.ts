import { describe, expect, it } from '@jest/globals';

import { stopwatch, systemClock } from '../../../lib/core/time/clock.js';
import { ManualClock } from '../../support/manual.clock.js';

describe('the system clock', () => {
  it('tells the time of the machine', () => {
    const before = Date.now();
    const now = systemClock.now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('wakes up', async () => {
    await expect(systemClock.sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('stops sleeping when told to, before or meanwhile', async () => {
    const reason = new Error('enough');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  it('ticks, a millisecond for each', async () => {
    const [before, start] = [performance.now(), systemClock.ticks!()];
    await systemClock.sleep(20);
    const ticks = systemClock.ticks!() - start;
    expect(ticks).toBeGreaterThan(18);
    expect(ticks).toBeLessThanOrEqual(performance.now() - before);
  });

  it('rings, unless it is told not to', async () => {
    const rung: string[] = [];
    const stop = systemClock.timer?.(1, () => rung.push('stopped'));
    stop?.();
    await new Promise<void>(
      (resolve) => void systemClock.timer?.(2, () => (rung.push('rang'), resolve())),
    );
    expect(rung).toEqual(['rang']);
  });
});

describe('a stopwatch', () => {
  it('counts on after a clock that knows nothing but the time was set back', () => {
    const clock = new ManualClock();
    const elapsed = stopwatch(clock);
    clock.time += 1000;
    expect(elapsed()).toBe(1000);
    clock.time -= 3_600_000;
    expect(elapsed()).toBe(1000);
    clock.time += 500;
    expect(elapsed()).toBe(1500);
  });

  it('does not look at the time where the clock has ticks', () => {
    class Ticking extends ManualClock {
      count = 7;

      override ticks(): number {
        return this.count;
      }
    }
    const clock = new Ticking();
    const elapsed = stopwatch(clock);
    clock.time += 3_600_000;
    clock.count += 20;
    expect(elapsed()).toBe(20);
  });
});
