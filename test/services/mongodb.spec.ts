import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { describeRecordStore } from '../../lib/sessions/conformance/record-store.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { MongoDBSessionStorage } from '../../lib/sessions/storages/mongodb/mongodb-session.storage.js';
import { COLLECTION, MONGODB, TestDatabase } from './mongodb/databases.js';
import { describePorts } from './ports.suite.js';

describePorts(MONGODB);

describe('MongoDBSessionStorage', () => {
  let database: TestDatabase;
  beforeEach(() => {
    database = new TestDatabase();
  });
  afterEach(() => database.drop());

  const runner = { describe, it, shared: true };
  describeRecordStore('MongoDBRecordStore', () => database.open().records, runner);

  const offlineDocument = {
    id: 'offline_one.myshopify.com',
    shop: 'one.myshopify.com',
    state: '123',
    isOnline: false,
    scope: 'read_products',
    accessToken: 'access',
    expires: new Date('2040-01-02T03:04:05.678Z'),
    refreshToken: 'refresh',
    refreshTokenExpires: new Date('2040-02-02T03:04:05.678Z'),
  };
  const onlineDocument = {
    id: 'one.myshopify.com_902541635',
    shop: 'one.myshopify.com',
    state: '',
    isOnline: true,
    onlineAccessInfo: {
      expires_in: 86_399,
      associated_user_scope: 'read_products',
      associated_user: { id: 9_025_416_350_000, first_name: 'Zoë', account_owner: true },
    },
  };

  it('reads what the official storage has written, whole', async () => {
    await database.db
      .collection(COLLECTION)
      .insertMany([{ ...offlineDocument }, { ...onlineDocument }, { ...offlineDocument, id: '' }]);
    const storage = database.open();
    expect({ ...(await storage.loadSession(offlineDocument.id)) }).toEqual(offlineDocument);
    expect({ ...(await storage.loadSession(onlineDocument.id)) }).toEqual(onlineDocument);
    expect(
      (await storage.findSessionsByShop('one.myshopify.com')).map(({ id }) => id).sort(),
    ).toEqual(['', offlineDocument.id, onlineDocument.id].sort());
  });

  it('writes what the official storage reads: a field `id`, dates, the whole user', async () => {
    const storage = database.open();
    await storage.storeSession(new Session({ ...offlineDocument, unexpected: 1 } as never));
    await storage.storeSession(new Session(onlineDocument));
    const { _id, ...stored } = (await database.db
      .collection(COLLECTION)
      .findOne({ id: offlineDocument.id }))!;
    expect(stored).toEqual(offlineDocument);
    expect(typeof _id).toBe('object');
    expect(
      await database.db.collection(COLLECTION).findOne({ id: onlineDocument.id }),
    ).toMatchObject(onlineDocument);
  });

  it('keeps of duplicates the one the official storage finds', async () => {
    const sessions = database.db.collection(COLLECTION);
    for (const token of ['first', 'second', 'third'])
      await sessions.insertOne({ ...offlineDocument, accessToken: token });
    await sessions.insertOne({ ...offlineDocument, id: 'other' });
    // As the official storage writes it.
    await sessions.findOneAndReplace(
      { id: offlineDocument.id },
      { ...offlineDocument, accessToken: 'latest' },
      { upsert: true },
    );
    const storage = database.open();
    expect((await storage.loadSession(offlineDocument.id))?.accessToken).toBe('latest');
    expect(await sessions.countDocuments()).toBe(2);
  });

  it('replaces an index of ids that allows duplicates', async () => {
    await database.db.collection(COLLECTION).createIndex({ id: 1 }, { name: 'for-speed' });
    const storage = database.open();
    await storage.ready;
    await storage.verify();
    await database.db.collection(COLLECTION).insertOne({ ...offlineDocument });
    await expect(
      database.db.collection(COLLECTION).insertOne({ ...offlineDocument }),
    ).rejects.toMatchObject({ code: 11_000 });
  });

  it('stores a session once that many store for the first time', async () => {
    const [a, b] = [database.open(), database.open()];
    const session = new Session(offlineDocument);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? a : b).storeSession(session)),
    );
    expect(await database.db.collection(COLLECTION).countDocuments()).toBe(1);
  });

  it('keeps the sessions of two collections with unusual names apart', async () => {
    const [a, b] = ['My-sessions.v2', 'größe'].map((sessionCollectionName) =>
      database.open({ sessionCollectionName }),
    );
    await a!.storeSession(new Session(offlineDocument));
    expect(await b!.loadSession(offlineDocument.id)).toBeUndefined();
    await Promise.all([a!.verify(), b!.verify()]);
    expect(await a!.companions.lock.take('name', 'holder', 60_000)).toBe(true);
    expect(await b!.companions.lock.take('name', 'holder', 60_000)).toBe(true);
  });

  it('takes an id that is no text for no query', async () => {
    const storage = database.open();
    await storage.storeSession(new Session(offlineDocument));
    expect(await storage.loadSession({ $ne: null } as never)).toBeUndefined();
    expect(await storage.findSessionsByShop({ $ne: null } as never)).toEqual([]);
    await storage.deleteSession({ $ne: null } as never);
    await storage.deleteSessions([{ $ne: null }] as never);
    expect(await storage.loadSession(offlineDocument.id)).toBeDefined();
  });

  it('names the migrations that are missing, and runs none, when it is verified', async () => {
    const storage = database.open();
    await expect(storage.verify()).rejects.toThrow(
      /shopify_sessions lacks migration unique-ids, migration shop-index, /,
    );
    expect(await database.db.listCollections().toArray()).toEqual([]);
    await storage.ready;
    await storage.verify();
    await database.db.collection(COLLECTION).dropIndex('id_1');
    await expect(storage.verify()).rejects.toThrow(/lacks migration unique-ids\./);
  });

  it('uses a client it is given, and leaves it open', async () => {
    const storage = new MongoDBSessionStorage(database.client, database.name);
    await storage.storeSession(new Session(offlineDocument));
    await storage.disconnect();
    expect(await database.db.collection(COLLECTION).countDocuments()).toBe(1);
    expect((await storage.loadSession(offlineDocument.id))?.accessToken).toBe('access');
  });

  it('opens again after it was closed', async () => {
    const storage = database.open();
    await storage.storeSession(new Session(offlineDocument));
    await storage.close();
    await storage.close();
    expect(await storage.loadSession(offlineDocument.id)).toBeDefined();
  });

  it('forgets deliveries that are done after seven days', async () => {
    const deliveries = database.db.collection(`${COLLECTION}_records`);
    const [old, recent] = ['old', 'recent'].map((webhookId) => ({
      app: 'app',
      shop: 'shop',
      webhookId,
    }));
    const { inbox } = database.open().companions;
    for (const key of [old!, recent!]) {
      const claim = await inbox.claim(key, 60_000);
      if (claim.state === 'claimed') await inbox.complete(key, claim.token);
      expect(await inbox.claim(key, 60_000)).toEqual({ state: 'done' });
      if (key === recent) continue;
      const { changedAt, expiresAt } = (await deliveries.findOne())!;
      expect(Number(expiresAt) - Number(changedAt)).toBe(7 * 24 * 60 * 60 * 1000);
      await deliveries.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    }
    expect(await inbox.claim(old!, 60_000)).toMatchObject({ state: 'claimed', handled: [] });
    await deliveries.updateMany({ state: null }, { $set: { expiresAt: new Date(0) } });
    // Another process has not tidied up yet.
    const another = database.open().companions.inbox;
    expect(await another.claim(recent!, 60_000)).toEqual({ state: 'done' });
    while ((await deliveries.countDocuments()) > 1)
      await new Promise((resolve) => setImmediate(resolve));
    expect(await another.claim(recent!, 60_000)).toEqual({ state: 'done' });
  });
});
