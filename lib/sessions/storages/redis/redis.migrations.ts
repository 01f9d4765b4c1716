import { isRecord } from '../../../core/json.js';
import type { RedisServer } from '../../../core/redis/redis.connection.js';
import type { Migration, MigrationNotes } from '../connection/pending-migrations.js';
import type { RedisKeys } from './redis-keys.js';
import { jsonIn } from './redis-sessions.js';
import type { RedisSessions } from './redis-sessions.js';

/**
 * What the official storage calls making the lists. It runs it on every key of the server unless
 * this is noted.
 */
const OFFICIAL = 'migrateToVersion1_0_1';

/**
 * From the keys of any earlier version, ours or official, to the current layout. Each does no harm
 * when it is done twice or by several processes at once, so that none has to wait.
 */
export function migrationsOf(
  server: RedisServer,
  keys: RedisKeys,
  sessions: RedisSessions,
): readonly Migration[] {
  const noteOfficial = async (): Promise<unknown> => {
    const record = jsonIn(await server.send('GET', keys.officialMigrations));
    const noted = { ...(isRecord(record) && record), [OFFICIAL]: true };
    return server.send('SET', keys.officialMigrations, JSON.stringify(noted));
  };
  return [
    ['shop-lists', () => sessions.listAll()],
    ['official-record', noteOfficial],
  ];
}

export function notesIn(server: RedisServer, { migrations }: RedisKeys): MigrationNotes {
  return {
    read: async () =>
      ((await server.send('SMEMBERS', migrations)) as Iterable<unknown> | null) ?? [],
    add: (id) => server.send('SADD', migrations, id),
  };
}
