import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Session } from '../../../lib/sessions/session.js';
import { SqliteSessionStorage } from '../../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { whileReadOnly } from './read-only.disk.js';

const SESSION = new Session({
  id: 'offline_shop',
  shop: 'shop.myshopify.com',
  state: '',
  isOnline: false,
  accessToken: 'access',
});
const FAILURE = { code: 'ERR_SESSION_STORAGE' };

describe('a SQLite file that a process left open when it was killed, on a disk that is read-only', () => {
  let folder: string;
  let disk: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shopwright-read-only-'));
    disk = join(folder, 'disk');
    await mkdir(disk);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What is beside the file while it is in use is there when its process is killed. */
  async function leftOpen(): Promise<string> {
    const storage = new SqliteSessionStorage(join(folder, 'sessions.db'));
    await storage.storeSession(SESSION);
    for (const end of ['', '-wal', '-shm'])
      await copyFile(join(folder, `sessions.db${end}`), join(disk, `sessions.db${end}`));
    await storage.close();
    return join(disk, 'sessions.db');
  }

  // It was opened for reading only, and stayed so for every later connection of the process.
  it('is used as soon as it can be written', async () => {
    const storage = new SqliteSessionStorage(await leftOpen());
    await whileReadOnly(disk, async () => {
      await expect(storage.loadSession(SESSION.id)).rejects.toMatchObject(FAILURE);
      await expect(storage.storeSession(SESSION)).rejects.toMatchObject(FAILURE);
    });
    expect(await storage.loadSession(SESSION.id)).toMatchObject({ accessToken: 'access' });
    expect(await storage.storeSession(SESSION)).toBe(true);
    await storage.close();
  });
});
