import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import {
  countDue,
  reencryptSessions,
} from '../../../lib/sessions/maintenance/session-reencryption.js';
import type { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { FiveMethods } from '../../support/five-methods.js';
import { offlineSession } from '../../support/offline-session.js';

const shopOf = (number: number): string => `shop-${String(number).padStart(3, '0')}.myshopify.com`;
const sessionOf = (number: number, accessToken = `shpat_of_${number}`): Session =>
  offlineSession({
    id: `offline_${shopOf(number)}`,
    shop: shopOf(number),
    accessToken,
    refreshToken: `shprt_of_${number}`,
  });
const OLD = { id: 'old', key: randomBytes(32) };
const NEW = { id: 'new', key: randomBytes(32) };

async function storageOf(count: number) {
  const below = new MemorySessionStorage();
  const old = new EncryptedSessionStorage(below, { keys: [OLD] });
  for (let number = 1; number < count; number++) await old.storeSession(sessionOf(number));
  await below.storeSession(sessionOf(0));
  return { below, storage: new EncryptedSessionStorage(below, { keys: [NEW, OLD] }) };
}

describe('sessions under a new key', () => {
  it('are all encrypted with it, those in the clear as well, so that the old one can go', async () => {
    const { below, storage } = await storageOf(210);
    await expect(reencryptSessions(storage, { dryRun: true })).resolves.toMatchObject({ due: 210 });
    expect(await countDue(storage)).toBe(210);
    await expect(reencryptSessions(storage)).resolves.toMatchObject({
      reencrypted: 210,
      unchanged: 0,
      failed: 0,
      isComplete: true,
    });
    expect(await countDue(storage)).toBe(0);
    await expect(reencryptSessions(storage)).resolves.toMatchObject({ unchanged: 210 });
    const alone = new EncryptedSessionStorage(below, { keys: [NEW] });
    for (const number of [0, 1, 209])
      expect(await alone.loadSession(`offline_${shopOf(number)}`)).toEqual(sessionOf(number));
  });

  it('stay as the app has written them meanwhile', async () => {
    const { below, storage } = await storageOf(3);
    const replace = below.replaceSession.bind(below);
    let hasRenewed = false;
    below.replaceSession = async (session, previous) => {
      if (!hasRenewed) {
        hasRenewed = true;
        await storage.storeSession(sessionOf(0, 'shpat_renewed'));
      }
      return replace(session, previous);
    };
    await expect(reencryptSessions(storage, { concurrency: 1 })).resolves.toMatchObject({
      reencrypted: 2,
      unchanged: 1,
    });
    expect((await storage.loadSession(`offline_${shopOf(0)}`))?.accessToken).toBe('shpat_renewed');
  });

  it('fail alone where a key is missing', async () => {
    const { below } = await storageOf(2);
    const storage = new EncryptedSessionStorage(below, { keys: [NEW] });
    const results: unknown[] = [];
    for (const dryRun of [true, false])
      await reencryptSessions(storage, { dryRun, onSession: (one) => results.push(one) });
    expect(results).toMatchObject([
      { outcome: 'due' },
      { outcome: 'failed', error: { code: 'ERR_SESSION_ENCRYPTION' } },
      { outcome: 'reencrypted' },
      { outcome: 'failed', error: { code: 'ERR_SESSION_ENCRYPTION' } },
    ]);
    expect(await countDue(storage)).toBe(1);
  });

  it('need a storage that can compare and replace', async () => {
    const storage = new EncryptedSessionStorage(new FiveMethods(), { keys: [NEW] });
    await storage.storeSession(sessionOf(1));
    const other = new EncryptedSessionStorage(new FiveMethods(), { keys: [OLD] });
    await expect(other.reencrypt('offline_x')).rejects.toMatchObject({
      code: 'ERR_SESSION_STORAGE',
    });
    await expect(reencryptSessions(storage)).rejects.toMatchObject({ code: 'ERR_REQUEST_INVALID' });
  });
});
