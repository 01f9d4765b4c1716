import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import { compareSessions, copySessions } from '../../../lib/sessions/maintenance/session-copy.js';
import { copyInstallations } from '../../../lib/sessions/maintenance/installation-copy.js';
import { Session } from '../../../lib/sessions/session.js';
import type { SessionParams } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import type { RecordStore } from '../../../lib/sessions/coordination/record.store.js';
import { FiveMethods } from '../../support/five-methods.js';
import { offlineSession } from '../../support/offline-session.js';

const shopOf = (number: number): string => `shop-${String(number).padStart(3, '0')}.myshopify.com`;
const idOf = (number: number): string => `offline_${shopOf(number)}`;
const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 1, hour));

function sessionOf(number: number, params: Partial<SessionParams> = {}): Session {
  return offlineSession({
    id: idOf(number),
    shop: shopOf(number),
    accessToken: `shpat_of_${number}`,
    expires: at(1),
    refreshToken: `shprt_of_${number}`,
    ...params,
  });
}

async function storageOf(...sessions: Session[]): Promise<MemorySessionStorage> {
  const storage = new MemorySessionStorage();
  for (const session of sessions) await storage.storeSession(session);
  return storage;
}

const key = (id: string) => ({ id, key: randomBytes(32) });

describe('a copy of sessions', () => {
  it('copies all, those of users as well, and has nothing left to do', async () => {
    const user = new Session({
      id: `${shopOf(1)}_7`,
      shop: shopOf(1),
      state: 'nonce',
      isOnline: true,
      scope: 'write_products',
      accessToken: 'shpua_7',
      expires: at(2),
      onlineAccessInfo: { associated_user: { id: 7, email: 'user@example.com' } },
    });
    const from = await storageOf(...Array.from({ length: 230 }, (_, n) => sessionOf(n)), user);
    const to = new MemorySessionStorage();
    await expect(copySessions({ from, to, dryRun: true })).resolves.toMatchObject({ missing: 231 });
    expect(await to.listSessions({ limit: 1 })).toEqual([]);
    await expect(copySessions({ from, to })).resolves.toMatchObject({
      copied: 231,
      unchanged: 0,
      failed: 0,
      isComplete: true,
    });
    expect(await to.listSessions({ limit: 1000 })).toEqual(
      await from.listSessions({ limit: 1000 }),
    );
    await expect(copySessions({ from, to })).resolves.toMatchObject({ copied: 0, unchanged: 231 });
    await expect(compareSessions(from, to)).resolves.toEqual({
      source: 231,
      target: 231,
      missing: [],
      missingCount: 0,
    });
  });

  it.each([
    ['whose token expires later', { expires: at(3) }, { expires: at(2) }, 'replaced'],
    ['whose token expires earlier', { expires: at(1) }, { expires: at(2) }, 'kept'],
    ['that was migrated', { expires: at(3) }, { expires: undefined }, 'replaced'],
    ['that was not migrated', { expires: undefined }, { expires: at(3) }, 'kept'],
    ['of unknown age', { expires: undefined }, { expires: undefined }, 'kept'],
    ['that the target has ended', {}, { accessToken: '', refreshToken: undefined }, 'kept'],
  ])('of a session %s', async (_, source, target, outcome) => {
    const stored = sessionOf(1, { accessToken: 'shpat_other', ...target });
    const from = await storageOf(sessionOf(1, source));
    const to = await storageOf(stored);
    await expect(copySessions({ from, to })).resolves.toMatchObject({ [outcome]: 1 });
    const expected = outcome === 'kept' ? stored : sessionOf(1, source);
    await expect(to.loadSession(idOf(1))).resolves.toEqual(expected);
    await expect(copySessions({ from, to, overwrite: true })).resolves.toMatchObject({
      [outcome === 'kept' ? 'replaced' : 'unchanged']: 1,
    });
    await expect(to.loadSession(idOf(1))).resolves.toEqual(sessionOf(1, source));
  });

  it('leaves alone what the app stores between the look and the replacement', async () => {
    const renewed = sessionOf(1, { accessToken: 'shpat_renewed', expires: at(9) });
    const from = await storageOf(sessionOf(1, { expires: at(3) }));
    class Busy extends MemorySessionStorage {
      override async loadSession(id: string): Promise<Session | undefined> {
        const found = await super.loadSession(id);
        await this.storeSession(renewed);
        return found;
      }
    }
    const to = new Busy();
    await to.storeSession(sessionOf(1, { accessToken: 'shpat_old', expires: at(1) }));
    await expect(copySessions({ from, to })).resolves.toMatchObject({ replaced: 0, kept: 1 });
    expect(await to.findSessionsByShop(shopOf(1))).toEqual([renewed]);
  });

  it('inserts nothing over what the app has stored before the guard let it', async () => {
    const renewed = sessionOf(1, { accessToken: 'shpat_renewed', expires: at(9) });
    const from = await storageOf(sessionOf(1));
    const to = new MemorySessionStorage();
    const summary = await copySessions({
      from,
      to,
      async guard(_, work) {
        await to.storeSession(renewed);
        return work();
      },
    });
    expect([summary.copied, summary.kept]).toEqual([0, 1]);
    expect(await to.loadSession(idOf(1))).toEqual(renewed);
  });

  it('copies the session as it is by now, and none that was deleted', async () => {
    const from = await storageOf(sessionOf(1), sessionOf(2));
    const to = new MemorySessionStorage();
    const list = from.listSessions.bind(from);
    from.listSessions = async (page) => {
      const listed = await list(page);
      await from.storeSession(sessionOf(1, { accessToken: 'shpat_by_now', expires: at(5) }));
      await from.deleteSession(idOf(2));
      return listed;
    };
    await expect(copySessions({ from, to })).resolves.toMatchObject({ copied: 1, gone: 1 });
    expect((await to.loadSession(idOf(1)))?.accessToken).toBe('shpat_by_now');
    expect(await to.loadSession(idOf(2))).toBeUndefined();
  });

  it('keeps encrypted tokens as they are, opens them, or seals them, as the storages say', async () => {
    const [one, other] = [key('one'), key('other')];
    const below = new MemorySessionStorage();
    const from = new EncryptedSessionStorage(below, { keys: [one] });
    await from.storeSession(sessionOf(1));
    const text = (await below.loadSession(idOf(1)))!.accessToken;

    const asKept = new MemorySessionStorage();
    await copySessions({ from, to: asKept });
    expect((await asKept.loadSession(idOf(1)))?.accessToken).toBe(text);
    await expect(copySessions({ from, to: asKept })).resolves.toMatchObject({ unchanged: 1 });

    const opened = new MemorySessionStorage();
    await copySessions({ from, to: opened, opens: true });
    expect(await opened.loadSession(idOf(1))).toEqual(sessionOf(1));

    const sealedBelow = new MemorySessionStorage();
    const sealed = new EncryptedSessionStorage(sealedBelow, { keys: [other] });
    await copySessions({ from, to: sealed });
    expect((await sealedBelow.loadSession(idOf(1)))?.accessToken).toMatch(/^sw1:other:/);
    expect(await sealed.loadSession(idOf(1))).toEqual(sessionOf(1));
    await expect(copySessions({ from, to: sealed })).resolves.toMatchObject({ unchanged: 1 });
  });

  it('seals no token twice', async () => {
    const below = new MemorySessionStorage();
    await new EncryptedSessionStorage(below, { keys: [key('one')] }).storeSession(sessionOf(1));
    const to = new EncryptedSessionStorage(new MemorySessionStorage(), { keys: [key('other')] });
    const results: unknown[] = [];
    const summary = await copySessions({ from: below, to, onSession: (one) => results.push(one) });
    expect(summary.failed).toBe(1);
    expect(results).toEqual([
      expect.objectContaining({
        error: expect.objectContaining({ code: 'ERR_SESSION_ENCRYPTION' }),
      }),
    ]);
  });

  it('goes on behind a session that cannot be opened', async () => {
    const below = new MemorySessionStorage();
    const lost = new EncryptedSessionStorage(below, { keys: [key('lost')] });
    await lost.storeSession(sessionOf(1));
    const from = new EncryptedSessionStorage(below, { keys: [key('one')] });
    await from.storeSession(sessionOf(2));
    const to = new MemorySessionStorage();
    await expect(copySessions({ from, to, opens: true })).resolves.toMatchObject({
      copied: 1,
      failed: 1,
    });
  });

  it('ends when it is told to, and goes on behind the last session', async () => {
    const from = await storageOf(...[1, 2, 3, 4, 5].map((number) => sessionOf(number)));
    const to = new MemorySessionStorage();
    const end = new AbortController();
    const onSession = (): void => end.abort();
    const first = await copySessions({ from, to, concurrency: 2, signal: end.signal, onSession });
    expect(first).toMatchObject({ copied: 2, lastId: idOf(2), isComplete: false });
    await expect(copySessions({ from, to, after: first.lastId })).resolves.toMatchObject({
      copied: 3,
      isComplete: true,
    });
  });

  it('copies to a storage of five methods, and not from one', async () => {
    const from = await storageOf(sessionOf(1));
    const to = new FiveMethods();
    await expect(copySessions({ from, to })).resolves.toMatchObject({ copied: 1 });
    await expect(compareSessions(from, to)).resolves.toMatchObject({ target: undefined });
    await expect(copySessions({ from: to, to: from })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });
});

describe('a copy of installations', () => {
  it('takes over what the target lacks, so that the app can go on with it', async () => {
    const [from, to] = [new MemorySessionStorage(), new MemorySessionStorage()];
    const installation = {
      app: 'app',
      shop: shopOf(1),
      generation: 2,
      status: 'installed',
      scope: 'read_products',
      grantedAt: at(1),
      pending: [{ event: 'reinstalled', version: 3 }],
    } as const;
    const { installations } = from.companions;
    for (const version of [1, 2, 3]) await installations.save({ ...installation, version });
    await installations.save({ ...installation, shop: shopOf(2), version: 1 });
    await to.companions.installations.save({
      ...installation,
      shop: shopOf(2),
      generation: 9,
      version: 1,
    });
    const copy = (dryRun?: boolean) => copyInstallations(from.records, to.records, { dryRun });
    await expect(copy(true)).resolves.toEqual({ copied: 1, kept: 1, isComplete: true });
    await expect(copy()).resolves.toEqual({ copied: 1, kept: 1, isComplete: true });
    await expect(copy()).resolves.toEqual({ copied: 0, kept: 2, isComplete: true });
    const copied = await to.companions.installations.load('app', shopOf(1));
    expect(copied).toEqual({ ...installation, version: 1 });
    await expect(
      to.companions.installations.save({ ...copied!, status: 'uninstalled', version: 2 }),
    ).resolves.toBe(true);
    expect((await to.companions.installations.load('app', shopOf(2)))?.generation).toBe(9);
  });

  it('says whether the signal has ended the copy of installations before the last one', async () => {
    const from = new MemorySessionStorage();
    const record = { kind: 'installation', state: 'installed', data: '{"version":1}', version: 1 };
    for (let number = 0; number < 1_030; number++)
      await from.records.put({ ...record, id: idOf(number) });
    const endedOn = async (page: number) => {
      const end = new AbortController();
      let pages = 0;
      const to = new MemorySessionStorage();
      const list: RecordStore['list'] = (query) => {
        if (++pages === page) end.abort();
        return from.records.list(query);
      };
      return copyInstallations({ list }, to.records, { signal: end.signal });
    };
    await expect(endedOn(1)).resolves.toEqual({ copied: 1_000, kept: 0, isComplete: false });
    await expect(endedOn(2)).resolves.toEqual({ copied: 1_030, kept: 0, isComplete: true });
  });
});
