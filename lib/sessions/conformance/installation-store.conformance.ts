import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import type { Installation, InstallationStore } from '../coordination/installation.store.js';
import { describeCases } from './port.conformance.js';
import type { Cases, SuiteRunner } from './port.conformance.js';
import { aShop } from './session-samples.js';

/**
 * Declares the tests every installation store must pass. It need not be empty.
 * @param open called once per case, twice when the runner says `shared`
 */
export function describeInstallationStore<Opened extends InstallationStore>(
  name: string,
  open: () => Opened | Promise<Opened>,
  runner: SuiteRunner<Opened>,
): void {
  describeCases<InstallationStore, Opened>(name, CASES, open, runner);
}

const CASES: Cases<InstallationStore> = {
  'answers undefined for a record it does not hold': async (store) => {
    assert.equal(await store.load('app', aShop()), undefined);
    assert.equal(await store.load('constructor', '__proto__'), undefined);
  },

  'keeps every field of a record': async (store, other) => {
    const records: Partial<Installation>[] = [
      {},
      { generation: 7, status: 'uninstalled', scope: '' },
      {
        status: 'needs_reauthorization',
        scope: Array.from({ length: 200 }, (_, index) => `read_something_${index}`).join(','),
        grantedAt: new Date('2045-06-07T08:09:10.123Z'),
        pending: [
          { event: 'scopes_changed', previousScope: "read_products,write_orders'", version: 1 },
          { event: 'reinstalled', done: ['first', 'sécond "handler"'] },
        ],
      },
    ];
    for (const fields of records) {
      const record = aRecord(fields);
      assert.equal(await store.save(record), true);
      assert.deepEqual(await other.load(record.app, record.shop), record);
    }
  },

  'writes over the version before, and over no other': async (store, other) => {
    const first = aRecord();
    const second: Installation = {
      ...first,
      generation: 2,
      pending: [{ event: 'reinstalled' }],
      version: 2,
    };
    const third: Installation = { ...second, pending: [], version: 3 };
    assert.equal(await store.save(second), false);
    assert.equal(await store.load(first.app, first.shop), undefined);
    assert.equal(await store.save(first), true);
    assert.equal(await other.save({ ...first, scope: 'late' }), false);
    assert.equal(await other.save(third), false);
    assert.deepEqual(await other.load(first.app, first.shop), first);
    assert.equal(await other.save(second), true);
    assert.equal(await store.save({ ...second, scope: 'late' }), false);
    assert.equal(await store.save({ ...first, scope: 'late' }), false);
    assert.equal(await store.save(third), true);
    assert.deepEqual(await store.load(first.app, first.shop), third);
  },

  'lets one of many succeed that write the same version at once': async (store, other) => {
    let record = aRecord();
    for (; record.version <= 3; record = { ...record, version: record.version + 1 }) {
      const rivals = Array.from({ length: 20 }, (_, index) => ({
        ...record,
        scope: `scope_${index}`,
      }));
      const outcomes = await Promise.all(
        rivals.map((rival, index) => (index % 2 === 0 ? store : other).save(rival)),
      );
      assert.equal(outcomes.filter(Boolean).length, 1);
      assert.deepEqual(await store.load(record.app, record.shop), rivals[outcomes.indexOf(true)]);
    }
  },

  'keeps apps and shops apart, by case too': async (store) => {
    const app = `App-${randomUUID()}`;
    const shop = aShop();
    const keys = [
      [app, shop],
      [app.toLowerCase(), shop],
      [`${app} `, shop],
      [app, aShop()],
      [`${app}:`, shop],
      [app, `:${shop}`],
    ] as const;
    for (const [index, [app, shop]] of keys.entries()) {
      assert.equal(
        await store.save(aRecord({ app, shop, generation: index + 1 })),
        true,
        `${app} in ${shop}`,
      );
    }
    for (const [index, [app, shop]] of keys.entries())
      assert.equal((await store.load(app, shop))?.generation, index + 1);
  },
};

function aRecord(fields: Partial<Installation> = {}): Installation {
  return {
    app: `suite-${randomUUID()}`,
    shop: aShop(),
    generation: 1,
    status: 'installed',
    scope: 'read_products',
    grantedAt: new Date('2026-01-02T03:04:05.678Z'),
    pending: [{ event: 'installed' }],
    version: 1,
    ...fields,
  };
}
