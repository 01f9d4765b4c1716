import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { RedisKeys } from './redis-keys.js';
import { parsed } from './redis-sessions.js';

/**
 * What the official storage calls making the lists. It runs it on every key of the server unless
 * this is noted.
 */
const OFFICIAL = 'migrateToVersion1_0_1';

/**
 * In order, each run once per storage. A released step is never changed: add another. Each does no
 * harm when it is done twice or by several processes at once, so that none has to wait.
 */
const STEPS: readonly (readonly [
  name: string,
  run: (server: RedisServer, keys: RedisKeys, listAll: () => Promise<void>) => Promise<void>,
])[] = [
  ['shop-lists', (_server, _keys, listAll) => listAll()],
  ['official-record', noteOfficialMigration],
];

/**
 * Upgrades the keys of any earlier version, ours or official, to the current layout.
 * @param listAll lists every session on the list of its shop
 */
export async function migrate(
  server: RedisServer,
  keys: RedisKeys,
  listAll: () => Promise<void>,
): Promise<void> {
  const missing = new Set(await missingMigrations(server, keys));
  for (const [step, run] of STEPS) {
    if (!missing.has(step)) continue;
    await run(server, keys, listAll);
    await server.send('SADD', keys.migrations, step);
  }
}

/** Names of the steps that have not been taken. */
export async function missingMigrations(server: RedisServer, keys: RedisKeys): Promise<string[]> {
  const members = await server.send('SMEMBERS', keys.migrations);
  const done = new Set((members as Iterable<unknown> | null) ?? []);
  return STEPS.map(([step]) => step).filter((step) => !done.has(step));
}

async function noteOfficialMigration(server: RedisServer, keys: RedisKeys): Promise<void> {
  const record = parsed(await server.send('GET', keys.officialMigrations));
  const noted = typeof record === 'object' && !Array.isArray(record) ? record : {};
  await server.send('SET', keys.officialMigrations, JSON.stringify({ ...noted, [OFFICIAL]: true }));
}
