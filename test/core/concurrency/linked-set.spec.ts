import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { LinkedSet } from '../../../lib/core/concurrency/in-flight.js';
import type { Place } from '../../../lib/core/concurrency/in-flight.js';

describe('LinkedSet', () => {
  it('keeps what was added in its order, without what was deleted, as a Set does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20, max: 20 })), (steps) => {
        const set = new LinkedSet<{ n: number }>();
        const expected = new Set<{ n: number }>();
        const all: { value: { n: number }; place: Place<{ n: number }> }[] = [];
        for (const step of steps) {
          if (step >= 0) {
            const value = { n: step };
            all.push({ value, place: set.add(value) });
            expected.add(value);
          } else {
            const one = all.at(step);
            if (one) expect(set.delete(one.place)).toBe(expected.delete(one.value));
          }
          expect(set.values()).toEqual([...expected]);
          expect(set.size).toBe(expected.size);
        }
      }),
    );
  });

  it('holds nothing at a place that was deleted', () => {
    const set = new LinkedSet<string>();
    const [first, second] = [set.add('first'), set.add('second')];
    set.delete(first);
    expect([first.value, second.value]).toEqual([undefined, 'second']);
    expect(Object.values(first)).toEqual([undefined, undefined, undefined]);
  });
});
