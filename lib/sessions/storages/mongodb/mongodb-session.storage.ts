import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import { serverUrl } from '../connection/server-url.js';
import { TableSessionStorage } from '../table/table-session.storage.js';
import { MongoDBRecordStore } from './mongodb-record.store.js';
import { MongoConnection } from './mongodb.connection.js';
import type { OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoClientLike } from './mongodb.driver.js';
import { migrate, missingMigrations, tablesOf } from './mongodb.migrations.js';
import type { CollectionNames, MongoTables } from './mongodb.migrations.js';
import { documentOf, sessionIn } from './session-document.js';

export interface MongoDBSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionCollectionName?: string | undefined;
  /**
   * Options of the driver's `MongoClient`, such as `tlsCAFile`. They come before what the URL says.
   * Without effect beside a client.
   */
  readonly clientOptions?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in a MongoDB database, for any number of processes. Needs the optional dependency
 * `mongodb`.
 *
 * It connects, and brings its collections to the current shape, on first use; what fails then is
 * tried again by the next call. A lost connection is repaired. Every method throws
 * {@link SessionStorageError} when the server cannot be used, within seconds (with a client that is
 * given, within the limits of that one), and {@link MissingDriverError} without `mongodb`. Close it
 * when the process is to end.
 * @example new MongoDBSessionStorage('mongodb://user:password@db.example.com/', 'my-app')
 */
export class MongoDBSessionStorage extends TableSessionStorage<OpenDatabase, MongoTables> {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: MongoDBSessionStorageOptions = {},
  ): MongoDBSessionStorage {
    const url = serverUrl('mongodb', host, '', username, password);
    return new MongoDBSessionStorage(url, dbName, options);
  }

  override readonly companions: CoordinationStores;
  /** What the companions are kept in. */
  readonly records: RecordStore;
  readonly #names: CollectionNames;

  /**
   * @param server `mongodb://…` or `mongodb+srv://…`, with several hosts and options if need be; or
   * a client of the driver, which is left open
   * @throws {MissingRequiredArgument} when one of the two is missing or no such thing
   */
  constructor(
    server: string | URL | MongoClientLike,
    dbName: string,
    options: MongoDBSessionStorageOptions = {},
  ) {
    const { sessionCollectionName: sessions = SESSION_TABLES.sessions, clock = systemClock } =
      options;
    if (typeof dbName !== 'string' || dbName === '')
      throw new MissingRequiredArgument('MongoDB storage needs the name of a database.');
    const names = { sessions, records: `${sessions}_records` };
    const target = {
      server: serverOf(server),
      database: dbName,
      clientOptions: options.clientOptions,
    };
    const prepare = async (database: OpenDatabase): Promise<MongoTables> => {
      await migrate(database, names, clock);
      return tablesOf(database, names);
    };
    const preparation = { what: 'be prepared', run: prepare };
    super(new MongoConnection(target, clock, preparation), isDuplicate);
    this.#names = names;
    this.records = new MongoDBRecordStore(this.connection, isDuplicate, clock);
    this.companions = coordinationOver(this.records);
  }

  protected get place(): string {
    return `The collection ${this.#names.sessions}`;
  }

  protected missing(): Promise<string[]> {
    return this.connection.inspect('be verified', (database) =>
      missingMigrations(database, this.#names),
    );
  }

  protected readonly rowOf = documentOf;
  protected readonly sessionIn = sessionIn;
}

function serverOf(server: string | URL | MongoClientLike): string | MongoClientLike {
  if (typeof server === 'string' || server instanceof URL) {
    const url = String(server);
    if (/^mongodb(?:\+srv)?:\/\/[^/]/.test(url)) return url;
  } else if (typeof server?.db === 'function') {
    return server;
  }
  throw new MissingRequiredArgument(
    'MongoDB storage needs a URL, such as "mongodb://localhost:27017/", or a client of the driver.',
  );
}
