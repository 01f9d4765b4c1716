import { describe, expect, it } from '@jest/globals';

import { InstallationRecords } from '../../../lib/auth/installations/installation-records.js';
import { Clock, systemClock } from '../../../lib/core/time/clock.js';
import type { Installation } from '../../../lib/sessions/coordination/installation.store.js';
import { describeInstallationStore } from '../../../lib/sessions/conformance/installation-store.conformance.js';
import { describeLock } from '../../../lib/sessions/conformance/lock.conformance.js';
import { describeRecordStore } from '../../../lib/sessions/conformance/record-store.conformance.js';
import { describeSessionStorage } from '../../../lib/sessions/conformance/session-storage.conformance.js';
import {
  RecordInstallationStore,
  RecordLock,
  RecordWebhookInbox,
} from '../../../lib/sessions/coordination/coordination-stores.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { describeWebhookInbox } from '../../../lib/sessions/conformance/webhook-inbox.conformance.js';

describeRecordStore('MemoryRecordStore', () => new MemoryRecordStore(systemClock), {
  describe,
  it,
});
describeSessionStorage('MemorySessionStorage', () => new MemorySessionStorage(), { describe, it });
describeLock('RecordLock', () => new RecordLock(new MemoryRecordStore(systemClock)), {
  describe,
  it,
});
describeInstallationStore(
  'RecordInstallationStore',
  () => new RecordInstallationStore(new MemoryRecordStore(systemClock)),
  {
    describe,
    it,
  },
);
describeWebhookInbox(
  'RecordWebhookInbox',
  () => new RecordWebhookInbox(new MemoryRecordStore(systemClock)),
  { describe, it },
);

class ManualClock extends Clock {
  time = Date.UTC(2026, 0, 1);
  now(): Date {
    return new Date(this.time);
  }
  async sleep(ms: number): Promise<void> {
    this.time += ms;
  }
}

const DAY = 24 * 60 * 60 * 1000;
const KEY = { app: 'key', shop: 'shop.myshopify.com', webhookId: 'w-1' };

describe('the inbox in memory', () => {
  it('gives a delivery to one at a time', async () => {
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(new ManualClock()));
    const claims = await Promise.all([
      inbox.claim(KEY, 1000),
      inbox.claim(KEY, 1000),
      inbox.claim(KEY, 1000),
    ]);
    expect(claims.map(({ state }) => state)).toEqual(['claimed', 'busy', 'busy']);
  });

  it('keeps apps, shops and deliveries apart', async () => {
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(new ManualClock()));
    await inbox.claim(KEY, 1000);
    for (const other of [{ app: 'k' }, { shop: 'other.myshopify.com' }, { webhookId: 'w-2' }]) {
      expect((await inbox.claim({ ...KEY, ...other }, 1000)).state).toBe('claimed');
    }
  });

  it('gives a delivery out again when the lease ends without an outcome', async () => {
    const clock = new ManualClock();
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(clock));
    const first = await inbox.claim(KEY, 1000);
    clock.time += 999;
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    clock.time += 1;
    const second = await inbox.claim(KEY, 1000);
    expect(second.state).toBe('claimed');
    expect(second).not.toEqual(first);
  });

  it('lets one who lost the lease change nothing', async () => {
    const clock = new ManualClock();
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(clock));
    const late = await tokenOf(inbox.claim(KEY, 1000));
    clock.time += 1000;
    const current = await tokenOf(inbox.claim(KEY, 1000));
    await inbox.release(KEY, late, ['a']);
    await inbox.complete(KEY, late);
    expect(await inbox.renew(KEY, late, 1000)).toBe(false);
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    await inbox.complete(KEY, current);
    expect((await inbox.claim(KEY, 1000)).state).toBe('done');
  });

  it('gives a released delivery out at once', async () => {
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(new ManualClock()));
    await inbox.release(KEY, await tokenOf(inbox.claim(KEY, 1000)), []);
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('extends a claim from the moment it is renewed', async () => {
    const clock = new ManualClock();
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(clock));
    const token = await tokenOf(inbox.claim(KEY, 1000));
    clock.time += 900;
    expect(await inbox.renew(KEY, token, 1000)).toBe(true);
    clock.time += 999;
    expect((await inbox.claim(KEY, 1000)).state).toBe('busy');
    clock.time += 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('renews no claim that has been completed or released', async () => {
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(new ManualClock()));
    const completed = await tokenOf(inbox.claim(KEY, 1000));
    await inbox.complete(KEY, completed);
    const other = { ...KEY, webhookId: 'w-2' };
    const released = await tokenOf(inbox.claim(other, 1000));
    await inbox.release(other, released, []);
    expect([
      await inbox.renew(KEY, completed, 1000),
      await inbox.renew(other, released, 1000),
    ]).toEqual([false, false]);
    expect([(await inbox.claim(KEY, 1000)).state, (await inbox.claim(other, 1000)).state]).toEqual([
      'done',
      'claimed',
    ]);
  });

  it('tells who claims a released delivery which handlers are done with it, also when a lease ended in between', async () => {
    const clock = new ManualClock();
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(clock));
    const first = await inbox.claim(KEY, 1000);
    const handled = ['a', 'b'];
    await inbox.release(KEY, await tokenOf(Promise.resolve(first)), handled);
    handled.push('c');
    const second = await inbox.claim(KEY, 1000);
    clock.time += 1000;
    const third = await inbox.claim(KEY, 1000);
    expect([first, second, third]).toMatchObject(
      [[], ['a', 'b'], ['a', 'b']].map((done) => ({ state: 'claimed', handled: done })),
    );
  });

  it('remembers for seven days what is done', async () => {
    const clock = new ManualClock();
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(clock));
    await inbox.complete(KEY, await tokenOf(inbox.claim(KEY, 1000)));
    clock.time += 7 * DAY - 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('done');
    clock.time += 1;
    expect((await inbox.claim(KEY, 1000)).state).toBe('claimed');
  });

  it('forgets the oldest when there are more than it holds', async () => {
    const inbox = new RecordWebhookInbox(new MemoryRecordStore(new ManualClock(), 2));
    for (const webhookId of ['1', '2', '3']) {
      await inbox.complete(
        { ...KEY, webhookId },
        await tokenOf(inbox.claim({ ...KEY, webhookId }, 1000)),
      );
    }
    expect((await inbox.claim({ ...KEY, webhookId: '3' }, 1000)).state).toBe('done');
    expect((await inbox.claim({ ...KEY, webhookId: '1' }, 1000)).state).toBe('claimed');
  });
});

