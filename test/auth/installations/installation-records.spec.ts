import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import type { Grant } from '../../../lib/auth/installations/installation-records.js';
import {
  InstallationRecords,
  afterGrant,
  afterDelivery,
  afterUninstall,
  unrecorded,
} from '../../../lib/auth/installations/installation-records.js';
import { systemClock } from '../../../lib/core/time/clock.js';
import type {
  Installation,
  InstallationStore,
} from '../../../lib/sessions/coordination/installation.store.js';
import { SessionStorageError } from '../../../lib/sessions/sessions.errors.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordInstallationStore } from '../../../lib/sessions/coordination/coordination-stores.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { API_KEY } from '../../support/app.js';

const HOUR = 60 * 60 * 1000;
const at = (hour: number): Date => new Date(Date.UTC(2026, 6, 1) + hour * HOUR);
const grantAt = (hour: number, more: Partial<Grant> = {}): Grant => ({
  scope: 'write_products',
  grantedAt: at(hour),
  isKnown: hour > 0,
  ...more,
});
const eventsOf = ({ pending }: Installation): string[] => pending.map(({ event }) => event);

let folder: string;
let sqlite: SqliteSessionStorage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-records-'));
  sqlite = new SqliteSessionStorage(join(folder, 'records.db'));
});
afterAll(async () => {
  await sqlite.close();
  await rm(folder, { recursive: true, force: true });
});

