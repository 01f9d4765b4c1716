import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../lib/core/clock.js';

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

  it('rings, unless it is told not to', async () => {
    const rung: string[] = [];
    const stop = systemClock.alarm?.(1, () => rung.push('stopped'));
    stop?.();
    await new Promise<void>((resolve) => void systemClock.alarm?.(2, () => (rung.push('rang'), resolve())));
    expect(rung).toEqual(['rang']);
  });
});
