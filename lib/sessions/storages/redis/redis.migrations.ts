import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { Migration } from '../connection/pending-migrations.js';
import type { RedisKeys } from './redis-keys.js';
import { parsed } from './redis-sessions.js';
import type { RedisSessions } from './redis-sessions.js';

/**
 * What the official storage calls making the lists. It runs it on every key of the server unless
 * this is noted.
 */
const OFFICIAL = 'migrateToVersion1_0_1';

/**
 * In order, each run once per storage. A released step is never changed: add another. Each does no
 * harm when it is done twice or by several processes at once, so that none has to wait.
 */
const STEPS: readonly Migration<(sessions: RedisSessions, keys: RedisKeys) => Promise<void>>[] = [
  ['shop-lists', (sessions) => sessions.listAll()],
  ['official-record', noteOfficialMigration],
];

/** Upgrades the keys of any earlier version, ours or official, to the current layout. */
export async function migrate(sessions: RedisSessions, keys: RedisKeys): Promise<void> {
  for (const [step, run] of await pendingIn(sessions.server, keys)) {
    await run(sessions, keys);
    await sessions.server.send('SADD', keys.migrations, step);
  }
}

/** Names of the steps that have not been taken. */
export async function missingMigrations(server: RedisServer, keys: RedisKeys): Promise<string[]> {
  return (await pendingIn(server, keys)).map(([step]) => `migration ${step}`);
}

async function pendingIn(server: RedisServer, keys: RedisKeys): Promise<typeof STEPS> {
  const members = await server.send('SMEMBERS', keys.migrations);
  const done = new Set((members as Iterable<unknown> | null) ?? []);
  return STEPS.filter(([step]) => !done.has(step));
}

async function noteOfficialMigration({ server }: RedisSessions, keys: RedisKeys): Promise<void> {
  const record = parsed(await server.send('GET', keys.officialMigrations));
  const noted = typeof record === 'object' && !Array.isArray(record) ? record : {};
  await server.send('SET', keys.officialMigrations, JSON.stringify({ ...noted, [OFFICIAL]: true }));
}