let shops = 0;
describe.each([
  [
    'memory',
    (): InstallationStore => new RecordInstallationStore(new MemoryRecordStore(systemClock)),
  ],
  ['SQLite', (): InstallationStore => sqlite.companions.installations],
])('InstallationRecords over %s', (_name, open) => {
  const recorded = (): { records: InstallationRecords; shop: string } => ({
    records: new InstallationRecords({ app: API_KEY, clock: systemClock, store: open() }),
    shop: `shop-${++shops}.myshopify.com`,
  });
  /** Tells the app everything that is pending. */
  async function tellAll(records: InstallationRecords, shop: string): Promise<Installation> {
    let installation = (await records.of(shop))!;
    for (const event of installation.pending)
      installation = await records.delivered(installation, event);
    return installation;
  }

  const uninstalled = async (records: InstallationRecords, shop: string): Promise<Installation> =>
    records.uninstalled(shop, await records.of(shop));

  it('knows nothing of a shop without a grant', async () => {
    const { records, shop } = recorded();
    expect(await records.of(shop)).toBeUndefined();
  });

  it('begins with the first generation', async () => {
    const { records, shop } = recorded();
    const installation = await records.granted(shop, grantAt(0));
    expect(installation).toMatchObject({
      app: API_KEY,
      shop,
      generation: 1,
      status: 'installed',
      scope: 'write_products',
      grantedAt: at(0),
      version: 1,
    });
    expect(eventsOf(installation)).toEqual(['after_install', 'installed']);
    expect(await records.of(shop)).toEqual(installation);
  });

  it('has nothing to tell of an app that moved here', async () => {
    const { records, shop } = recorded();
    const installation = await records.granted(shop, grantAt(0, { isKnown: true }));
    expect(installation).toMatchObject({ generation: 1, status: 'installed', pending: [] });
  });

  it('counts a generation when the token of an app that moved here turns out to be revoked', async () => {
    const { records, shop } = recorded();
    const installation = await records.granted(
      shop,
      grantAt(0, { isKnown: true, isRevoked: true }),
    );
    expect([installation.generation, ...eventsOf(installation)]).toEqual([
      2,
      'after_install',
      'reinstalled',
    ]);
  });

  it('has nothing to tell of a further grant of the same, even in other words', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0, { scope: 'read_products,write_products' }));
    await tellAll(records, shop);
    const again = await records.granted(shop, grantAt(1, { scope: 'write_products' }));
    expect(again).toMatchObject({
      generation: 1,
      scope: 'write_products',
      grantedAt: at(1),
      pending: [],
    });
  });

  it('keeps the time of the latest grant when an older one is noted after it', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(5));
    expect((await records.granted(shop, grantAt(4))).grantedAt).toEqual(at(5));
  });

  it('tells of other scopes, and of what the app last knew when they change twice before it hears of it', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    await records.granted(shop, grantAt(1, { scope: 'write_products,read_orders' }));
    const { pending } = await records.granted(shop, grantAt(2, { scope: 'read_orders' }));
    expect(pending.map(({ event, previousScope }) => [event, previousScope])).toEqual([
      ['after_install', undefined],
      ['scopes_changed', 'write_products'],
    ]);
  });

  it('has the toolkit do its own part again, and the app nothing, when the merchant was on the consent page', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    expect(eventsOf(await records.granted(shop, grantAt(1, { consented: true })))).toEqual([
      'after_install',
    ]);
  });

  it('tells of scopes that changed between two grants, once, and not again with the next grant', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    const scoping = { scope: 'write_products,read_orders', previousScope: 'write_themes' };
    const changed = await records.scoped(shop, scoping);
    expect(changed.pending.map(({ event, previousScope }) => [event, previousScope])).toEqual([
      ['after_install', undefined],
      ['scopes_changed', 'write_products'],
    ]);
    expect([changed.generation, changed.grantedAt]).toEqual([1, at(0)]);
    await tellAll(records, shop);
    expect(eventsOf(await records.scoped(shop, scoping))).toEqual([]);
    expect(eventsOf(await records.granted(shop, grantAt(1, { scope: scoping.scope })))).toEqual([]);
  });

  it('has nothing to tell of the scopes of a shop that has uninstalled the app', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await uninstalled(records, shop);
    await tellAll(records, shop);
    const after = await records.scoped(shop, {
      scope: 'read_orders',
      previousScope: 'write_products',
    });
    expect([after.status, after.scope, ...eventsOf(after)]).toEqual([
      'uninstalled',
      'write_products',
    ]);
  });

  it('counts a generation after an uninstallation', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    const gone = await uninstalled(records, shop);
    expect([gone.generation, gone.status, ...eventsOf(gone)]).toEqual([
      1,
      'uninstalled',
      'uninstalled',
    ]);
    await tellAll(records, shop);
    const back = await records.granted(shop, grantAt(2, { isKnown: false }));
    expect([back.generation, back.status, ...eventsOf(back)]).toEqual([
      2,
      'installed',
      'after_install',
      'reinstalled',
    ]);
    expect(back.grantedAt).toEqual(at(2));
  });

  it('counts a generation when a token was revoked before its time', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    const back = await records.granted(shop, grantAt(2, { isRevoked: true }));
    expect([back.generation, ...eventsOf(back)]).toEqual([2, 'after_install', 'reinstalled']);
  });

  it('loses nothing the app has not been told of when the next thing happens', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0, { authenticated: true }));
    await uninstalled(records, shop);
    const back = await records.granted(shop, grantAt(2, { scope: 'read_orders' }));
    expect(eventsOf(back)).toEqual([
      'installed',
      'authenticated',
      'uninstalled',
      'after_install',
      'reinstalled',
      'scopes_changed',
    ]);
  });

  // It kept its place: what a new installation began with was told before the end of the old one.
  it('puts what happens again after an uninstallation behind it', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await tellAll(records, shop);
    await uninstalled(records, shop);
    await tellAll(records, shop);
    await records.granted(shop, grantAt(2, { scope: 'read_orders', authenticated: true }));
    await uninstalled(records, shop);
    const { pending } = await records.granted(
      shop,
      grantAt(4, { scope: 'read_themes', authenticated: true }),
    );
    expect(pending.map(({ event, previousScope }) => [event, previousScope])).toEqual([
      ['uninstalled', undefined],
      ['after_install', undefined],
      ['reinstalled', undefined],
      ['scopes_changed', 'write_products'],
      ['authenticated', undefined],
    ]);
  });

  it('lets one caller know that a shop has to authorize the app again', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => records.needsReauthorization(shop)),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await records.of(shop)).toMatchObject({
      status: 'needs_reauthorization',
      generation: 1,
    });
    await tellAll(records, shop);
    expect(await records.granted(shop, grantAt(1))).toMatchObject({
      status: 'installed',
      generation: 1,
      pending: [],
    });
    expect(await records.needsReauthorization(shop)).toBe(true);
  });

  it('takes no uninstalled shop for one that has to authorize the app again', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    await uninstalled(records, shop);
    expect(await records.needsReauthorization(shop)).toBe(false);
  });

  it('knows of no change of scopes when it has not seen what was granted before', async () => {
    const { records, shop } = recorded();
    expect(await records.needsReauthorization(shop)).toBe(true);
    expect(await records.granted(shop, grantAt(1))).toMatchObject({ generation: 1, pending: [] });
    const { records: others, shop: unknown } = recorded();
    await uninstalled(others, unknown);
    expect(eventsOf(await others.granted(unknown, grantAt(1)))).toEqual([
      'uninstalled',
      'after_install',
      'reinstalled',
    ]);
  });

  it('forgets an event that was told, and no other', async () => {
    const { records, shop } = recorded();
    const installation = await records.granted(shop, grantAt(0, { authenticated: true }));
    const told = await records.delivered(installation, installation.pending[1]!);
    expect(eventsOf(told)).toEqual(['after_install', 'authenticated']);
    expect((await records.delivered(installation, installation.pending[1]!)).version).toBe(
      told.version,
    );
  });

  it('keeps an event that happened once more while it was being told', async () => {
    const { records, shop } = recorded();
    const first = await records.granted(shop, grantAt(0, { authenticated: true }));
    await records.failed(first, first.pending[2]!, ['hooks.afterAuth']);
    await records.granted(shop, grantAt(1, { authenticated: true }));
    const told = await records.delivered(first, first.pending[2]!);
    expect(eventsOf(told)).toEqual(['after_install', 'installed', 'authenticated']);
    expect(told.pending[2]!.done).toEqual([]);
  });

  it('notes which handlers are done with an event', async () => {
    const { records, shop } = recorded();
    const first = await records.granted(shop, grantAt(0));
    await records.failed(first, first.pending[1]!, new Set(['A.a', 'B.b']));
    expect((await records.of(shop))!.pending).toMatchObject([
      { event: 'after_install' },
      { event: 'installed', done: ['A.a', 'B.b'] },
    ]);
  });

  it('loses and doubles nothing when twenty write at once', async () => {
    const { records, shop } = recorded();
    await Promise.all(
      Array.from({ length: 20 }, (_, hour) =>
        records.granted(shop, grantAt(hour, { isKnown: false, authenticated: true })),
      ),
    );
    const installation = (await records.of(shop))!;
    expect(eventsOf(installation)).toEqual(['after_install', 'installed', 'authenticated']);
    expect(installation).toMatchObject({ generation: 1, grantedAt: at(19), version: 20 });
    await Promise.all(installation.pending.map((event) => records.delivered(installation, event)));
    expect(await records.of(shop)).toMatchObject({ pending: [], version: 23 });
  });

  it('notes no uninstallation when the record has changed since it was looked at', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    const seen = await records.of(shop);
    const again = await records.granted(shop, grantAt(0));
    expect(await records.uninstalled(shop, seen)).toEqual(again);
    expect(await records.uninstalled(shop, undefined)).toEqual(again);
  });

  it('notes an uninstallation once', async () => {
    const { records, shop } = recorded();
    await records.granted(shop, grantAt(0));
    const gone = await uninstalled(records, shop);
    await tellAll(records, shop);
    expect(await uninstalled(records, shop)).toMatchObject({
      status: 'uninstalled',
      generation: 1,
      pending: [],
    });
    expect(eventsOf(gone)).toContain('uninstalled');
  });
});

