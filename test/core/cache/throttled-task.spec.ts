import { describe, expect, it } from '@jest/globals';

import { ThrottledTask } from '../../../lib/core/cache/throttled-task.js';
import { ManualClock } from '../../support/manual.clock.js';

const HOUR = 60 * 60 * 1000;

describe('ThrottledTask', () => {
  /**
   * How often the work was done when calls ask for it at these times, each with what its work
   * answers with, or fails with.
   */
  async function timesDone(
    ...calls: readonly (readonly [ms: number, outcome: boolean | Error])[]
  ): Promise<number> {
    const clock = new ManualClock();
    const start = clock.time;
    const nowAndThen = new ThrottledTask(clock);
    let count = 0;
    for (const [ms, outcome] of calls) {
      clock.time = start + ms;
      nowAndThen.maybeRun(async () => {
        count++;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      });
      await new Promise(setImmediate);
    }
    return count;
  }

  it('does the work with the first call, and again with the first after an hour', async () => {
    expect(await timesDone([0, false], [1, false], [HOUR - 1, false])).toBe(1);
    expect(await timesDone([0, false], [HOUR, false], [HOUR + 1, false])).toBe(2);
  });

  it('goes on with the next call when there is more to do', async () => {
    expect(await timesDone([0, true], [0, true], [1, false], [2, false])).toBe(3);
  });

  it('keeps a failure to itself, and tries again after an hour', async () => {
    expect(await timesDone([0, new Error('away')], [1, false], [HOUR, false])).toBe(2);
  });

  it('begins nothing again that is under way', async () => {
    const nowAndThen = new ThrottledTask(new ManualClock());
    let count = 0;
    for (let call = 0; call < 3; call++) nowAndThen.maybeRun(() => new Promise(() => count++));
    expect(count).toBe(1);
  });
});
