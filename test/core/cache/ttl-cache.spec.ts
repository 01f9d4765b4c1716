import { describe, expect, it } from '@jest/globals';

import { TtlSet } from '../../../lib/core/cache/ttl-set.js';
import { ManualClock } from '../../support/manual.clock.js';

const MINUTE = 60_000;

describe('TtlSet', () => {
  it('remembers the latest fact about a key for its lifetime', () => {
    const clock = new ManualClock();
    const keys = new TtlSet(clock, MINUTE);
    expect([keys.add('key', 'one'), keys.add('key', 'one'), keys.add('key', 'other')]).toEqual([
      true,
      false,
      true,
    ]);
    clock.time += MINUTE - 1;
    expect([keys.has('key', 'other'), keys.has('key', 'one'), keys.has('another')]).toEqual([
      true,
      false,
      false,
    ]);
    clock.time += 1;
    expect(keys.has('key', 'other')).toBe(false);
  });

  it('forgets no later when the clock is set back', () => {
    const clock = new ManualClock();
    const keys = new TtlSet(clock, MINUTE);
    keys.add('key');
    clock.time -= 60 * MINUTE;
    expect(keys.has('key')).toBe(true);
    clock.time += MINUTE;
    expect(keys.has('key')).toBe(false);
  });
});