describe('a store that never keeps anything', () => {
  class Forgetful extends RecordInstallationStore {
    override save(): Promise<boolean> {
      return Promise.resolve(false);
    }
  }

  it('is given up, without a word about what was to be kept', async () => {
    const records = new InstallationRecords({
      app: API_KEY,
      clock: { now: () => at(0), sleep: async () => {} },
      store: new Forgetful(new MemoryRecordStore(systemClock)),
    });
    await expect(records.granted('shop.myshopify.com', grantAt(0))).rejects.toBeInstanceOf(
      SessionStorageError,
    );
  });
});

describe('the changes of a record', () => {
  const grant = fc.record({
    scope: fc.constantFrom('a', 'b'),
    isRevoked: fc.boolean(),
    authenticated: fc.boolean(),
    isKnown: fc.constant(false),
  });
  const change = fc.oneof(
    fc.record({ kind: fc.constant('grant' as const), grant }),
    fc.record({ kind: fc.constant('uninstall' as const) }),
    fc.record({ kind: fc.constant('tell' as const) }),
  );

  it('tell each event once at a time, and of every generation, in whatever order things happen', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        let installation = unrecorded(API_KEY, 'shop.myshopify.com', false);
        const heard: string[] = [];
        changes.forEach((change, hour) => {
          const before = installation;
          const [first] = before.pending;
          if (change.kind === 'grant')
            installation = afterGrant(before, { ...change.grant, grantedAt: at(hour) });
          else if (change.kind === 'uninstall') installation = afterUninstall(before);
          else if (first) {
            installation = afterDelivery(before, first);
            heard.push(first.event);
          }
          if (installation !== before)
            installation = { ...installation, version: before.version + 1 };
          const events = eventsOf(installation);
          expect(new Set(events).size).toBe(events.length);
          expect(installation.generation - before.generation).toBeGreaterThanOrEqual(0);
          expect(installation.generation - before.generation).toBeLessThanOrEqual(1);
          if (installation.generation > before.generation && installation.status === 'installed') {
            const begun = installation.generation === 1 ? 'installed' : 'reinstalled';
            expect(events).toContain(begun);
            expect(events.indexOf(begun)).toBeGreaterThan(events.indexOf('uninstalled'));
          }
          if (
            change.kind === 'uninstall' &&
            before.status === 'installed' &&
            installation.status === 'uninstalled'
          ) {
            expect(events).toContain('uninstalled');
          }
        });
        expect(heard.filter((event) => event === 'installed').length).toBeLessThanOrEqual(1);
        expect(heard.filter((event) => event === 'reinstalled').length).toBeLessThanOrEqual(
          Math.max(installation.generation - 1, 0),
        );
      }),
    );
  });
});