describe('the leases in memory', () => {
  it('that nobody ends are dropped when there are more than it holds, locks never', async () => {
    const store = new MemoryRecordStore(new ManualClock(), 2);
    const lease = (kind: string, id: string, keepMs?: number): Promise<{ kind: string }> =>
      store.lease({ kind, id }, 'owner', { leaseMs: 1000, keepMs });
    for (let number = 0; number < 10; number++) {
      await lease('delivery', `${number}`, DAY);
      await lease('lock', `${number}`);
    }
    const kinds = async (kind: string, keepMs?: number): Promise<string[]> => {
      const ids = Array.from({ length: 10 }, (_, number) => `${number}`);
      const leases = await Promise.all(ids.map((id) => lease(kind, id, keepMs)));
      return leases.map(({ kind }) => kind).filter((each) => each === 'held');
    };
    expect(await kinds('lock')).toHaveLength(10);
    expect((await kinds('delivery', DAY)).length).toBeLessThan(10);
  });
});

describe('a MemorySessionStorage that is empty', () => {
  // Room for 100,000 records and as many deliveries was made at once: 5 MB and 13 ms for each.
  it('takes next to no memory, nor do its companions', () => {
    const used = (): number => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    const before = used();
    const storages = Array.from({ length: 20 }, () => new MemorySessionStorage());
    expect((used() - before) / storages.length).toBeLessThan(500_000);
  });
});

describe('the installations in memory', () => {
  const recordOf = (shop: string, version = 1): Installation => ({
    ...{
      app: 'key',
      shop,
      generation: 1,
      status: 'installed',
      scope: '',
      grantedAt: new Date(0),
      pending: [],
      version,
    },
  });

  // It grew with every shop that had ever installed the app.
  it('forgets the record that nobody has asked for longest when there are more than it holds', async () => {
    const store = new RecordInstallationStore(new MemoryRecordStore(systemClock, 2));
    for (const shop of ['a', 'b']) expect(await store.save(recordOf(shop))).toBe(true);
    await store.load('key', 'a');
    expect(await store.save(recordOf('c'))).toBe(true);
    expect(await store.load('key', 'b')).toBeUndefined();
    for (const shop of ['a', 'c'])
      await expect(store.load('key', shop)).resolves.toMatchObject({ shop });
  });

  it('takes no change to a record that it has forgotten, only a new one', async () => {
    const store = new RecordInstallationStore(new MemoryRecordStore(systemClock, 1));
    for (const shop of ['a', 'b']) await store.save(recordOf(shop));
    expect(await store.save(recordOf('a', 2))).toBe(false);
    expect(await store.save(recordOf('a'))).toBe(true);
  });

  it('holds 100,000 records', async () => {
    const store = new RecordInstallationStore(new MemoryRecordStore(systemClock));
    for (let shop = 0; shop <= 100_000; shop++) await store.save(recordOf(String(shop)));
    expect(await store.load('key', '0')).toBeUndefined();
    expect(await store.load('key', '1')).toBeDefined();
  });

  it('costs a shop that has its session nothing but its record: it is no new installation', async () => {
    const records = new InstallationRecords({
      app: 'key',
      clock: new ManualClock(),
      store: new RecordInstallationStore(new MemoryRecordStore(systemClock, 1)),
    });
    const grant = { scope: 'write_products', grantedAt: new Date(0) };
    for (const shop of ['a', 'b']) {
      await expect(records.granted(shop, { ...grant, isKnown: false })).resolves.toMatchObject({
        pending: [{ event: 'after_install' }, { event: 'installed' }],
      });
    }
    await expect(records.granted('a', { ...grant, isKnown: true })).resolves.toMatchObject({
      status: 'installed',
      pending: [],
    });
  });
});

async function tokenOf(claim: ReturnType<RecordWebhookInbox['claim']>): Promise<string> {
  const claimed = await claim;
  if (claimed.state !== 'claimed') throw new Error(`not claimed but ${claimed.state}`);
  return claimed.token;
}
