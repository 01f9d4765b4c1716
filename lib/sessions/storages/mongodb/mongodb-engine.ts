import type { Db, MongoClient } from 'mongodb';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { StorageEngine } from '../connection/engine-session.storage.js';
import { codeOf, loadOptional } from '../connection/optional-driver.js';
import { tableRecords } from '../table/table-record.store.js';
import type { RecordTable } from '../table/table-record.store.js';
import { tableSessions } from '../table/table-sessions.js';
import { documentOf, isDuplicate, mongoTable, sessionIn } from './mongodb-documents.js';
import type { Collections } from './mongodb-documents.js';
import { migrate, missingMigrations } from './mongodb.migrations.js';
import type { MongoDBSessionStorageOptions } from './mongodb.options.js';

/**
 * Milliseconds. A server that cannot be reached is waited for as long, rather than for the driver's
 * half a minute; one that stands still is found out by the driver's heartbeat, which then fails the
 * calls under way. What the URL says comes first.
 */
const TIMEOUTS = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  heartbeatFrequencyMS: 5_000,
  waitQueueTimeoutMS: 5_000,
};
/** Reads see what has just been written, even if the URL prefers secondaries. */
const PRIMARY = { readPreference: 'primary' } as const;

/** What we use of a client, of any version of the driver. */
type MongoClientLike = Pick<MongoClient, 'connect' | 'close' | 'db'>;

/** A database of MongoDB. The driver repairs its connections. */
export function mongoEngine(
  given: unknown,
  databaseName: string,
  { clock = systemClock, clientOptions, sessionCollectionName }: MongoDBSessionStorageOptions,
): StorageEngine<Db> {
  if (typeof databaseName !== 'string' || databaseName === '')
    throw new MissingRequiredArgument('MongoDB storage needs the name of a database.');
  // A URL opens a client of our own; a client is used as it is, and left open.
  const server = serverOf(given);
  const name = sessionCollectionName ?? SESSION_TABLES.sessions;

  function errorFor(what: string, cause: unknown): SessionStorageError {
    const hosts = /^[^:]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(String(server))?.[1];
    const place = `${hosts ? `${hosts}, ` : ''}database ${databaseName}`;
    return new SessionStorageError(`MongoDB (${place}) could not ${what}: ${reasonOf(cause)}.`, {
      cause,
    });
  }

  async function clientFor(url: string): Promise<MongoClientLike> {
    const load = (): Promise<typeof import('mongodb')> => import('mongodb');
    const { MongoClient } = await loadOptional('MongoDB', 'mongodb', load);
    try {
      return new MongoClient(url, { ...timeoutsFor(url), ...clientOptions });
    } catch (cause) {
      throw errorFor('be used', cause);
    }
  }

  return {
    clock,
    place: `The collection ${name}`,
    errorFor,
    async reach() {
      const client = typeof server === 'string' ? await clientFor(server) : server;
      const close = async (): Promise<void> => {
        if (client !== server) await client.close();
      };
      try {
        await client.connect();
      } catch (cause) {
        await close();
        throw errorFor('be reached', cause);
      }
      return { server: client.db(databaseName), close };
    },
    async prepare(database) {
      const collections = collectionsOf(database);
      const sessions = tableSessions({
        sessions: mongoTable(collections(name)),
        rowOf: documentOf,
        sessionIn,
        isRepeated: isDuplicate,
      });
      const table: RecordTable = {
        records: mongoTable(collections(`${name}_records`)),
        // Of the server, to the millisecond: the clocks of two machines of an app may differ by
        // more than a lease.
        now: async () => (await database.command({ hello: 1 }, PRIMARY))['localTime'] as Date,
        keyOf: ({ kind, id }) => ({ _id: `${kind}:${id}` }),
        // By their keys, which have an index: they begin with the kind and a colon.
        pageOf: (kind, after = '') => ({
          where: { _id: { gt: `${kind}:${after}`, lt: `${kind};` } },
          orderBy: { _id: 'asc' },
        }),
        isDuplicate,
      };
      const records = tableRecords(table, clock);
      await migrate(collections, name, records, clock);
      return { sessions, records };
    },
    missing: (database) => missingMigrations(collectionsOf(database), name),
  };
}

function serverOf(given: unknown): string | MongoClientLike {
  const url = typeof given === 'string' || given instanceof URL ? String(given) : '';
  if (/^mongodb(?:\+srv)?:\/\/[^/]/.test(url)) return url;
  const client = given as Partial<MongoClientLike> | null | undefined;
  if (typeof client?.db === 'function') return client as MongoClientLike;
  throw new MissingRequiredArgument(
    'MongoDB storage needs a URL, such as "mongodb://localhost:27017/", or a client of the driver.',
  );
}

function collectionsOf(database: Db): Collections {
  return (name) => database.collection(name, { ...PRIMARY, ignoreUndefined: true });
}

function timeoutsFor(url: string): Partial<typeof TIMEOUTS> {
  const given = new URLSearchParams(url.split('?')[1]);
  const names = new Set([...given.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(TIMEOUTS).filter(([name]) => !names.has(name.toLowerCase())),
  );
}

/** What the server says may repeat what it was sent: of its errors the name alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (typeof code !== 'number') return error.message.replace(/\.$/, '');
  return 'codeName' in error ? `${String(error.codeName)} (${code})` : `error ${code}`;
}
