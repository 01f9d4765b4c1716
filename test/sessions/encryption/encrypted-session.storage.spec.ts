import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import type { EncryptedSessionStorageOptions } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import type { EncryptionKey } from '../../../lib/sessions/encryption/key-ring.js';
import { describeSessionStorage } from '../../../lib/sessions/conformance/session-storage.conformance.js';
import { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { FiveMethods } from '../../support/five-methods.js';
import { SHOP, offlineSession } from '../../support/offline-session.js';

const OLD: EncryptionKey = { id: 'old', key: Buffer.alloc(32, 1) };
const NEW: EncryptionKey = { id: '2026-01', key: randomBytes(32) };
const SESSION = offlineSession({ accessToken: 'shpat_access', refreshToken: 'shprt_refresh' });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-encrypted-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const encrypted = (
  inner: MemorySessionStorage,
  ...keys: EncryptionKey[]
): EncryptedSessionStorage => new EncryptedSessionStorage(inner, { keys });

describeSessionStorage(
  'EncryptedSessionStorage over memory',
  () => encrypted(new MemorySessionStorage(), NEW),
  { describe, it },
);
describeSessionStorage(
  'EncryptedSessionStorage over five methods',
  () => new EncryptedSessionStorage(new FiveMethods(), { keys: [NEW] }),
  {
    describe,
    it,
  },
);
describeSessionStorage(
  'EncryptedSessionStorage over SQLite',
  () =>
    new EncryptedSessionStorage(new SqliteSessionStorage(join(folder, 'suite.db')), {
      keys: [NEW, OLD],
    }),
  { describe, it, shared: true, close: (storage) => storage.close?.() },
);

describe('an encrypted session', () => {
  it('is stored with both tokens as AES-256-GCM makes them, bound to key, session, shop and field', async () => {
    const inner = new MemorySessionStorage();
    await encrypted(inner, OLD, NEW).storeSession(SESSION);
    const stored = (await inner.loadSession(SESSION.id))!;
    expect(stored).toMatchObject({ id: SESSION.id, shop: SHOP, scope: 'read_products' });
    for (const field of ['accessToken', 'refreshToken'] as const) {
      const [, sealed] = /^sw1:old:([\w-]+)$/.exec(stored[field]!)!;
      const bytes = Buffer.from(sealed!, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32, 1), bytes.subarray(0, 12));
      decipher
        .setAAD(Buffer.from(`["sw1","old","${SESSION.id}","${SHOP}","${field}"]`))
        .setAuthTag(bytes.subarray(12, 28));
      expect(decipher.update(bytes.subarray(28)).toString() + decipher.final().toString()).toBe(
        SESSION[field],
      );
    }
  });

  it('is a different text each time', async () => {
    const inner = new MemorySessionStorage();
    const storage = encrypted(inner, NEW);
    const texts = new Set<string | undefined>();
    for (let index = 0; index < 3; index++) {
      await storage.storeSession(SESSION);
      texts.add((await inner.loadSession(SESSION.id))?.accessToken);
    }
    expect(texts.size).toBe(3);
  });

  it('is read with any key of the ring and written with the first', async () => {
    const inner = new MemorySessionStorage();
    await encrypted(inner, OLD).storeSession(SESSION);
    const storage = encrypted(inner, NEW, OLD);
    expect((await storage.loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
    expect(await storage.replaceSession?.(SESSION, SESSION)).toBe(true);
    expect((await encrypted(inner, NEW).loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
  });

  it('may have been stored in the clear, and is encrypted when it is written next', async () => {
    for (const write of ['storeSession', 'replaceSession'] as const) {
      const inner = new MemorySessionStorage();
      await inner.storeSession(SESSION);
      const storage = encrypted(inner, NEW);
      for (const found of [
        await storage.loadSession(SESSION.id),
        ...(await storage.findSessionsByShop(SHOP)),
      ]) {
        expect(found?.equals(SESSION)).toBe(true);
      }
      expect(await storage[write]?.(SESSION, SESSION)).toBe(true);
      expect(JSON.stringify(await inner.loadSession(SESSION.id))).not.toContain('shp');
      expect((await storage.loadSession(SESSION.id))?.equals(SESSION)).toBe(true);
    }
  });

  it('is swapped although another process has encrypted the same tokens anew in between', async () => {
    const inner = new MemorySessionStorage();
    const storage = encrypted(inner, NEW);
    await storage.storeSession(SESSION);
    const swap = inner.replaceSession.bind(inner);
    let writes = 0;
    inner.replaceSession = async (session, previous) => {
      if (writes++ === 0) await storage.storeSession(SESSION);
      return swap(session, previous);
    };
    const renewed = new Session({ ...SESSION, accessToken: 'shpat_renewed' });
    expect(await storage.replaceSession?.(renewed, SESSION)).toBe(true);
    expect((await storage.loadSession(SESSION.id))?.accessToken).toBe('shpat_renewed');
  });
});

function withAnotherCharacter(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`;
}

describe('a session that cannot be decrypted', () => {
  const stored = async (): Promise<MemorySessionStorage> => {
    const inner = new MemorySessionStorage();
    await encrypted(inner, OLD).storeSession(SESSION);
    return inner;
  };
  const tampered = async (
    change: (session: Session) => Partial<Session>,
  ): Promise<MemorySessionStorage> => {
    const inner = await stored();
    const session = (await inner.loadSession(SESSION.id))!;
    await inner.storeSession(new Session({ ...session, ...change(session) }));
    return inner;
  };

  it.each<[string, () => Promise<MemorySessionStorage>, EncryptionKey, RegExp]>([
    ['for want of the key', stored, NEW, /shop\.myshopify\.com .*"old".* not among the keys/],
    [
      'for a wrong key of the same id',
      stored,
      { id: 'old', key: randomBytes(32) },
      /accessToken .*"old" is not the key/,
    ],
    [
      'as its tokens were swapped',
      () => tampered((s) => ({ accessToken: s.refreshToken })),
      OLD,
      /accessToken/,
    ],
    [
      'as it was moved to another shop',
      () => tampered(() => ({ shop: 'other.myshopify.com' })),
      OLD,
      /other\.myshopify\.com/,
    ],
    [
      'as a byte was changed',
      () => tampered((s) => ({ accessToken: withAnotherCharacter(s.accessToken!, 30) })),
      OLD,
      /accessToken/,
    ],
    [
      'as it was cut off',
      () => tampered((s) => ({ refreshToken: s.refreshToken!.slice(0, 30) })),
      OLD,
      /refreshToken/,
    ],
  ])('is an error that says so: %s', async (_, open, key, message) => {
    const storage = encrypted(await open(), key);
    const shop = message.source.startsWith('other') ? 'other.myshopify.com' : SHOP;
    for (const read of [
      () => storage.loadSession(SESSION.id),
      () => storage.findSessionsByShop(shop),
    ]) {
      const error = await Promise.resolve(read()).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'ERR_SESSION_ENCRYPTION',
        message: expect.stringMatching(message),
      });
      expect(String(error)).not.toMatch(/sw1:|shpat|shprt/);
    }
  });

  it('opens under no other id', async () => {
    const inner = await stored();
    const session = (await inner.loadSession(SESSION.id))!;
    await inner.storeSession(new Session({ ...session, id: 'another' }));
    await expect(encrypted(inner, OLD).loadSession('another')).rejects.toMatchObject({
      code: 'ERR_SESSION_ENCRYPTION',
    });
  });

  it('can be found all the same, its tokens as they are kept', async () => {
    const inner = await stored();
    const { sealed } = encrypted(inner, NEW);
    const found = [
      await sealed.loadSession(SESSION.id),
      ...(await sealed.findSessionsByShop(SHOP)),
      ...(await sealed.listSessions!({ limit: 9 })),
    ];
    expect(found).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ id: SESSION.id, shop: SHOP })),
    );
    for (const session of found)
      expect(session).toMatchObject({ accessToken: expect.stringMatching(/^sw1:old:/) });
    const { sealed: alone } = new EncryptedSessionStorage(new FiveMethods(), { keys: [NEW] });
    expect(alone.listSessions).toBeUndefined();
  });

  it('is not replaced, and can be deleted', async () => {
    const inner = await stored();
    const storage = encrypted(inner, NEW);
    await expect(storage.replaceSession?.(SESSION, SESSION)).rejects.toMatchObject({
      code: 'ERR_SESSION_ENCRYPTION',
    });
    await storage.deleteSession(SESSION.id);
    expect(await storage.loadSession(SESSION.id)).toBeUndefined();
  });
});

describe('the keys of EncryptedSessionStorage', () => {
  const KEY = Buffer.alloc(32, 250);

  it.each([
    KEY,
    new Uint8Array(KEY),
    KEY.toString('hex'),
    KEY.toString('base64'),
    KEY.toString('base64url'),
  ])('may be 32 bytes, and the same in hex or base64', async (key) => {
    const inner = new MemorySessionStorage();
    await encrypted(inner, { id: 'k', key: KEY }).storeSession(SESSION);
    expect(
      (await encrypted(inner, { id: 'k', key }).loadSession(SESSION.id))?.equals(SESSION),
    ).toBe(true);
  });

  it.each<[string, unknown, string[]]>([
    ['none', [], ['keys']],
    ['no list', undefined, ['keys']],
    ['a passphrase', [{ id: 'k', key: 'correct horse battery staple' }], ['keys[0].key']],
    ['too few bytes', [{ id: 'k', key: Buffer.alloc(16) }], ['keys[0].key']],
    ['a missing variable', [{ id: 'k', key: undefined }], ['keys[0].key']],
    ['a key that is not there', [undefined, NEW], ['keys[0].key', 'keys[0].id']],
    ['an id with a colon', [{ id: 'a:b', key: KEY }], ['keys[0].id']],
    ['an id twice', [NEW, { id: NEW.id, key: KEY }], ['keys[1].id']],
    [
      'all of it',
      [{}, { id: '', key: '' }],
      ['keys[0].key', 'keys[0].id', 'keys[1].key', 'keys[1].id'],
    ],
  ])('are refused by name when they are %s, without being shown', (_, keys, options) => {
    let error: unknown;
    try {
      new EncryptedSessionStorage(new MemorySessionStorage(), { keys: keys as EncryptionKey[] });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'ERR_OPTIONS_INVALID',
      problems: options.map((option) => expect.objectContaining({ option })),
    });
    expect(String(error)).not.toContain('horse');
  });
});

describe('EncryptedSessionStorage', () => {
  it('is refused without options', () => {
    const options = undefined as unknown as EncryptedSessionStorageOptions;
    expect(() => new EncryptedSessionStorage(new MemorySessionStorage(), options)).toThrow(
      InvalidOptionsError,
    );
  });

  it('has what the storage below has besides, and nothing more', () => {
    const memory = new MemorySessionStorage();
    expect(encrypted(memory, NEW).companions).toBe(memory.companions);
    for (const method of [
      'replaceSession',
      'deleteExpiredSessions',
      'listSessions',
      'verify',
      'close',
    ] as const) {
      expect(encrypted(memory, NEW)[method]).toBeInstanceOf(Function);
      expect(
        new EncryptedSessionStorage(new FiveMethods(), { keys: [NEW] })[method],
      ).toBeUndefined();
    }
  });
});
