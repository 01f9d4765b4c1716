import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import { ServerConnection } from '../connection/server.connection.js';
import { loadDriver } from './mongodb.driver.js';
import type { MongoClientLike, MongoCollection, MongoDatabase } from './mongodb.driver.js';

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

export interface MongoTarget {
  /** A URL opens a client of our own; a client is used as it is, and left open. */
  readonly server: string | MongoClientLike;
  readonly database: string;
  readonly clientOptions?: Readonly<Record<string, unknown>> | undefined;
}

/** A database whose server has been reached. */
export interface OpenDatabase {
  collection(name: string): MongoCollection;
  /**
   * Of the server, to the millisecond: the clocks of two machines of an app may differ by more than
   * a lease.
   */
  now(): Promise<Date>;
}

interface Connected {
  readonly database: OpenDatabase;
  /** Closes a client of our own. */
  close(): Promise<void>;
}

/** The connection to one database, which the driver repairs when it is lost. */
export class MongoConnection extends ServerConnection<OpenDatabase> {
  readonly #connected = new LazyPromise(() => this.#prepareOnce());

  /** @param prepare runs once per connection, before anything else */
  constructor(
    private readonly target: MongoTarget,
    private readonly prepare: (database: OpenDatabase) => Promise<void>,
    clock: Clock,
  ) {
    super(clock);
  }

  protected async connected(): Promise<OpenDatabase> {
    return (await this.#connected.get()).database;
  }

  protected async connectedFor<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const { database, close } = await this.#connect();
    return work(database).finally(close);
  }

  protected detach(): () => Promise<void> {
    const opened = this.#connected.forget();
    return async () => (await opened)?.close();
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    return new SessionStorageError(
      `MongoDB (${labelOf(this.target)}) could not ${what}: ${reasonOf(cause)}.`,
      { cause },
    );
  }

  async #prepareOnce(): Promise<Connected> {
    const connected = await this.#connect();
    try {
      await this.explained('be prepared', () => this.prepare(connected.database));
      return connected;
    } catch (error) {
      await connected.close();
      throw error;
    }
  }

  async #connect(): Promise<Connected> {
    const client = await this.#client();
    const close = async (): Promise<void> => {
      if (client !== this.target.server) await client.close();
    };
    try {
      await this.explained('be reached', () => client.connect());
    } catch (error) {
      await close();
      throw error;
    }
    return { database: databaseOf(client, this.target.database), close };
  }

  async #client(): Promise<MongoClientLike> {
    const { server, clientOptions } = this.target;
    if (typeof server !== 'string') return server;
    const { MongoClient } = await loadDriver();
    return this.explained(
      'be used',
      async () => new MongoClient(server, { ...timeoutsFor(server), ...clientOptions }),
    );
  }
}

function databaseOf(client: MongoClientLike, name: string): OpenDatabase {
  const database = client.db(name) as MongoDatabase;
  return {
    collection: (collection) =>
      database.collection(collection, { ...PRIMARY, ignoreUndefined: true }) as MongoCollection,
    now: async () => (await database.command({ hello: 1 }, PRIMARY))['localTime'] as Date,
  };
}

function timeoutsFor(url: string): Partial<typeof TIMEOUTS> {
  const given = new URLSearchParams(url.split('?')[1]);
  const names = new Set([...given.keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(TIMEOUTS).filter(([name]) => !names.has(name.toLowerCase())),
  );
}

/** Hosts and database, without the credentials. */
function labelOf({ server, database }: MongoTarget): string {
  const hosts =
    typeof server === 'string' ? /^[^:]+:\/\/(?:[^/?]*@)?([^/?]*)/.exec(server)?.[1] : undefined;
  return hosts ? `${hosts}, database ${database}` : `database ${database}`;
}

/** What the server says may repeat what it was sent: of its errors the name alone. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (typeof code !== 'number') return error.message.replace(/\.$/, '');
  return 'codeName' in error ? `${String(error.codeName)} (${code})` : `error ${code}`;
}
