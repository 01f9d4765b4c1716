import type { Clock } from '../../../core/time/clock.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { codeOf } from '../connection/optional-driver.js';
import { EngineConnection } from '../connection/engine.connection.js';
import type { Preparation, Reached } from '../connection/engine.connection.js';
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

/** The connection to one database, which the driver repairs when it is lost. */
export class MongoConnection<Tables> extends EngineConnection<OpenDatabase, Tables> {
  constructor(
    private readonly target: MongoTarget,
    clock: Clock,
    preparation: Preparation<OpenDatabase, Tables>,
  ) {
    super(clock, preparation);
  }

  protected async reach(): Promise<Reached<OpenDatabase>> {
    const { server, database } = this.target;
    const own = typeof server === 'string' ? await this.#clientFor(server) : undefined;
    const client = own ?? (server as MongoClientLike);
    const close = async (): Promise<void> => void (await own?.close());
    try {
      await client.connect();
    } catch (cause) {
      await close();
      throw this.errorFor('be reached', cause);
    }
    return { server: databaseOf(client, database), close };
  }

  protected errorFor(what: string, cause: unknown): SessionStorageError {
    return new SessionStorageError(
      `MongoDB (${labelOf(this.target)}) could not ${what}: ${reasonOf(cause)}.`,
      { cause },
    );
  }

  async #clientFor(url: string): Promise<MongoClientLike> {
    const { MongoClient } = await loadDriver();
    try {
      return new MongoClient(url, { ...timeoutsFor(url), ...this.target.clientOptions });
    } catch (cause) {
      throw this.errorFor('be used', cause);
    }
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
