import { describe, expect, it } from '@jest/globals';

import { TtlCache, TtlSet } from '../../../lib/core/cache/ttl-cache.js';
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

describe('TtlCache', () => {
  it('keeps a value for its lifetime, counted from when it was set', () => {
    const clock = new ManualClock();
    const cache = new TtlCache<number>({ clock, lifetime: MINUTE, capacity: 10 });
    cache.set('key', 1);
    clock.time += MINUTE - 1;
    expect(cache.get('key')).toBe(1);
    cache.set('key', 2);
    clock.time += MINUTE - 1;
    expect(cache.get('key')).toBe(2);
    clock.time += 1;
    expect(cache.get('key')).toBeUndefined();
  });

  it('drops the value that was used longest ago when there are too many', () => {
    const cache = new TtlCache<number>({
      clock: new ManualClock(),
      lifetime: MINUTE,
      capacity: 2,
    });
    cache.set('one', 1);
    cache.set('two', 2);
    cache.get('one');
    cache.set('three', 3);
    expect([cache.get('one'), cache.get('two'), cache.get('three')]).toEqual([1, undefined, 3]);
  });

  it('deletes a value, and a certain one only while that is kept', () => {
    const cache = new TtlCache<number>({
      clock: new ManualClock(),
      lifetime: MINUTE,
      capacity: 2,
    });
    cache.set('key', 1);
    cache.delete('key', 2);
    expect(cache.get('key')).toBe(1);
    cache.delete('key', 1);
    expect(cache.get('key')).toBeUndefined();
  });
});
