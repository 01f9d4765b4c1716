import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'redis';

import { describeRecordStore } from '../../lib/sessions/conformance/record-store.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { RedisSessionStorage } from '../../lib/sessions/storages/redis/redis-session.storage.js';
import { describePorts } from './ports.suite.js';
import { REDIS, TestKeys, URL_OF_REDIS } from './redis/keys.js';

describePorts(REDIS);

describe('RedisSessionStorage', () => {
  let keys: TestKeys;
  beforeEach(async () => {
    keys = await TestKeys.create();
  });
  afterEach(() => keys.drop());

  const runner = { describe, it, shared: true };
  describeRecordStore('RedisRecordStore', () => keys.open().records, runner);

  const SHOP = 'one.myshopify.com';
  const OFFLINE = `offline_${SHOP}`;
  const expires = Date.UTC(2040, 0, 2, 3, 4, 5, 678);
  /** As the official storage writes it. */
  const offlinePairs = [
    ['id', OFFLINE],
    ['shop', SHOP],
    ['state', '123'],
    ['isOnline', false],
    ['scope', 'read_products'],
    ['accessToken', 'access'],
    ['expires', expires],
    ['refreshToken', 'refresh'],
    ['refreshTokenExpires', expires + 1],
  ];
  const onlinePairs = [
    ['id', `${SHOP}_7`],
    ['shop', SHOP],
    ['state', ''],
    ['isOnline', true],
    ['accessToken', 'user'],
    ['userId', 7],
    ['firstName', 'Zoë'],
    ['emailVerified', false],
    ['accountOwner', true],
  ];
  const offlineSession = new Session({
    id: OFFLINE,
    shop: SHOP,
    state: '123',
    isOnline: false,
    scope: 'read_products',
    accessToken: 'access',
    expires: new Date(expires),
    refreshToken: 'refresh',
    refreshTokenExpires: new Date(expires + 1),
  });

  const anotherOf = (shop: string, id: string): Session =>
    new Session({ id, shop, state: '', isOnline: false, accessToken: 'token' });
  const idsOf = (sessions: readonly Session[]): string[] => sessions.map(({ id }) => id).sort();

  it('reads what the official storage has written', async () => {
    await keys.put(OFFLINE, offlinePairs);
    await keys.put(`${SHOP}_7`, onlinePairs);
    await keys.put(SHOP, [keys.at(OFFLINE), keys.at(`${SHOP}_7`)]);
    await keys.put('migrations', { migrateToVersion1_0_1: true });
    const storage = keys.open();
    expect({ ...(await storage.loadSession(OFFLINE)) }).toEqual({ ...offlineSession });
    expect({ ...(await storage.loadSession(`${SHOP}_7`)) }).toEqual({
      id: `${SHOP}_7`,
      shop: SHOP,
      state: '',
      isOnline: true,
      accessToken: 'user',
      onlineAccessInfo: {
        associated_user: { id: 7, first_name: 'Zoë', email_verified: false, account_owner: true },
      },
    });
    expect(idsOf(await storage.findSessionsByShop(SHOP))).toEqual([OFFLINE, `${SHOP}_7`].sort());
  });

  it('writes what the official storage reads, and notes its migration', async () => {
    const storage = keys.open();
    await storage.storeSession(offlineSession);
    expect(await keys.got(OFFLINE)).toEqual(offlinePairs);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
    expect(await keys.got('migrations')).toEqual({ migrateToVersion1_0_1: true });
    expect(await keys.client.ttl(keys.at(OFFLINE))).toBe(-1);
    await storage.deleteSession(OFFLINE);
    expect(await keys.beginningWith(keys.at(''))).toEqual([keys.at('migrations')]);
  });

  it('keeps what else the record of official migrations says', async () => {
    await keys.put('migrations', { another: true });
    await keys.open().ready;
    expect(await keys.got('migrations')).toEqual({ another: true, migrateToVersion1_0_1: true });
  });

  it('makes the lists that the first official version lacks, and completes those that lost entries', async () => {
    await keys.put(OFFLINE, offlinePairs);
    await keys.put('legacy', [
      ['id', 'legacy'],
      ['shop', 'two.myshopify.com'],
      ['state', ''],
      ['isOnline', true],
      ['onlineAccessInfo', 9],
    ]);
    await keys.put(`${SHOP}_7`, onlinePairs);
    await keys.put(SHOP, [keys.at(`${SHOP}_7`)]);
    const storage = keys.open();
    expect(idsOf(await storage.findSessionsByShop(SHOP))).toEqual([OFFLINE, `${SHOP}_7`].sort());
    const [legacy] = await storage.findSessionsByShop('two.myshopify.com');
    expect(legacy?.onlineAccessInfo).toEqual({ associated_user: { id: 9 } });
    expect(await keys.got('two.myshopify.com')).toEqual([keys.at('legacy')]);
  });

  it('never touches the keys of a storage whose prefix goes on after its own, nor keys that hold something else', async () => {
    const other = keys.open({ sessionKeyPrefix: keys.at('b') });
    await other.storeSession(offlineSession);
    await keys.client.set(keys.at('text'), 'no JSON');
    await keys.client.set(keys.at('broken'), '[["id"');
    const before = await keys.beginningWith(keys.name);
    const storage = keys.open();
    await storage.ready;
    expect(await storage.listSessions({ limit: 10 })).toEqual([]);
    expect(await storage.findSessionsByShop(SHOP)).toEqual([]);
    expect(await storage.loadSession(`b_${OFFLINE}`)).toBeUndefined();
    expect(await storage.loadSession('text')).toBeUndefined();
    expect(await storage.loadSession('broken')).toBeUndefined();
    expect((await keys.beginningWith(keys.name)).filter((key) => !before.includes(key))).toEqual([
      `${keys.name}:migrations`,
      keys.at('migrations'),
    ]);
    expect(idsOf(await other.findSessionsByShop(SHOP))).toEqual([OFFLINE]);
  });

  it('takes dangling and doubled entries off a list', async () => {
    const storage = keys.open();
    await storage.storeSession(anotherOf('two.myshopify.com', 'moved'));
    await storage.storeSession(offlineSession);
    await keys.put(SHOP, [
      keys.at('gone'),
      keys.at(OFFLINE),
      keys.at('moved'),
      keys.at(OFFLINE),
      keys.at('gone'),
    ]);
    expect(idsOf(await storage.findSessionsByShop(SHOP))).toEqual([OFFLINE]);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
    await keys.put(SHOP, [keys.at('gone')]);
    await storage.deleteSession(OFFLINE);
    expect(await storage.findSessionsByShop(SHOP)).toEqual([]);
    expect(await keys.client.exists(keys.at(SHOP))).toBe(0);
  });

  it('goes on with the empty list that the official storage leaves', async () => {
    await keys.put(SHOP, []);
    const storage = keys.open();
    await storage.storeSession(offlineSession);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
  });

  it('keeps sessions whose ids are the names of a shop and of the record of migrations', async () => {
    const storage = keys.open();
    const sessions = [SHOP, 'migrations', 'two.myshopify.com'].map((id) => anotherOf(SHOP, id));
    for (const session of sessions) await storage.storeSession(session);
    await storage.storeSession(anotherOf('two.myshopify.com', 'usual'));
    for (const session of sessions) expect(await storage.loadSession(session.id)).toEqual(session);
    expect(idsOf(await storage.findSessionsByShop(SHOP))).toEqual(idsOf(sessions));
    expect(idsOf(await storage.findSessionsByShop('two.myshopify.com'))).toEqual(['usual']);
    expect(idsOf(await storage.listSessions({ limit: 10 }))).toEqual(
      ['usual', ...idsOf(sessions)].sort(),
    );
    expect(await keys.got('migrations')).toEqual({ migrateToVersion1_0_1: true });
    await storage.deleteSessions(idsOf(sessions));
    expect(await storage.findSessionsByShop(SHOP)).toEqual([]);
    await storage.verify();
  });

  it('refuses a session whose key holds the list of a shop that is no domain, and one whose list holds a session', async () => {
    const storage = keys.open();
    await storage.storeSession(anotherOf('shop', 'id'));
    await expect(storage.storeSession(anotherOf('other', 'shop'))).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await expect(storage.storeSession(anotherOf('id', 'another'))).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await storage.deleteSession('id');
    await storage.storeSession(anotherOf('id', 'another'));
    await expect(storage.storeSession(anotherOf('shop', 'id'))).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await storage.deleteSession('another');
    await storage.storeSession(anotherOf('shop', 'id'));
    await storage.deleteSession('shop');
    expect(idsOf(await storage.findSessionsByShop('shop'))).toEqual(['id']);
    expect(idsOf(await storage.listSessions({ limit: 10 }))).toEqual(['id']);
  });

  it('keeps lists whole whatever characters ids, shops and the prefix have', async () => {
    const strange = `${keys.name}*[x]?'"\\,`;
    const storage = keys.open({ sessionKeyPrefix: strange });
    const ids = ['', '"', '","', 'a/b', '\\', 'x,"y', '漢\u2028', '[["id"]]', '\u0000'];
    const sessions = ids.map((id) => anotherOf('shöp/"x",\\', id));
    for (const session of [...sessions, ...sessions]) await storage.storeSession(session);
    expect(idsOf(await storage.findSessionsByShop('shöp/"x",\\'))).toEqual([...ids].sort());
    expect(await storage.listSessions({ limit: 100 })).toHaveLength(ids.length);
    for (const [index, id] of ids.entries()) {
      await storage.deleteSession(id);
      expect(await storage.findSessionsByShop('shöp/"x",\\')).toHaveLength(ids.length - index - 1);
    }
  });

  it('lists a session anew that another process has deleted, or moved to another shop, meanwhile', async () => {
    const [storage, other] = [keys.open(), keys.open()];
    await storage.storeSession(offlineSession);
    await other.deleteSession(OFFLINE);
    await storage.storeSession(offlineSession);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
    await other.storeSession(anotherOf('two.myshopify.com', OFFLINE));
    await storage.storeSession(offlineSession);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
    expect(await storage.findSessionsByShop('two.myshopify.com')).toEqual([]);
    expect(await keys.client.exists(keys.at('two.myshopify.com'))).toBe(0);
  });

  it('finds a session on a list that is longer than a glance', async () => {
    const storage = keys.open();
    const others = Array.from({ length: 200 }, (_, index) => keys.at(`other-${index}`));
    await storage.storeSession(offlineSession);
    for (const list of [[...others, keys.at(OFFLINE)], others]) {
      await keys.put(SHOP, list);
      await storage.storeSession(offlineSession);
      expect((await keys.got(SHOP)) as string[]).toHaveLength(201);
      expect(await keys.got(SHOP)).toContain(keys.at(OFFLINE));
    }
  });

  // The session was taken off and put at the end each time it was stored.
  it('leaves a list as it is, however long, that has the session', async () => {
    const storage = keys.open();
    const entryAt = (index: number): string => keys.at(`other-${index}`);
    await storage.storeSession(offlineSession);
    const list = [
      ...Array.from({ length: 200 }, (_, index) => entryAt(index)),
      keys.at(OFFLINE),
      entryAt(200),
    ];
    await keys.put(SHOP, list);
    await storage.storeSession(offlineSession);
    expect(await keys.got(SHOP)).toEqual(list);
  });

  it('lists a session again, when it is stored, that has dropped off the list of its shop', async () => {
    // As when the list was evicted, or when the official storage wrote back the list it had read
    // before the session was stored.
    const [storage, other] = [keys.open(), keys.open()];
    await storage.storeSession(offlineSession);
    for (const process of [storage, other]) {
      await keys.client.del(keys.at(SHOP));
      await process.storeSession(offlineSession);
      expect(idsOf(await other.findSessionsByShop(SHOP))).toEqual([OFFLINE]);
      await keys.put(SHOP, [keys.at('other')]);
      await process.storeSession(offlineSession);
      expect(await keys.got(SHOP)).toEqual([keys.at('other'), keys.at(OFFLINE)]);
    }
    await keys.client.del(keys.at(SHOP));
    await storage.replaceSession(offlineSession, offlineSession);
    expect(await keys.got(SHOP)).toEqual([keys.at(OFFLINE)]);
  });

  it('stores a session again on a server that cannot answer with what a key held before, as Redis 6.0', async () => {
    const old = createClient({ url: URL_OF_REDIS });
    const send = old.sendCommand.bind(old);
    old.sendCommand = ((command: string[], options: never) => {
      if (command[0] === 'SET' && command.includes('GET'))
        return Promise.reject(new Error('ERR syntax error'));
      return send(command, options);
    }) as never;
    const storage = new RedisSessionStorage(old, { sessionKeyPrefix: keys.name });
    for (const accessToken of ['first', 'second'])
      await storage.storeSession(new Session({ ...offlineSession, accessToken }));
    expect((await storage.loadSession(OFFLINE))?.accessToken).toBe('second');
    old.destroy();
  });

  it('deletes hundreds of sessions of a shop, and their list', async () => {
    const storage = keys.open();
    const sessions = Array.from({ length: 250 }, (_, index) => anotherOf(SHOP, `id-${index}`));
    await Promise.all(sessions.map((session) => storage.storeSession(session)));
    await storage.deleteSessions(idsOf(sessions).slice(1));
    expect(await storage.findSessionsByShop(SHOP)).toHaveLength(1);
    await storage.deleteSessions(idsOf(sessions));
    expect(await keys.beginningWith(keys.at(''))).toEqual([keys.at('migrations')]);
  });

  it('names the migrations that are missing, and runs none, when it is verified', async () => {
    const storage = keys.open();
    await expect(storage.verify()).rejects.toThrow(
      /lacks migration shop-lists, migration official-record\./,
    );
    expect(await keys.beginningWith(keys.name)).toEqual([]);
    await storage.ready;
    await storage.verify();
  });

  it('uses a client it is given, connected or not, and leaves it open', async () => {
    for (const connect of [true, false]) {
      const given = createClient({ url: URL_OF_REDIS });
      if (connect) await given.connect();
      const [storage, second] = [given, given].map(
        (one) => new RedisSessionStorage(one, { sessionKeyPrefix: keys.name }),
      );
      await Promise.all([storage!.storeSession(offlineSession), second!.loadSession(OFFLINE)]);
      await storage!.disconnect();
      expect((await storage!.loadSession(OFFLINE))?.accessToken).toBe('access');
      expect(given.isReady).toBe(true);
      given.destroy();
    }
  });

  it('opens again after it was closed, and after the server has cut the connection', async () => {
    const storage = keys.open({ name: keys.name.slice(0, 20) });
    await storage.storeSession(offlineSession);
    await storage.close();
    await storage.close();
    expect(await storage.loadSession(OFFLINE)).toBeDefined();
    const named = new RegExp(`id=(\\d+) [^\\n]*name=${keys.name.slice(0, 20)} `);
    const [, id] = named.exec(String(await keys.client.sendCommand(['CLIENT', 'LIST'])))!;
    await keys.client.sendCommand(['CLIENT', 'KILL', 'ID', id!]);
    await storage.loadSession(OFFLINE).catch(() => {});
    expect(await storage.loadSession(OFFLINE)).toBeDefined();
  });

  it('writes one key for a record, which is all that it removes', async () => {
    const { lock, inbox } = keys.open().companions;
    expect(await lock.take('name', 'holder', 60_000)).toBe(true);
    await inbox.claim({ app: 'app', shop: SHOP, webhookId: 'id' }, 60_000);
    const delivery = `${keys.name}:record:delivery:${JSON.stringify(['app', SHOP, 'id'])}`;
    const written = await keys.beginningWith(`${keys.name}:record`);
    expect(written.sort()).toEqual([delivery, `${keys.name}:record:lock:["name"]`]);
    await lock.release('name', 'holder');
    expect(await keys.beginningWith(`${keys.name}:record`)).toEqual([delivery]);
  });

  it('lists the records of its own prefix and kind, whatever other keys are like theirs', async () => {
    const strange = keys.open({ sessionKeyPrefix: `${keys.name}[a-c]*` }).records;
    const others = [keys.open({ sessionKeyPrefix: `${keys.name}bb` }).records, strange];
    const record = { state: 'installed', data: '{}', version: 1 };
    for (const [index, records] of others.entries()) {
      await records.put({ kind: 'installation', id: `${index}`, ...record });
      await records.put({ kind: 'installations', id: 'another', ...record });
    }
    expect(await strange.list({ kind: 'installation', limit: 10 })).toMatchObject([{ id: '1' }]);
  });

  it('forgets deliveries seven days after they are done', async () => {
    const { inbox } = keys.open().companions;
    const key = { app: 'app', shop: SHOP, webhookId: 'id' };
    const claim = await inbox.claim(key, 60_000);
    if (claim.state === 'claimed') await inbox.complete(key, claim.token);
    const [delivery] = await keys.beginningWith(`${keys.name}:record:delivery:`);
    const sevenDays = 7 * 24 * 60 * 60 * 1000;
    const left = await keys.client.pTTL(delivery!);
    expect(left).toBeGreaterThan(sevenDays - 60_000);
    expect(left).toBeLessThanOrEqual(sevenDays);
  });
});
