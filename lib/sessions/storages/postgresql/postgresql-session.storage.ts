import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import type { Credentials } from '../connection/given-server.js';
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

/** Options of {@link PostgreSQLSessionStorage}. */
export interface PostgreSQLSessionStorageOptions extends SqlServerOptions {
  /** Where the URL has none. @default the driver's: `PGPORT`, else 5432 */
  readonly port?: number | undefined;
}

/**
 * Keeps sessions in a PostgreSQL database, for any number of processes. Needs the optional
 * dependency `pg`. Calls that meet are sent together. `expires` is kept in whole seconds.
 * @example new PostgreSQLSessionStorage('postgres://user:password@db.example.com/app?sslmode=require')
 */
export class PostgreSQLSessionStorage extends EngineSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    ...parts: Credentials<PostgreSQLSessionStorageOptions>
  ): PostgreSQLSessionStorage {
    return new PostgreSQLSessionStorage(serverUrl('postgres', parts), parts[4]);
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
