import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';

import {
  ForeignSessionStorage,
  withTimeLimit,
} from '../../lib/sessions/foreign-session.storage.js';
import { EncryptedSessionStorage } from '../../lib/sessions/encryption/encrypted-session.storage.js';
import { WrappedSessionStorage } from '../../lib/sessions/encryption/wrapped-session.storage.js';
import { describeSessionStorage } from '../../lib/sessions/conformance/session-storage.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/index.js';
import { attachRequest, requestOf } from '../../lib/core/session-request.js';
import { SessionStorage } from '../../lib/sessions/session.storage.js';
import { SessionStorageError } from '../../lib/sessions/sessions.errors.js';
import { DevClock } from '../../lib/dev-store/base/dev-clock.js';
import { EncryptingStorage } from '../support/encrypting.storage.js';
import { FiveMethods } from '../support/five-methods.js';
import { gate } from '../support/gate.js';

describeSessionStorage(
  'ForeignSessionStorage over five methods',
  () => new ForeignSessionStorage(new FiveMethods()),
  { describe, it },
);
describeSessionStorage(
  'ForeignSessionStorage over all methods',
  () => new ForeignSessionStorage(new MemorySessionStorage()),
  {
    describe,
    it,
  },
);

const SESSION = new Session({
  id: 'a',
  shop: 'shop.myshopify.com',
  state: '',
  isOnline: false,
  accessToken: 'token',
});

/** As the official library's: other methods of the same names. */
class OfficialSession {
  constructor(params: object) {
    Object.assign(this, params);
  }
  isActive(): boolean {
    return true;
  }
  toObject(): object {
    return { ...this };
  }
  equals(other: unknown): boolean {
    return this === other;
  }
  toPropertyArray(): unknown[] {
    return Object.entries(this);
  }
}

/** A storage that always answers with this object. */
function keeping(session: object): SessionStorage {
  const storage = new FiveMethods();
  storage.loadSession = async () => session as Session;
  return storage;
}

