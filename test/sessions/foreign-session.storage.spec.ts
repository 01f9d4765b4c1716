import { describe, expect, it } from '@jest/globals';

import { ForeignSessionStorage } from '../../lib/sessions/foreign-session.storage.js';
import { EncryptedSessionStorage } from '../../lib/sessions/encryption/encrypted-session.storage.js';
import { WrappedSessionStorage } from '../../lib/sessions/encryption/wrapped-session.storage.js';
import { describeSessionStorage } from '../../lib/sessions/conformance/session-storage.conformance.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { FiveMethods } from '../support/five-methods.js';

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
});
