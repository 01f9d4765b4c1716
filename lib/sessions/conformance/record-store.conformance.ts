import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import { systemClock } from '../../core/time/clock.js';
import type { Lease, LeaseTerms, RecordKey, RecordStore } from '../coordination/record.store.js';
import { describeCases } from './port.conformance.js';
import type { Cases, SuiteRunner } from './port.conformance.js';

/** Every visible character of ASCII: 94. */
const VISIBLE = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index));
/** Milliseconds: over soon, and never over within a case. */
const [SHORT, LONG] = [300, 60_000];
/** How long a case waits for a lease or a record to end, in milliseconds. */
const TIMEOUT_MS = 10_000;

/**
 * Declares the tests every record store must pass. It need not be empty.
 * @param open called once per case, twice when the runner says `shared`
 */
export function describeRecordStore<Opened extends RecordStore>(
  name: string,
  open: () => Opened | Promise<Opened>,
  runner: SuiteRunner<Opened>,
): void {
  describeCases<RecordStore, Opened>(name, CASES, open, runner);
}

const CASES: Cases<RecordStore> = {
  'answers undefined for a record it does not hold': async (store) => {
    assert.equal(await store.get(aKey()), undefined);
    assert.equal(await store.get({ kind: 'constructor', id: '__proto__' }), undefined);
  },

  'keeps every field of a written record': async (store, other) => {
    const before = systemClock.now().getTime();
    for (const data of ['', 'x'.repeat(100_000), JSON.stringify(['sécond', '\'"\\%漢\u{1F600}'])]) {
      const key = aKey();
      assert.equal(await store.put({ ...key, state: 'stored', data, version: 1 }), true);
      const { changedAt, ...record } = (await other.get(key))!;
      assert.deepEqual(record, { id: key.id, state: 'stored', data, version: 1 });
      assert.ok(Math.abs(changedAt.getTime() - before) < LONG, `changed at ${+changedAt}`);
    }
  },

  'writes over the version before, and over no other': async (store, other) => {
    const key = aKey();
    const put = (store: RecordStore, version: number): Promise<boolean> =>
      store.put({ ...key, state: `state ${version}`, data: `data ${version}`, version });
    assert.equal(await put(store, 2), false);
    assert.equal(await put(store, 1), true);
    assert.equal(await put(other, 1), false);
    assert.equal(await put(other, 3), false);
    assert.equal(await put(other, 2), true);
    const { changedAt: _, ...record } = (await store.get(key))!;
    assert.deepEqual(record, { id: key.id, state: 'state 2', data: 'data 2', version: 2 });
  },

  'lets one of many succeed that write the same version at once': async (store, other) => {
    const key = aKey();
    for (const version of [1, 2, 3]) {
      const puts = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? store : other).put({ ...key, state: 'x', data: String(index), version }),
      );
      const outcomes = await Promise.all(puts);
      assert.equal(outcomes.filter(Boolean).length, 1);
      assert.equal((await store.get(key))?.data, String(outcomes.indexOf(true)));
    }
  },

  'tells kinds and ids apart, by case and to the last character': async (store, other) => {
    const { kind, id } = aKey();
    const longest = VISIBLE.repeat(2) + 'xy';
    const keys = [
      { kind, id },
      { kind: kind.toUpperCase(), id },
      { kind, id: id.toLowerCase() },
      { kind, id: `${id}-` },
      { kind, id: longest },
      { kind, id: longest.replace(/y$/, 'Y') },
    ];
    for (const [index, key] of keys.entries())
      assert.equal(await store.put({ ...key, state: 'x', data: `${index}`, version: 1 }), true);
    for (const [index, key] of keys.entries())
      assert.equal((await other.get(key))?.data, String(index));
  },

  'leases a record to one of many that ask at once': async (store, other) => {
    const key = aKey();
    const leases = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? store : other).lease(key, randomUUID(), { leaseMs: LONG }),
      ),
    );
    const kinds = leases.map(({ kind }) => kind).sort();
    assert.deepEqual(kinds, ['granted', ...Array<string>(19).fill('held')]);
  },

  'hands what a lease was ended with to the next': async (store, other) => {
    const key = aKey();
    assert.equal(await dataOf(store, key, 'a'), '');
    await store.end(key, 'a', { data: 'first "é"', keepMs: LONG });
    const { changedAt: _, ...record } = (await other.get(key))!;
    assert.deepEqual(record, { id: key.id, state: undefined, data: 'first "é"', version: 0 });
    assert.equal(await dataOf(other, key, 'b'), 'first "é"');
    assert.deepEqual(await store.lease(key, 'c', { leaseMs: LONG }), { kind: 'held' });
    await other.end(key, 'b', { data: '', keepMs: LONG });
    assert.equal(await dataOf(store, key, 'c'), '');
  },

  'leases a record no more that has a final state': async (store, other) => {
    const key = aKey();
    await dataOf(store, key, 'a');
    await store.end(key, 'a', { state: 'done', data: 'result', keepMs: LONG });
    const ended = { kind: 'ended', state: 'done' };
    assert.deepEqual(await other.lease(key, 'b', { leaseMs: LONG }), ended);
    await store.end(key, 'a');
    await other.end(key, 'b');
    assert.deepEqual(await store.lease(key, 'a', { leaseMs: LONG }), ended);
    const record = await other.get(key);
    assert.deepEqual([record?.state, record?.data], ['done', 'result']);
  },

  'leases a record anew once it has expired in its final state': async (store, other) => {
    const key = aKey();
    await dataOf(store, key, 'a');
    await store.end(key, 'a', { state: 'done', data: 'result', keepMs: SHORT });
    assert.equal(await leaseEventually(other, key, 'b', 'ended'), '');
  },

  'removes a record whose lease is ended without an outcome': async (store, other) => {
    const key = aKey();
    await dataOf(store, key, 'a');
    await other.end(key, 'a');
    assert.equal(await store.get(key), undefined);
    assert.equal(await dataOf(other, key, 'b'), '');
  },

  'leases a record again when its lease is over, with the data it had if it is kept': async (
    store,
    other,
  ) => {
    const [kept, forgotten] = [aKey(), aKey()];
    for (const key of [kept, forgotten]) {
      await dataOf(store, key, 'a');
      await store.end(key, 'a', { data: 'first', keepMs: LONG });
    }
    assert.equal(await dataOf(store, kept, 'b', { leaseMs: SHORT, keepMs: LONG }), 'first');
    assert.equal(await dataOf(store, forgotten, 'b', { leaseMs: SHORT }), 'first');
    assert.equal(await leaseEventually(other, kept, 'c'), 'first');
    assert.equal(await leaseEventually(other, forgotten, 'c'), '');
  },

  'lets the former owner change nothing': async (store, other) => {
    const key = aKey();
    await dataOf(store, key, 'a', { leaseMs: SHORT, keepMs: LONG });
    await leaseEventually(other, key, 'b');
    assert.equal(await store.renew(key, 'a', { leaseMs: LONG }), false);
    await store.end(key, 'a', { state: 'done', data: 'late', keepMs: LONG });
    await store.end(key, 'a');
    assert.deepEqual(await store.lease(key, 'c', { leaseMs: LONG }), { kind: 'held' });
    assert.equal(await other.renew(key, 'b', { leaseMs: LONG }), true);
  },

  'counts a renewed lease from the renewal on, longer or shorter': async (store, other) => {
    const [longer, shorter] = [aKey(), aKey()];
    await dataOf(store, longer, 'a', { leaseMs: 1_000, keepMs: LONG });
    await dataOf(store, shorter, 'a', { leaseMs: LONG, keepMs: LONG });
    assert.equal(await other.renew(longer, 'a', { leaseMs: LONG, keepMs: LONG }), true);
    assert.equal(await other.renew(shorter, 'a', { leaseMs: SHORT, keepMs: LONG }), true);
    await systemClock.sleep(1_500);
    assert.deepEqual(await store.lease(longer, 'b', { leaseMs: LONG }), { kind: 'held' });
    await leaseEventually(store, shorter, 'b');
  },

  'renews and ends no lease that was ended, or never was': async (store, other) => {
    const [kept, removed, unknown] = [aKey(), aKey(), aKey()];
    for (const key of [kept, removed]) await dataOf(store, key, 'a');
    await store.end(kept, 'a', { data: '', keepMs: LONG });
    await store.end(removed, 'a');
    for (const key of [kept, removed, unknown]) {
      assert.equal(await other.renew(key, 'a', { leaseMs: LONG }), false);
      await store.end(key, 'a', { state: 'done', data: 'late', keepMs: LONG });
      assert.equal(await dataOf(other, key, 'b'), '');
    }
  },

  'renews a lease that is over while its record is kept, and no other': async (store, other) => {
    const [kept, expired] = [aKey(), aKey()];
    await dataOf(store, kept, 'a', { leaseMs: SHORT, keepMs: LONG });
    await dataOf(store, expired, 'a', { leaseMs: SHORT });
    await systemClock.sleep(SHORT * 3);
    assert.equal(await other.renew(kept, 'a', { leaseMs: LONG }), true);
    assert.equal(await other.renew(expired, 'a', { leaseMs: LONG }), false);
    assert.deepEqual(await store.lease(kept, 'b', { leaseMs: LONG }), { kind: 'held' });
    assert.equal(await dataOf(store, expired, 'b'), '');
  },

  'lists the records of a kind in the order of their ids, page by page': async (store, other) => {
    const kind = aKind();
    const ids = Array.from({ length: 7 }, () => randomUUID()).sort();
    for (const id of [...ids].reverse())
      await store.put({ kind, id, state: 'x', data: `of ${id}`, version: 1 });
    await store.put({ ...aKey(), state: 'x', data: 'of another kind', version: 1 });
    const first = await other.list({ kind, limit: 3 });
    const rest = await other.list({ kind, limit: 10, after: first.at(-1)!.id });
    assert.deepEqual([first.length, rest.length], [3, 4]);
    const listed = [...first, ...rest].map(({ id, data }) => [id, data]);
    const written = ids.map((id) => [id, `of ${id}`]);
    assert.deepEqual(listed, written);
    assert.deepEqual(await other.list({ kind, limit: 3, after: ids.at(-1)! }), []);
  },

  'lists nothing for a limit below one, and all for one without end': async (store, other) => {
    const kind = aKind();
    for (const id of 'abc') await store.put({ kind, id, state: '', data: '', version: 1 });
    for (const limit of [0, -1, 0.5, NaN, -Infinity])
      assert.deepEqual(await other.list({ kind, limit }), []);
    for (const limit of [2.9, 3, 2 ** 31, 2 ** 53 - 1, Infinity])
      assert.equal((await other.list({ kind, limit })).length, limit < 3 ? 2 : 3);
  },

  'lists records of a state, and the newest first since a moment': async (store, other) => {
    const kind = aKind();
    const [old, late, leased] = ['a', 'b', 'c'].map((id) => ({ kind, id }) as const);
    await store.put({ ...old!, state: 'new', data: '', version: 1 });
    await systemClock.sleep(50);
    await store.put({ ...late!, state: 'new', data: '', version: 1 });
    const idsOf = async (query: object): Promise<string[]> =>
      (await other.list({ kind, limit: 10, ...query })).map(({ id }) => id);
    const { changedAt } = (await store.get(late!))!;
    assert.deepEqual(await idsOf({ changedSince: changedAt }), ['b']);
    await systemClock.sleep(50);
    await store.put({ ...old!, state: 'changed', data: '', version: 2 });
    await systemClock.sleep(50);
    await dataOf(store, leased!, 'owner');
    assert.deepEqual(await idsOf({}), ['a', 'b', 'c']);
    assert.deepEqual(await idsOf({ state: 'new' }), ['b']);
    assert.deepEqual(await idsOf({ state: 'changed', changedSince: changedAt }), ['a']);
    assert.deepEqual(await idsOf({ changedSince: changedAt, limit: 2 }), ['c', 'a']);
    await store.end(leased!, 'owner');
    assert.deepEqual(await idsOf({}), ['a', 'b']);
  },

  'lists no record that has expired': async (store, other) => {
    const key = aKey();
    await dataOf(store, key, 'a');
    await store.end(key, 'a', { state: 'done', data: '', keepMs: SHORT });
    const listed = async (): Promise<number> =>
      (await other.list({ kind: key.kind, state: 'done', limit: 10 })).length;
    assert.equal(await listed(), 1);
    await eventually(async () => (await listed()) === 0, 'the record was still listed');
    assert.equal(await store.get(key), undefined);
  },
};

