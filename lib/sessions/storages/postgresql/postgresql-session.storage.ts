import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import { sqlServerEngine } from '../sql/sql-server-engine.js';
import type { SqlServerOptions } from '../sql/sql-server-engine.js';
import { postgresqlServer } from './postgresql-engine.js';

/** A pool of the driver. */
export interface PostgreSQLPoolLike {
  readonly query: unknown;
  readonly connect: unknown;
  /** What it was made with. */
  readonly options: object;
}

export interface PostgreSQLSessionStorageOptions extends SqlServerOptions {
  /** Where the URL has none. @default the driver's: `PGPORT`, else 5432 */
  readonly port?: number | undefined;
}

/**
 * Keeps sessions in a PostgreSQL database, for any number of processes. Needs the optional
 * dependency `pg`.
 *
 * It connects, and brings its tables to the current shape, on first use; what fails then is tried
 * again by the next call. A lost connection is replaced. Calls that meet are sent together.
 * `expires` is kept in whole seconds. Every method throws {@link SessionStorageError} when the
 * server cannot be used, within seconds unless a pool that is given has longer limits, and
 * {@link MissingDriverError} without `pg`.
 * @example new PostgreSQLSessionStorage('postgres://user:password@db.example.com/my-app?sslmode=verify-full')
 *
 */
export class PostgreSQLSessionStorage extends EngineSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: PostgreSQLSessionStorageOptions = {},
  ): PostgreSQLSessionStorage {
    const url = serverUrl('postgres', host, dbName, username, password);
    return new PostgreSQLSessionStorage(url, options);
  }

  /**
   * @param server `postgres://…`, with the driver's parameters if need be; or a `Pool` of the
   * driver, which is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or the name of the table is too
   * long
   */
  constructor(
    server: string | URL | PostgreSQLPoolLike,
    options: PostgreSQLSessionStorageOptions = {},
  ) {
    super(sqlServerEngine(postgresqlServer(server, options.port, options), options));
  }
}
