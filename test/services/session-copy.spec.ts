import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { compareSessions, copySessions } from '../../lib/sessions/maintenance/session-copy.js';
import { Session } from '../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { offlineSession } from '../support/offline-session.js';
import { MONGODB } from './mongodb/databases.js';
import { MYSQL } from './mysql/databases.js';
import { POSTGRESQL } from './postgresql/databases.js';
import { REDIS } from './redis/keys.js';
import type { StoragePlace } from './storage.engine.js';

// On a busy machine servers take their time.
jest.setTimeout(120_000);

const ENGINES = [POSTGRESQL, MYSQL, MONGODB, REDIS];
/** Two of each: more than a page. */
const COUNT = 60;

let places: StoragePlace[];
beforeEach(async () => {
  places = await Promise.all(ENGINES.map(({ createPlace }) => createPlace()));
});
afterEach(async () => {
  await Promise.all(places.map((place) => place.drop()));
});

/** Shops and a user in each, with every field that a session can have. */
function sessions(): Session[] {
  return Array.from({ length: COUNT }, (_, number) => {
    const shop = `shop-${number}.myshopify.com`;
    const common = { shop, expires: new Date(1_800_000_000_000 + number * 1000) };
    return [
      offlineSession({
        ...common,
        id: `offline_${shop}`,
        accessToken: `shpat_${number}`,
        refreshToken: `shprt_${number}`,
        refreshTokenExpires: new Date(1_900_000_000_000 + number * 1000),
      }),
      new Session({
        ...common,
        id: `${shop}_${number}`,
        state: 'nonce',
        isOnline: true,
        scope: 'write_products',
        accessToken: `shpua_${number}`,
        onlineAccessInfo: { associated_user: { id: number, email: `${number}@example.com` } },
      }),
    ];
  }).flat();
}

const pairs = (list: readonly Session[]): unknown =>
  list
    .slice()
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((session) => session.toPropertyArray(true));

describe('sessions that are copied from engine to engine', () => {
  it('arrive as they were, in all of them', async () => {
    const first = new MemorySessionStorage();
    for (const session of sessions()) await first.storeSession(session);
    const storages = [first, ...places.map((place) => place.open())];
    for (const [index, to] of storages.slice(1).entries()) {
      const from = storages[index]!;
      await expect(copySessions({ from, to })).resolves.toMatchObject({
        copied: 2 * COUNT,
        failed: 0,
      });
      await expect(copySessions({ from, to })).resolves.toMatchObject({ unchanged: 2 * COUNT });
      await expect(compareSessions(from, to)).resolves.toMatchObject({
        source: 2 * COUNT,
        target: 2 * COUNT,
        missingCount: 0,
      });
    }
    const last = await storages.at(-1)!.listSessions!({ limit: 1000 });
    expect(pairs(last)).toEqual(pairs(sessions()));
  });
});
