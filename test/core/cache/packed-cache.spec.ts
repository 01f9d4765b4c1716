import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { PackedCache } from '../../../lib/core/cache/packed-cache.js';
import type { PackedEntry } from '../../../lib/core/cache/packed-cache.js';
import { heldBytes } from '../../support/heap.js';

const done = (key: string, addedAt = 0): PackedEntry => ({ key, label: 'done', addedAt });
const keysIn = (entries: PackedCache): string[] =>
  Array.from(entries.addedSince(0, 0), ({ key }) => key);

/** What a packed cache of a few keys holds, by the letter of its description. */
class Places {
  /** The oldest first; those that were removed keep their place until all before them are gone. */
  #places: { readonly key: string; isRead: boolean; isRemoved: boolean }[] = [];

  constructor(private readonly capacity: number) {}

  get keys(): string[] {
    return this.#places.filter(({ isRemoved }) => !isRemoved).map(({ key }) => key);
  }

  has(key: string): boolean {
    return this.keys.includes(key);
  }

  get(key: string): void {
    for (const place of this.#places) if (place.key === key) place.isRead = true;
  }

  delete(key: string): void {
    for (const place of this.#places) if (place.key === key) place.isRemoved = true;
    while (this.#places[0]?.isRemoved) this.#places.shift();
  }

  add(key: string): void {
    this.delete(key);
    while (this.keys.length >= this.capacity || this.#places.length >= 2 * this.capacity) {
      const { key: oldest, isRead } = this.#places[0]!;
      this.delete(oldest);
      if (isRead) this.#append(oldest);
    }
    this.#append(key);
  }

  #append(key: string): void {
    this.#places.push({ key, isRead: false, isRemoved: false });
  }
}

describe('the entries of a packed cache', () => {
  it('are those of a plain map, whatever is added, removed and asked for', () => {
    const id = fc.integer({ min: 0, max: 700 }).map((number) => `id ${number}`);
    const times = fc.integer({ min: 1, max: 50 });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant('add' as const), id, times) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), id, times) },
      { weight: 2, arbitrary: fc.tuple(fc.constant('get' as const), id, times) },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 500, maxLength: 3_000 }), (steps) => {
        const entries = new PackedCache(100_000);
        const model = new Map<string, { addedAt: number; expires: number }>();
        for (const [action, key, time] of steps) {
          if (action === 'add') {
            entries.add(done(key, time), time + 25);
            model.set(key, { addedAt: time, expires: time + 25 });
          } else if (action === 'delete') {
            entries.delete(key);
            model.delete(key);
          } else {
            const kept = model.get(key);
            expect(entries.get(key, time)).toEqual(
              kept && kept.expires > time ? done(key, kept.addedAt) : undefined,
            );
          }
        }
        expect(entries.size).toBe(model.size);
        const [since, now] = [10, 40];
        const listed = [...model]
          .filter(([, { addedAt, expires }]) => addedAt >= since && expires > now)
          .map(([key, { addedAt }]) => done(key, addedAt));
        const byKey = (a: PackedEntry, b: PackedEntry): number => (a.key < b.key ? -1 : 1);
        expect([...entries.addedSince(since, now)].sort(byKey)).toEqual(listed.sort(byKey));
      }),
      { numRuns: 30 },
    );
  });

  it('are dropped as documented, however few fit in', () => {
    const id = fc.integer({ min: 0, max: 40 }).map((number) => `id ${number}`);
    const action = fc.constantFrom('add', 'add', 'add', 'get', 'delete');
    const capacities = fc.integer({ min: 1, max: 32 });
    const steps = fc.array(fc.tuple(action, id), { minLength: 1_000, maxLength: 3_000 });
    fc.assert(
      fc.property(capacities, steps, (capacity, all) => {
        const entries = new PackedCache(capacity);
        const model = new Places(capacity);
        for (const [action, key] of all) {
          if (action === 'add') entries.add(done(key), 1);
          else if (action === 'delete') entries.delete(key);
          else expect(entries.get(key, 0)?.key).toBe(model.has(key) ? key : undefined);
          model[action](key);
          expect(entries.size).toBe(model.keys.length);
        }
        expect(keysIn(entries)).toEqual(model.keys);
      }),
      { numRuns: 60 },
    );
  });

  it('are dropped from the oldest on beyond the capacity, those that were read once later', () => {
    const entries = new PackedCache(3);
    for (const id of ['a', 'b', 'c']) entries.add(done(id), 1);
    entries.get('a', 0);
    entries.add(done('d'), 1);
    expect(keysIn(entries)).toEqual(['c', 'a', 'd']);
    for (const id of ['e', 'f']) entries.add(done(id), 1);
    expect(keysIn(entries)).toEqual(['d', 'e', 'f']);
  });

  it('are the last ones after many times the capacity', () => {
    const entries = new PackedCache(1_000);
    for (let number = 0; number < 12_345; number++) entries.add(done(`${number}`), 1);
    expect(entries.size).toBe(1_000);
    expect(entries.get('11345', 0)).toEqual(done('11345'));
    expect(entries.get('11344', 0)).toBeUndefined();
  });

  it('keep keys of any length, and each label under its own name', () => {
    const entries = new PackedCache(2_000);
    const long = (number: number): string => `${number}${'x'.repeat(190)}`;
    for (let number = 0; number < 600; number++)
      entries.add({ ...done(long(number)), label: `label ${number % 3}` }, 1);
    for (let number = 0; number < 600; number++)
      expect(entries.get(long(number), 0)?.label).toBe(`label ${number % 3}`);
    expect(entries.get(long(600), 0)).toBeUndefined();
  });

  it('are refused when their key or label does not fit', () => {
    const entries = new PackedCache(1_000);
    expect(entries.add(done('漢'), 1)).toBe(false);
    expect(entries.get('漢', 0)).toBeUndefined();
    const taken = Array.from({ length: 256 }, (_, number) =>
      entries.add({ ...done(`${number}`), label: `${number}` }, 1),
    );
    expect(taken.lastIndexOf(true)).toBe(254);
    expect(taken.indexOf(false)).toBe(255);
  });

  it('take little memory: as an object each it was three times as much', () => {
    const count = 20_000;
    const before = heldBytes();
    const entries = new PackedCache(100_000);
    for (let number = 0; number < count; number++)
      entries.add(done(`["key","shop.myshopify.com","${number}"]`.padEnd(85, '-')), 1);
    expect((heldBytes() - before) / count).toBeLessThan(200);
    expect(entries.size).toBe(count);
  });

  it('take no more memory when one of them comes again and again behind an old one', () => {
    const entries = new PackedCache(1_000);
    entries.add(done('old'), 1);
    const before = heldBytes();
    for (let times = 0; times < 200_000; times++) entries.add(done('again'), 1);
    expect(heldBytes() - before).toBeLessThan(2_000_000);
    expect(entries.get('again', 0)).toBeDefined();
  });
});