describe('ForeignSessionStorage', () => {
  it('is known by the class of the app, also below encryption', () => {
    const keys = [{ id: 'one', key: Buffer.alloc(32, 1).toString('base64') }];
    const foreign = new ForeignSessionStorage(new FiveMethods());
    expect(WrappedSessionStorage.nameOf(foreign)).toBe('FiveMethods');
    const encrypted = new EncryptedSessionStorage(foreign, { keys });
    expect(WrappedSessionStorage.nameOf(encrypted)).toBe('FiveMethods');
  });

  it('answers with sessions of our class', async () => {
    const storage = new ForeignSessionStorage(new FiveMethods());
    await storage.storeSession(SESSION);
    expect(await storage.loadSession('a')).toBeInstanceOf(Session);
    expect(await storage.findSessionsByShop(SESSION.shop)).toEqual([expect.any(Session)]);
  });

  it('answers with the very session of the official library, which becomes one of ours', async () => {
    const official = new OfficialSession({ ...SESSION });
    const storage = new ForeignSessionStorage(keeping(official));
    const loaded = await storage.loadSession('a');
    expect(loaded).toBe(official);
    expect(loaded).toBeInstanceOf(Session);
    expect(inspect(loaded)).not.toContain('token');
  });

  it('makes dates of the times of a session that was read from JSON', async () => {
    const written = JSON.parse(JSON.stringify({ ...SESSION, expires: new Date(1000) })) as object;
    for (const session of [written, new OfficialSession(written as typeof SESSION)]) {
      const loaded = await new ForeignSessionStorage(keeping(session)).loadSession('a');
      expect(loaded?.expires).toEqual(new Date(1000));
      expect(loaded?.isExpired()).toBe(true);
    }
  });

  it('answers with a copy of a session that works for a request, as others must not', async () => {
    const storage = new ForeignSessionStorage(keeping(new OfficialSession({ ...SESSION })));
    const ofRequest = await storage.loadSession('a');
    attachRequest(ofRequest!, { sessionToken: 'of the request' });
    const again = await storage.loadSession('a');
    expect(again).toEqual(ofRequest);
    expect([requestOf(ofRequest!), requestOf(again!)]).toEqual([
      { sessionToken: 'of the request' },
      undefined,
    ]);
  });

  it('answers with copies of sessions that would lose something, and of those that stay what they are', async () => {
    class Entity extends OfficialSession {}
    class Row extends OfficialSession {
      save(): void {}
    }
    // Became one of ours, without the method that the app has written.
    class Stored {
      constructor(params: object) {
        Object.assign(this, params);
      }
      toObject(): object {
        return { own: true };
      }
    }
    const official = (): OfficialSession => new OfficialSession({ ...SESSION });
    const sessions = [
      new Entity({ ...SESSION }),
      new Row({ ...SESSION }),
      new Stored({ ...SESSION }),
      Object.freeze(official()),
      new Proxy(official(), { setPrototypeOf: () => false }),
      new Proxy(official(), {
        setPrototypeOf: () => {
          throw new Error('refused');
        },
      }),
      { ...SESSION },
    ];
    for (const session of sessions) {
      const loaded = await new ForeignSessionStorage(keeping(session)).loadSession('a');
      expect(loaded).not.toBe(session);
      expect(loaded).toBeInstanceOf(Session);
      expect(session).not.toBeInstanceOf(Session);
      expect({ ...loaded }).toEqual({ ...SESSION });
    }
  });

  it('passes over what a storage lists without having it, as one whose keys and lists are written apart does', async () => {
    class Dangling extends FiveMethods {
      override async findSessionsByShop(shop: string): Promise<Session[]> {
        return [undefined as never, ...(await super.findSessionsByShop(shop)), null as never];
      }
      async listSessions(): Promise<Session[]> {
        return this.findSessionsByShop(SESSION.shop);
      }
    }
    const storage = new ForeignSessionStorage(new Dangling());
    await storage.storeSession(SESSION);
    expect(await storage.findSessionsByShop(SESSION.shop)).toEqual([SESSION]);
    expect(await storage.listSessions?.({ limit: 5 })).toEqual([SESSION]);
  });

  it('has the optional methods of the storage below and only those, with that storage as their `this`', async () => {
    const bare = new ForeignSessionStorage(new FiveMethods());
    expect([
      bare.replaceSession,
      bare.deleteExpiredSessions,
      bare.listSessions,
      bare.companions,
      bare.verify,
      bare.close,
    ]).toEqual(Array(6).fill(undefined));
    const memory = new MemorySessionStorage();
    const full = new ForeignSessionStorage(memory);
    await full.storeSession(new Session({ ...SESSION, isOnline: true, expires: new Date(0) }));
    await full.verify?.();
    await full.close?.();
    expect(full.companions).toBe(memory.companions);
    expect(await full.listSessions?.({ limit: 5 })).toEqual([expect.objectContaining({ id: 'a' })]);
    expect(await full.deleteExpiredSessions?.(new Date())).toBe(1);
  });

  describe('over a storage that gives no answer', () => {
    /** Waits in every call until the gate is opened. */
    class Silent extends FiveMethods {
      readonly silence = gate();

      override async storeSession(session: Session): Promise<boolean> {
        return this.silence.opened.then(() => super.storeSession(session));
      }
      override async loadSession(id: string): Promise<Session | undefined> {
        return this.silence.opened.then(() => super.loadSession(id));
      }
      override async deleteSession(id: string): Promise<boolean> {
        return this.silence.opened.then(() => super.deleteSession(id));
      }
      override async deleteSessions(ids: string[]): Promise<boolean> {
        return this.silence.opened.then(() => super.deleteSessions(ids));
      }
      override async findSessionsByShop(shop: string): Promise<Session[]> {
        return this.silence.opened.then(() => super.findSessionsByShop(shop));
      }
      async replaceSession(session: Session): Promise<boolean> {
        return this.storeSession(session);
      }
    }
    const clockOfTest = (): DevClock => new DevClock({ now: () => new Date(0) });

    it.each<[string, (storage: ForeignSessionStorage) => Promise<unknown>]>([
      ['store a session', (storage) => storage.storeSession(SESSION)],
      ['load a session', (storage) => storage.loadSession('a')],
      ['delete a session', (storage) => storage.deleteSession('a')],
      ['delete sessions', (storage) => storage.deleteSessions(['a'])],
      ["find a shop's sessions", (storage) => storage.findSessionsByShop(SESSION.shop)],
      ['replace a session', async (storage) => storage.replaceSession?.(SESSION, SESSION)],
    ])('gives up after 10 seconds to %s', async (what, call) => {
      const clock = clockOfTest();
      const silent = new Silent();
      const outcome = call(new ForeignSessionStorage(silent, clock)).catch(
        (error: unknown) => error,
      );
      clock.advance(5_000);
      const before = await Promise.race([outcome, new Promise((resolve) => setImmediate(resolve))]);
      expect(before).toBeUndefined();
      clock.advance(5_000);
      const error = await outcome;
      expect(error).toBeInstanceOf(SessionStorageError);
      expect(String(error)).toContain(
        `The session storage Silent could not ${what}: it gave no answer within 10000 ms`,
      );
      // What comes late concerns nobody: a rejection that nobody handled would fail this test.
      silent.silence.fail(new Error('late'));
      await new Promise((resolve) => setImmediate(resolve));
    });

    it('takes the answer that comes in time, also of a storage that makes no promises', async () => {
      const clock = clockOfTest();
      const silent = new Silent();
      const loaded = new ForeignSessionStorage(silent, clock).loadSession('a');
      clock.advance(5_000);
      silent.silence.open();
      expect(await loaded).toBeUndefined();
      const plain = Object.assign(new FiveMethods(), { deleteSession: () => true });
      const storage = new ForeignSessionStorage(plain as never, clock);
      expect(await storage.deleteSession('a')).toBe(true);
    });
  });
});

