import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/sqlite-session.storage.js';
import { ProgramFile } from '../services/program.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import { offlineSession } from '../support/offline-session.js';
import type { EveryShopCommands } from './every-shop.program.js';

// On a busy machine a process takes its time to start.
jest.setTimeout(120_000);

const SHOPS = Array.from(
  { length: 1000 },
  (_, number) => `shop-${String(number).padStart(4, '0')}.myshopify.com`,
);
const CONCURRENCY = 8;

let file: ProgramFile<EveryShopCommands>;
let store: DevStore;
let folder: string;
let database: string;

beforeEach(async () => {
  file = await ProgramFile.build('test/platform/every-shop.program.ts');
  folder = await mkdtemp(join(tmpdir(), 'shopwright-every-shop-'));
  database = join(folder, 'sessions.sqlite');
  store = await DevStore.open({
    shops: SHOPS,
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  const storage = new SqliteSessionStorage(database);
  for (const shop of SHOPS) {
    const accessToken = store.shop(shop).install(API_KEY, { scopes: ['write_products'] });
    await storage.storeSession(offlineSession({ id: `offline_${shop}`, shop, accessToken }));
  }
  await storage.close();
});
afterEach(async () => {
  await file.kill();
  await file.remove();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** How many calls each shop has got. */
const calls = (): number[] =>
  store.allShops.map(({ events }) => events.filter(({ kind }) => kind === 'api').length);
const called = (): number => calls().filter((count) => count > 0).length;

describe('forEachShop, for a thousand shops', () => {
  it('goes on in another process where one was killed', async () => {
    const origins = JSON.stringify(
      Object.fromEntries(store.allShops.map(({ domain, origin }) => [domain, origin])),
    );
    const killed = await file.start(database, origins);
    const ending = expect(killed.ask('run', CONCURRENCY)).rejects.toThrow('The process ended');
    while (called() < 300) await systemClock.sleep(2);
    await killed.kill();
    await ending;
    expect(called()).toBeLessThan(1000);

    const next = await file.start(database, origins);
    await expect(next.ask('run', CONCURRENCY)).resolves.toEqual({
      succeeded: 1000,
      failedShops: [],
      errors: [],
      isComplete: true,
    });
    expect(called()).toBe(1000);
    // Those that were under way, and the one whose end may not have been noted.
    const repeated = calls().filter((count) => count > 1).length;
    expect(repeated).toBeLessThanOrEqual(CONCURRENCY + 1);

    // The run is complete: another one begins at the beginning.
    const again = await next.ask('run', CONCURRENCY);
    expect([again.succeeded, calls().filter((count) => count > 1).length]).toEqual([1000, 1000]);
  });
});
