import { describe, expect, it, jest } from '@jest/globals';

import { stopwatch, systemClock, TimerWheel } from '../../../lib/core/time/clock.js';
import type { Clock } from '../../../lib/core/time/clock.js';
import { plainClock } from '../../../lib/core/time/plain-clock.js';
import { ManualClock } from '../../support/manual.clock.js';

describe.each<[string, Clock]>([
  ['system', systemClock],
  ['plain', plainClock],
])('the %s clock', (_, clock) => {
  it('tells the time of the machine', () => {
    const before = Date.now();
    const now = clock.now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('wakes up', async () => {
    await expect(clock.sleep(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  it('stops sleeping when told to, before or meanwhile', async () => {
    const reason = new Error('enough');
    await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  it('ticks, a millisecond for each', async () => {
    const [before, start] = [performance.now(), clock.ticks!()];
    await clock.sleep(20);
    const ticks = clock.ticks!() - start;
    expect(ticks).toBeGreaterThan(18);
    expect(ticks).toBeLessThanOrEqual(performance.now() - before);
  });
});

describe('the system clock', () => {
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

/** Timers that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('alarms', () => {
  it('takes what is no time for none, so that the others fire', async () => {
    const wheel = new TimerWheel();
    const fired: string[] = [];
    await new Promise<void>((resolve) => {
      wheel.set(5, () => fired.push('first'));
      wheel.set(20, () => {
        fired.push('last');
        resolve();
      });
      wheel.set(NaN, () => fired.push('none'));
    });
    expect(fired).toEqual(['none', 'first', 'last']);
  });

  it('ring in the order in which they are due, however they were set', async () => {
    const alarms = new TimerWheel();
    const rung: number[] = [];
    const last = new Promise<void>((resolve) => alarms.set(300, () => (rung.push(300), resolve())));
    for (const ms of [200, 1, 100]) alarms.set(ms, () => rung.push(ms));
    await last;
    expect(rung).toEqual([1, 100, 200, 300]);
  });

  it('ring only once, and never after they were called off', async () => {
    const alarms = new TimerWheel();
    const rung: string[] = [];
    const callOff = alarms.set(1, () => rung.push('called off'));
    alarms.set(1, () => rung.push('once'));
    callOff();
    for (const ms of [5, 10]) await new Promise<void>((resolve) => alarms.set(ms, resolve));
    expect(rung).toEqual(['once']);
  });

  it('do not ring when one that rings at the same time calls them off', async () => {
    const alarms = new TimerWheel();
    const rung: string[] = [];
    const callOff: (() => void)[] = [];
    alarms.set(1, () => (rung.push('first'), callOff[0]!()));
    callOff.push(alarms.set(1, () => rung.push('second')));
    await new Promise<void>((resolve) => alarms.set(50, resolve));
    expect(rung).toEqual(['first']);
  });

  // Node's timer would fire at once, again and again.
  it('may be set for longer than a timer of Node can be', () => {
    const nodeTimers = jest.spyOn(globalThis, 'setTimeout');
    const callOff = new TimerWheel().set(2 ** 31, () => {});
    callOff();
    const [[, ms] = []] = nodeTimers.mock.calls;
    nodeTimers.mockRestore();
    expect(ms).toBe(2 ** 31 - 1);
  });

  it('can be set by one that rings', async () => {
    const alarms = new TimerWheel();
    const rung: string[] = [];
    await new Promise<void>((resolve) => {
      alarms.set(
        1,
        () => (rung.push('first'), alarms.set(1, () => (rung.push('second'), resolve()))),
      );
    });
    expect(rung).toEqual(['first', 'second']);
  });

  it('take one timer together, which keeps the process alive while one of them is set', () => {
    const alarms = new TimerWheel();
    const before = timers();
    const callOff = Array.from({ length: 100 }, (_, index) => alarms.set(60_000 + index, () => {}));
    expect(timers()).toBe(before + 1);
    callOff.slice(1).forEach((off) => off());
    expect(timers()).toBe(before + 1);
    callOff[0]!();
    expect(timers()).toBe(before);
    const again = alarms.set(90_000, () => {});
    expect(timers()).toBe(before + 1);
    again();
    expect(timers()).toBe(before);
  });

  it('do not mind being called off twice', () => {
    const alarms = new TimerWheel();
    const before = timers();
    const callOff = alarms.set(60_000, () => {});
    const other = alarms.set(60_000, () => {});
    callOff();
    callOff();
    expect(timers()).toBe(before + 1);
    other();
    expect(timers()).toBe(before);
  });
});