describe('withTimeLimit()', () => {
  /** The app's own, over a class of ours. */
  class Own extends SessionStorage {
    readonly #methods = new FiveMethods();
    storeSession = (session: Session) => this.#methods.storeSession(session);
    loadSession = (id: string) => this.#methods.loadSession(id);
    deleteSession = (id: string) => this.#methods.deleteSession(id);
    deleteSessions = (ids: string[]) => this.#methods.deleteSessions(ids);
    findSessionsByShop = (shop: string) => this.#methods.findSessionsByShop(shop);
  }

  it.each([
    ['of an object', new FiveMethods()],
    ['of a class that extends ours', new Own()],
  ])('limits the calls %s', async (_, storage) => {
    const limited = withTimeLimit(storage);
    expect(limited).toBeInstanceOf(ForeignSessionStorage);
    expect(withTimeLimit(limited)).toBe(limited);
    await limited.storeSession(SESSION);
    expect(await limited.loadSession('a')).toEqual(SESSION);
  });

  it('leaves a storage as it is that says that its calls end in time', () => {
    class Patient extends Own {
      override readonly hasTimeLimit = true;
    }
    const keys = [{ id: 'one', key: Buffer.alloc(32, 1).toString('base64') }];
    for (const storage of [
      new Patient(),
      new MemorySessionStorage(),
      new SqliteSessionStorage(':memory:'),
      new EncryptedSessionStorage(new Own(), { keys }),
    ])
      expect(withTimeLimit(storage)).toBe(storage);
  });

  it('limits what is below encryption', async () => {
    const below: SessionStorage[] = [];
    class Seen extends EncryptedSessionStorage {
      constructor(storage: SessionStorage) {
        super(storage, { keys: [{ id: 'one', key: Buffer.alloc(32, 1).toString('base64') }] });
        below.push(this.storage);
      }
    }
    new Seen(new Own());
    expect(below).toEqual([expect.any(ForeignSessionStorage)]);
  });
});

// Born of apps that extend the official storage of Prisma, to encrypt tokens or to keep copies.
describe('a class that extends a storage', () => {
  class Counting extends MemorySessionStorage {
    count = 0;
    override findSessionsByShop(shop: string): Promise<Session[]> {
      this.count += 1;
      return super.findSessionsByShop(shop);
    }
  }
  class Replacing extends EncryptingStorage {
    override replaceSession(session: Session): Promise<boolean> {
      return this.storeSession(session);
    }
  }

  it('replaces no session behind the back of its own methods', () => {
    expect(withTimeLimit(new EncryptingStorage()).replaceSession).toBeUndefined();
    expect(withTimeLimit(new ForeignSessionStorage(new EncryptingStorage())).replaceSession).toBe(
      undefined,
    );
  });

  it('is known as such where it extends what is wrapped around another storage', () => {
    const options = { keys: [{ id: '1', key: Buffer.alloc(32, 1) }] };
    class Copying extends EncryptedSessionStorage {
      override storeSession(session: Session): Promise<boolean> {
        return super.storeSession(session);
      }
    }
    class ReplacingToo extends Copying {
      override replaceSession = async (): Promise<boolean> => true;
    }
    const below = new MemorySessionStorage();
    expect(new Copying(below, options).replaceSession).toBeUndefined();
    const replacing = new ReplacingToo(below, options);
    expect(withTimeLimit(replacing)).toBe(replacing);
    expect(new EncryptedSessionStorage(below, options).replaceSession).toEqual(
      expect.any(Function),
    );
  });

  it('is used as it is when it changes neither, or what replaces as well', () => {
    for (const storage of [new Counting(), new Replacing()])
      expect(withTimeLimit(storage)).toBe(storage);
  });
});
