import type { Db, MongoClient } from 'mongodb';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { EngineTables, StorageEngine } from '../connection/engine-session.storage.js';
import type { Reached } from '../connection/engine.connection.js';
import { codeOf } from '../connection/optional-driver.js';
import { tableRecords } from '../table/table-record.store.js';
import { tableSessions } from '../table/table-sessions.js';
import { mongoTable } from './mongodb-table.js';
import { isDuplicate, loadDriver } from './mongodb.driver.js';
import type { Collections } from './mongodb.driver.js';
import { migrate, missingMigrations } from './mongodb.migrations.js';
import type { MongoDBSessionStorageOptions } from './mongodb.options.js';
import { documentOf, sessionIn } from './session-document.js';

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
export class MongoEngine implements StorageEngine<Db> {
  readonly clock: Clock;
  readonly place: string;
  /** A URL opens a client of our own; a client is used as it is, and left open. */
  readonly #server: string | MongoClientLike;
  readonly #sessions: string;

  /** @throws {MissingRequiredArgument} when one of the two is missing or no such thing */
  constructor(
    server: unknown,
    private readonly database: string,
    private readonly options: MongoDBSessionStorageOptions,
  ) {
    if (typeof database !== 'string' || database === '')
      throw new MissingRequiredArgument('MongoDB storage needs the name of a database.');
    this.#server = serverOf(server);
    this.#sessions = options.sessionCollectionName ?? SESSION_TABLES.sessions;
    this.place = `The collection ${this.#sessions}`;
    this.clock = options.clock ?? systemClock;
  }

  async reach(): Promise<Reached<Db>> {
    const own = typeof this.#server === 'string' ? await this.#clientFor(this.#server) : undefined;
    const client = own ?? (this.#server as MongoClientLike);
    const close = async (): Promise<void> => void (await own?.close());
    try {
      await client.connect();
    } catch (cause) {
      await close();
      throw this.errorFor('be reached', cause);
    }
    return { server: client.db(this.database), close };
  }

  async prepare(database: Db): Promise<EngineTables> {
    const collections = collectionsOf(database);
    const [sessions, records] = [this.#sessions, `${this.#sessions}_records`].map((name) =>
      mongoTable(collections(name)),
    );
    const tables = {
      sessions: tableSessions({
        sessions: sessions!,
        rowOf: documentOf,
        sessionIn,
        isRepeated: isDuplicate,
      }),
      records: tableRecords(
        {
          records: records!,
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
        },
        this.clock,
      ),
    };
    await migrate(collections, this.#sessions, tables.records, this.clock);
    return tables;
  }

  missing(database: Db): Promise<readonly string[]> {
    return missingMigrations(collectionsOf(database), this.#sessions);
  }

  errorFor(what: string, cause: unknown): SessionStorageError {
    const hosts = /^[^:]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(String(this.#server))?.[1];
    const place = `${hosts ? `${hosts}, ` : ''}database ${this.database}`;
    return new SessionStorageError(`MongoDB (${place}) could not ${what}: ${reasonOf(cause)}.`, {
      cause,
    });
  }

  async #clientFor(url: string): Promise<MongoClientLike> {
    const { MongoClient } = await loadDriver();
    try {
      return new MongoClient(url, { ...timeoutsFor(url), ...this.options.clientOptions });
    } catch (cause) {
      throw this.errorFor('be used', cause);
    }
  }
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
