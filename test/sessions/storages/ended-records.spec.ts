import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { EndedRecords } from '../../../lib/sessions/storages/memory/ended-records.js';
import { heldBytes } from '../../support/heap.js';

const done = (id: string, changedAt = 0): { id: string; state: string; changedAt: number } => ({
  id,
  state: 'done',
  changedAt,
});
const idsIn = (records: EndedRecords): string[] =>
  Array.from(records.changedSince(0, 0), ({ id }) => id);

describe('the records that have ended', () => {
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
        const records = new EndedRecords(100_000);
        const model = new Map<string, { changedAt: number; expires: number }>();
        for (const [action, key, time] of steps) {
          if (action === 'add') {
            records.add(done(key, time), time + 25);
            model.set(key, { changedAt: time, expires: time + 25 });
          } else if (action === 'delete') {
            records.delete(key);
            model.delete(key);
          } else {
            const kept = model.get(key);
            expect(records.get(key, time)).toEqual(
              kept && kept.expires > time ? done(key, kept.changedAt) : undefined,
            );
          }
        }
        expect(records.size).toBe(model.size);
        const [since, now] = [10, 40];
        const listed = [...model]
          .filter(([, { changedAt, expires }]) => changedAt >= since && expires > now)
          .map(([key, { changedAt }]) => done(key, changedAt));
        const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
        expect([...records.changedSince(since, now)].sort(byId)).toEqual(listed.sort(byId));
      }),
      { numRuns: 30 },
    );
  });

  it('are dropped from the oldest on beyond the capacity, those that were read once later', () => {
    const records = new EndedRecords(3);
    for (const id of ['a', 'b', 'c']) records.add(done(id), 1);
    records.get('a', 0);
    records.add(done('d'), 1);
    expect(idsIn(records)).toEqual(['c', 'a', 'd']);
    for (const id of ['e', 'f']) records.add(done(id), 1);
    expect(idsIn(records)).toEqual(['d', 'e', 'f']);
  });

  it('are the last ones after many times the capacity', () => {
    const records = new EndedRecords(1_000);
    for (let number = 0; number < 12_345; number++) records.add(done(`${number}`), 1);
    expect(records.size).toBe(1_000);
    expect(records.get('11345', 0)).toEqual(done('11345'));
    expect(records.get('11344', 0)).toBeUndefined();
  });

  it('keep ids of any length, and each state under its own name', () => {
    const records = new EndedRecords(2_000);
    const long = (number: number): string => `${number}${'x'.repeat(190)}`;
    for (let number = 0; number < 600; number++)
      records.add({ ...done(long(number)), state: `state ${number % 3}` }, 1);
    for (let number = 0; number < 600; number++)
      expect(records.get(long(number), 0)?.state).toBe(`state ${number % 3}`);
    expect(records.get(long(600), 0)).toBeUndefined();
  });

  it('are refused when their id or state does not fit', () => {
    const records = new EndedRecords(1_000);
    expect(records.add(done('漢'), 1)).toBe(false);
    expect(records.get('漢', 0)).toBeUndefined();
    const taken = Array.from({ length: 256 }, (_, number) =>
      records.add({ ...done(`${number}`), state: `${number}` }, 1),
    );
    expect(taken.lastIndexOf(true)).toBe(254);
    expect(taken.indexOf(false)).toBe(255);
  });

  it('take little memory: as an object each it was three times as much', () => {
    const count = 20_000;
    const before = heldBytes();
    const records = new EndedRecords(100_000);
    for (let number = 0; number < count; number++)
      records.add(done(`["key","shop.myshopify.com","${number}"]`.padEnd(85, '-')), 1);
    expect((heldBytes() - before) / count).toBeLessThan(200);
    expect(records.size).toBe(count);
  });

  it('take no more memory when one of them comes again and again behind an old one', () => {
    const records = new EndedRecords(1_000);
    records.add(done('old'), 1);
    const before = heldBytes();
    for (let times = 0; times < 200_000; times++) records.add(done('again'), 1);
    expect(heldBytes() - before).toBeLessThan(2_000_000);
    expect(records.get('again', 0)).toBeDefined();
  });
});