/** At most 32 letters, nobody else's. */
function aKind(): string {
  return `suite-${randomUUID().slice(0, 13)}`;
}

function aKey(): RecordKey {
  return { kind: aKind(), id: `Id-${randomUUID()}` };
}

/** Leases a record that is free. */
async function dataOf(
  store: RecordStore,
  key: RecordKey,
  owner: string,
  terms: LeaseTerms = { leaseMs: LONG, keepMs: LONG },
): Promise<string> {
  const lease = await store.lease(key, owner, terms);
  assert.ok(lease.kind === 'granted', `the record is ${lease.kind}`);
  return lease.data;
}

/** Leases a record as soon as what it is now is over. */
async function leaseEventually(
  store: RecordStore,
  key: RecordKey,
  owner: string,
  until: Lease['kind'] = 'held',
): Promise<string> {
  let data = '';
  await eventually(async () => {
    const lease = await store.lease(key, owner, { leaseMs: LONG, keepMs: LONG });
    if (lease.kind !== 'granted') return void assert.equal(lease.kind, until);
    data = lease.data;
    return true;
  }, 'the record did not become free');
  return data;
}

async function eventually(check: () => Promise<boolean | void>, otherwise: string): Promise<void> {
  const deadline = systemClock.now().getTime() + TIMEOUT_MS;
  while (!(await check())) {
    assert.ok(systemClock.now().getTime() < deadline, `${otherwise} within ${TIMEOUT_MS} ms`);
    await systemClock.sleep(50);
  }
}
