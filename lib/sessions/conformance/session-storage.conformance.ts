import { randomUUID } from 'node:crypto';

import { assert } from './lazy-assert.js';
import { describeCases } from './port.conformance.js';
import type { Cases, SuiteRunner } from './port.conformance.js';
import { Session } from '../session.js';
import type { SessionParams } from '../session.js';
import {
  HOUR,
  USER,
  aShop,
  assertFinds,
  assertLoads,
  inAnHour,
  offline,
  online,
} from './session-samples.js';
import { OPTIONAL_METHODS } from './session-storage-optional.conformance.js';
import type { SessionStorage } from '../session.storage.js';

/**
 * Declares the tests every session storage must pass, for storages of your own; those of an
 * optional method pass where it is missing. The storage need not be empty and may keep whole
 * seconds.
 * @param open called once per case, twice when the runner says `shared`
 * @example describeSessionStorage('MyStorage', () => new MyStorage(), { describe, it });
 */
export function describeSessionStorage<Storage extends SessionStorage>(
  name: string,
  open: () => Storage | Promise<Storage>,
  runner: SuiteRunner<Storage>,
): void {
  describeCases<SessionStorage, Storage>(
    name,
    { ...REQUIRED_METHODS, ...OPTIONAL_METHODS },
    open,
    runner,
  );
}

