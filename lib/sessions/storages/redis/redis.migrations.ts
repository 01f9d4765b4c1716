import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { RedisKeys } from './redis-keys.js';
import { correctList, pagesOf, parsed, recordsAt, sessionKeys } from './session-records.js';

/**
 * What the official storage calls making the lists. It runs it on every key of the server unless
 * this is noted.
 */
const OFFICIAL = 'migrateToVersion1_0_1';

/** How many sessions are in memory at a time. */
const LISTED_AT_ONCE = 500;

/**
 * In order, each run once per storage. A released step is never changed: add another. Each does no
 * harm when it is done twice or by several processes at once, so that nobody has to wait.
 */
const STEPS: readonly (readonly [
  name: string,
  run: (server: RedisServer, keys: RedisKeys) => Promise<void>,
])[] = [
  ['shop-lists', listSessions],
  ['official-record', noteOfficialMigration],
];

/** Brings the keys to the current shape, whatever version, ours or official, they were left in. */
export async function migrate(server: RedisServer, keys: RedisKeys): Promise<void> {
  const missing = new Set(await missingMigrations(server, keys));
  for (const [step, run] of STEPS) {
    if (!missing.has(step)) continue;
    await run(server, keys);
    await server.send('SADD', keys.migrations, step);
  }
}

/** Names of the steps that have not been taken. */
export async function missingMigrations(server: RedisServer, keys: RedisKeys): Promise<string[]> {
  const done = new Set(
    ((await server.send('SMEMBERS', keys.migrations)) as Iterable<unknown> | null) ?? [],
  );
  return STEPS.map(([step]) => step).filter((step) => !done.has(step));
}

/**
 * The first official version had no lists, and later ones lose entries when sessions of a shop are
 * stored at once.
 */
async function listSessions(server: RedisServer, keys: RedisKeys): Promise<void> {
  for (const page of pagesOf(await sessionKeys(server, keys), LISTED_AT_ONCE)) {
    const byList = new Map<string, string[]>();
    for (const { key, session } of await recordsAt(server, keys, page)) {
      const list = keys.list(session.shop);
      byList.set(list, [...(byList.get(list) ?? []), key]);
    }
    for (const [list, sessions] of byList) await correctList(server, keys, list, sessions);
  }
}

async function noteOfficialMigration(server: RedisServer, keys: RedisKeys): Promise<void> {
  const record = parsed(await server.send('GET', keys.officialMigrations));
  const noted = typeof record === 'object' && !Array.isArray(record) ? record : {};
  await server.send('SET', keys.officialMigrations, JSON.stringify({ ...noted, [OFFICIAL]: true }));
}
