import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { LeasedEntries } from '../../../lib/core/concurrency/in-flight.js';
import type { Leased } from '../../../lib/core/concurrency/in-flight.js';

interface Entry extends Leased<Entry> {
  readonly value: number;
}

describe('the entries that are leased', () => {
  it('are those of a plain map, whatever is set, removed and asked for', () => {
    const id = fc.integer({ min: 0, max: 300 }).map((number) => `id ${number}`);
    const step = fc.tuple(fc.constantFrom('set', 'set', 'delete'), id, fc.nat());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 1_000 }), (steps) => {
        const entries = new LeasedEntries<Entry>();
        const model = new Map<string, number>();
        for (const [action, key, value] of steps) {
          expect(entries.get(key)?.value).toBe(model.get(key));
          if (action === 'set') {
            entries.set({ id: key, value, following: undefined });
            model.set(key, value);
          } else expect(entries.delete(key)).toBe(model.delete(key));
        }
        expect(entries.size).toBe(model.size);
        const listed = entries.values().map((entry) => [entry.id, entry.value] as const);
        expect(new Map(listed)).toEqual(model);
      }),
    );
  });
});