const REQUIRED_METHODS: Cases<SessionStorage> = {
  'stores, loads and deletes offline sessions with and without an expiry': async (storage) => {
    for (const expires of [undefined, inAnHour()]) {
      const session = offline({ expires });
      assert.equal(await storage.storeSession(session), true);
      const loaded = await assertLoads(storage, session);
      assert.equal(loaded.isActive(session.scope), true);
      assert.equal(await storage.deleteSession(session.id), true);
      assert.equal(await storage.loadSession(session.id), undefined);
      assert.equal(await storage.deleteSession(session.id), true);
    }
  },

  'keeps every field of the user of an online session': async (storage) => {
    const session = online(USER);
    await storage.storeSession(session);
    const loaded = await assertLoads(storage, session);
    assert.deepEqual({ ...loaded.onlineAccessInfo?.associated_user }, USER);
    await storage.deleteSession(session.id);
    assert.equal(await storage.loadSession(session.id), undefined);
  },

  'leaves out what is not known of a user': async (storage) => {
    const session = online({ id: USER.id });
    await storage.storeSession(session);
    await assertLoads(storage, session);
  },

  'is not disturbed by properties it does not know': async (storage) => {
    const session = offline();
    await storage.storeSession(new Session({ ...session, unexpected: 'value' } as SessionParams));
    await assertLoads(storage, session);
  },

  'answers undefined for an id it does not hold': async (storage) => {
    for (const id of [randomUUID(), '', 'constructor', '__proto__', 'toString'])
      assert.equal(await storage.loadSession(id), undefined);
  },

  'refuses a session without an id or a shop, and changes no other': async (storage) => {
    const session = offline();
    await storage.storeSession(session);
    for (const lacking of [{ id: undefined }, { id: null }, { id: 7 }, { shop: undefined }]) {
      const incomplete = new Session({
        ...offline({ accessToken: 'other' }),
        ...lacking,
      } as unknown as SessionParams);
      await assert.rejects(async () => storage.storeSession(incomplete), {
        code: 'ERR_SESSION_STORAGE',
      });
      await assertLoads(storage, session);
    }
  },

  'returns an expired session like any other': async (storage) => {
    const session = offline({ expires: new Date(HOUR) });
    await storage.storeSession(session);
    assert.equal((await assertLoads(storage, session)).isExpired(), true);
  },

  'tells ids apart by case': async (storage) => {
    const session = offline({ id: `Case-${randomUUID()}` });
    await storage.storeSession(session);
    assert.equal(await storage.loadSession(session.id.toUpperCase()), undefined);
    await assertLoads(storage, session);
  },

  'finds exactly the sessions of a shop': async (storage) => {
    const shop = aShop();
    const sessions = [offline({ shop }), online(USER, { shop })];
    for (const session of [...sessions, offline(), online(USER)])
      await storage.storeSession(session);
    await assertFinds(storage, shop, sessions);
    assert.deepEqual(await storage.findSessionsByShop(aShop()), []);
  },

  'finds all sessions of a shop, however many': async (storage) => {
    const shop = aShop();
    const sessions = Array.from({ length: 60 }, () => online(USER, { shop }));
    for (const session of sessions) await storage.storeSession(session);
    await assertFinds(storage, shop, sessions);
  },

  'finds a session once that was stored twice': async (storage) => {
    const session = offline();
    await storage.storeSession(session);
    await storage.storeSession(session);
    await assertFinds(storage, session.shop, [session]);
  },

  'finds a session only under the shop it was stored with last': async (storage) => {
    const before = offline();
    const after = offline({ id: before.id });
    await storage.storeSession(before);
    await storage.storeSession(after);
    await assertFinds(storage, before.shop, []);
    await assertFinds(storage, after.shop, [after]);
  },

  'deletes exactly the sessions whose ids it is given': async (storage) => {
    const shop = aShop();
    const [first, second, third] = [offline({ shop }), offline({ shop }), offline({ shop })];
    for (const session of [first, second, third]) await storage.storeSession(session);
    assert.equal(await storage.deleteSessions([first.id, third.id, randomUUID()]), true);
    await assertFinds(storage, shop, [second]);
    await storage.deleteSessions([second.id]);
    await assertFinds(storage, shop, []);
  },

  'takes an empty list of ids to delete': async (storage) => {
    const session = offline();
    await storage.storeSession(session);
    assert.equal(await storage.deleteSessions([]), true);
    await assertLoads(storage, session);
  },

  'clears what a newer session of the same id lacks': async (storage) => {
    const { id, shop } = offline();
    await storage.storeSession(
      online(USER, {
        id,
        shop,
        expires: inAnHour(),
        refreshToken: 'old',
        refreshTokenExpires: inAnHour(),
      }),
    );
    const bare = new Session({ id, shop, state: '', isOnline: false });
    await storage.storeSession(bare);
    await assertLoads(storage, bare);
  },

  'keeps a refresh token without expiry, and replaces both tokens': async (storage) => {
    const session = offline({ refreshToken: 'refresh-1' });
    await storage.storeSession(session);
    await assertLoads(storage, session);
    const renewed = {
      accessToken: 'token-2',
      refreshToken: 'refresh-2',
      expires: inAnHour(),
      refreshTokenExpires: inAnHour(30 * 24),
    };
    const rotated = offline({ id: session.id, shop: session.shop, ...renewed });
    await storage.storeSession(rotated);
    await assertLoads(storage, rotated);
  },

  'keeps long scopes and long tokens': async (storage) => {
    const scope = Array.from({ length: 120 }, (_, index) => `read_something_${index}`).join(',');
    const session = offline({
      scope,
      accessToken: 'a'.repeat(4000),
      refreshToken: 'r'.repeat(4000),
    });
    await storage.storeSession(session);
    await assertLoads(storage, session);
  },

  'keeps an expiry after 2038': async (storage) => {
    const session = offline({
      expires: new Date('2045-06-07T08:09:10Z'),
      refreshTokenExpires: new Date('2099-12-31T23:59:59Z'),
    });
    await storage.storeSession(session);
    await assertLoads(storage, session);
  },

  'shares nothing with what it was given and what it returned': async (storage) => {
    const session = online({ ...USER });
    const expected = online({ ...USER }, { id: session.id, shop: session.shop });
    await storage.storeSession(session);
    session.accessToken = 'changed';
    session.onlineAccessInfo!.associated_user.email = 'changed@example.com';
    const loaded = await assertLoads(storage, expected);
    loaded.accessToken = 'changed';
    await assertLoads(storage, expected);
  },

  'loses nothing when many sessions of a shop are stored and deleted at once': async (storage) => {
    const shop = aShop();
    const sessions = Array.from({ length: 20 }, () => offline({ shop }));
    await Promise.all(sessions.map((session) => storage.storeSession(session)));
    await assertFinds(storage, shop, sessions);
    await Promise.all(sessions.slice(5).map(({ id }) => storage.deleteSession(id)));
    await assertFinds(storage, shop, sessions.slice(0, 5));
  },
};
