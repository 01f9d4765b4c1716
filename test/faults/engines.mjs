import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { MARIADB_FAULTS, onMariadb } from './mariadb.faults.mjs';
import { databaseAt, placeName } from './places.mjs';
import { POSTGRESQL_FAULTS, onPostgres } from './postgresql.faults.mjs';
import { REDIS_FAULTS } from './redis.faults.mjs';
import { SQLITE_FAULTS, createPlace } from './sqlite.faults.mjs';

/**
 * A server is stopped for a while, or stands still. Each fault knows how long it lasts (in
 * milliseconds), whether calls must have failed meanwhile, and what it does: `inflict` answers with
 * what undoes it.
 */
const stopped = (id) => ({
  title: 'stopped and started again',
  lasts: 3_000,
  mustFail: true,
  async inflict(_place, servers) {
    await servers.stop(id);
    return () => servers.start(id);
  },
});
const frozen = (id) => ({
  title: 'frozen for 8 s',
  leftOut: existsSync('/proc/self/stat')
    ? undefined
    : 'the processes of a server are found in /proc',
  lasts: 8_000,
  // A driver may wait for longer than that.
  mustFail: false,
  inflict: async (_place, servers) => servers.freeze(id),
});

/**
 * Kinds of engines; `createPlace` makes a place of its own in one: `{ engine, parameters }` as
 * `openStorage` takes it. `createQueue` makes the options of a queue of its own, where one can be.
 */
export const ENGINES = [
  {
    name: 'SQLite',
    createPlace: async (servers) => createPlace(servers),
    faults: SQLITE_FAULTS,
  },
  {
    name: 'Redis',
    server: 'redis',
    createPlace: async (servers) => ({
      engine: 'redis',
      parameters: [servers.url('redis'), { sessionKeyPrefix: placeName() }],
    }),
    createQueue: async (servers) => ({ connection: servers.url('redis'), prefix: placeName() }),
    faults: [stopped('redis'), frozen('redis'), ...REDIS_FAULTS],
  },
  {
    name: 'PostgreSQL',
    server: 'postgres',
    createPlace: async (servers) => {
      const name = placeName();
      await onPostgres(servers, `CREATE DATABASE ${name}`);
      return { engine: 'postgres', parameters: [databaseAt(servers.url('postgres'), name)] };
    },
    createQueue: async (servers) => {
      const name = placeName();
      await onPostgres(servers, `CREATE DATABASE ${name}`);
      return { connection: databaseAt(servers.url('postgres'), name) };
    },
    faults: [stopped('postgres'), frozen('postgres'), ...POSTGRESQL_FAULTS],
  },
  {
    name: 'MariaDB',
    server: 'mysql',
    createPlace: async (servers) => {
      const name = placeName();
      await onMariadb(servers, `CREATE DATABASE ${name}`);
      return { engine: 'mysql', name, parameters: [databaseAt(servers.url('mysql'), name)] };
    },
    faults: [stopped('mysql'), frozen('mysql'), ...MARIADB_FAULTS],
  },
  {
    name: 'FerretDB',
    server: 'mongodb',
    createPlace: async (servers) => ({
      engine: 'mongodb',
      parameters: [servers.url('mongodb'), placeName()],
    }),
    faults: [
      stopped('mongodb'),
      frozen('mongodb'),
      {
        title: 'full',
        leftOut: 'FerretDB keeps its documents in SQLite, and has no such state of its own',
      },
      { title: 'read-only', leftOut: 'FerretDB has no such state' },
    ],
  },
];

/** A fault that has to be noticed lasts no longer than this, in milliseconds, while nobody does. */
const UNNOTICED = 30_000;

/**
 * Inflicts a fault for as long as it lasts, and until it was noticed. It is undone whatever
 * happens.
 * @param begin what is done meanwhile, or was begun before: answers with the load
 *
 */
export async function suffer({ inflict, lasts, mustFail }, place, servers, begin) {
  const undo = servers.toBeUndone(await inflict(place, servers));
  try {
    const load = await begin();
    await sleep(lasts);
    for (let waited = 0; mustFail && load.refused.length === 0 && waited < UNNOTICED; waited += 100)
      await sleep(100);
  } finally {
    await undo();
  }
}
