import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import type { Clock } from '../../lib/core/time/clock.js';
import { resolveConfig } from '../../lib/core/config/config.schema.js';
import { InvalidOptionsError } from '../../lib/core/core.errors.js';
import { PlatformRoutes } from '../../lib/platform/host/platform-routes.js';
import type { PlatformOptions } from '../../lib/platform/kernel/platform.options.js';
import type { Resolver } from '../../lib/platform/kernel/resolver.js';
import { storageFor, storageNotices } from '../../lib/platform/kernel/storage-choice.js';
import type { PlatformStorage, StorageOptions } from '../../lib/platform/kernel/storage-choice.js';
import { SessionStorage } from '../../lib/sessions/session.storage.js';

import { MemoryRecordStore } from '../../lib/sessions/storages/memory/memory-record.store.js';
import {
  RecordInstallationStore,
  RecordLock,
  RecordWebhookInbox,
} from '../../lib/sessions/coordination/coordination-stores.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { appOptions } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';
import { ManualClock } from '../support/manual.clock.js';

/** A storage written for another library: the five methods and nothing else. */
function foreign(): SessionStorage {
  const inner = new MemorySessionStorage();
  return {
    storeSession: (session) => inner.storeSession(session),
    loadSession: (id) => inner.loadSession(id),
    deleteSession: (id) => inner.deleteSession(id),
    deleteSessions: (ids) => inner.deleteSessions(ids),
    findSessionsByShop: (shop) => inner.findSessionsByShop(shop),
  };
}

function chosen(
  options: StorageOptions,
  nodeEnv?: string,
  clock: Clock = systemClock,
): { storage: PlatformStorage; lines: string[] } {
  const config = resolveConfig(appOptions(), { environment: { NODE_ENV: nodeEnv } });
  return { storage: storageFor(options, clock), lines: storageNotices(options, config) };
}

/** An app that is open. */
function started(options: Partial<PlatformOptions>): Resolver {
  const app = resolverOf(options);
  app.get(PlatformRoutes);
  app.start();
  return app;
}

describe('what an app remembers', () => {
  it('is kept in memory when no storage is given, which is said in production', () => {
    const { storage, lines } = chosen({});
    expect(storage.sessions).toBeInstanceOf(MemorySessionStorage);
    expect(storage.lock).toBeInstanceOf(RecordLock);
    expect(lines).toEqual([]);
    expect(chosen({}, 'production').lines).toEqual([
      expect.stringContaining('lost with the process'),
    ]);
  });

  it("is kept in memory by the app's clock", async () => {
    const clock = new ManualClock();
    const { lock } = chosen({}, undefined, clock).storage;
    expect([
      await lock.take('shop', 'one', 1000),
      await lock.take('shop', 'another', 1000),
    ]).toEqual([true, false]);
    clock.time += 1000;
    expect(await lock.take('shop', 'another', 1000)).toBe(true);
  });

  it('is all kept by the engine of the session storage', () => {
    const sessionStorage = new SqliteSessionStorage(':memory:');
    const { storage, lines } = chosen({ sessionStorage }, 'production');
    expect(storage.sessions).toBe(sessionStorage);
    expect(storage.lock).toBe(sessionStorage.companions!.lock);
    expect(storage.installations).toBe(sessionStorage.companions!.installations);
    expect(storage.inbox).toBe(sessionStorage.companions!.inbox);
    expect(lines).toEqual([]);
  });

  it.each([
    ['a storage', () => new MemorySessionStorage()],
    ['a foreign storage', foreign],
  ])('is not shared with another app over %s, as long as that one is open', async (_, open) => {
    const sessionStorage = open();
    const apps = [1, 2].map(() => started({ sessionStorage }));
    const another = () => started({ sessionStorage, apiKey: 'another-key' });
    expect(another).toThrow(/sessionStorage: is that of another app/);
    await apps[0]!.close();
    expect(another).toThrow(InvalidOptionsError);
    await apps[0]!.close();
    expect(another).toThrow(InvalidOptionsError);
    await apps[1]!.close();
    await another().close();
  });

  it('is free for another app when one could not be made over it', async () => {
    const sessionStorage = new MemorySessionStorage();
    const queue = {
      deliveryMethod: 'eventbridge',
      arn: 'arn:aws:events:us-east-1::event-source/aws.partner/shopify.com/1/source',
    } as const;
    expect(() => started({ sessionStorage, webhooks: { ORDERS_PAID: [queue, queue] } })).toThrow(
      /delivered to/,
    );
    await started({ sessionStorage, apiKey: 'another-key' }).close();
  });

  it('is kept in memory beside a foreign session storage, with one warning', () => {
    const { storage, lines } = chosen({ sessionStorage: foreign() });
    expect(storage.sessions).toBeInstanceOf(SessionStorage);
    expect([storage.lock, storage.installations, storage.inbox]).toEqual([
      expect.any(RecordLock),
      expect.any(RecordInstallationStore),
      expect.any(RecordWebhookInbox),
    ]);
    expect(lines).toEqual([expect.stringContaining('keeps sessions only')]);
  });

  it('is kept where the app says, without a warning when it says everything', () => {
    const own = {
      lock: new RecordLock(new MemoryRecordStore(systemClock)),
      installations: new RecordInstallationStore(new MemoryRecordStore(systemClock)),
      inbox: new RecordWebhookInbox(new MemoryRecordStore(systemClock)),
    };
    const { storage, lines } = chosen({ sessionStorage: foreign(), ...own });
    expect(storage).toMatchObject(own);
    expect(lines).toEqual([]);
    expect(chosen({ sessionStorage: foreign(), ...own, lock: undefined }).lines).toHaveLength(1);
  });
});
