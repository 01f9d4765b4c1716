import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import { serverUrl } from '../connection/given-server.js';
import type { Credentials } from '../connection/given-server.js';
import { sqlServerEngine } from '../sql/sql-server-engine.js';
import type { SqlServerOptions } from '../sql/sql-server-engine.js';
import { mysqlServer } from './mysql-engine.js';

/** A pool of the driver, whether made by `mysql2` or by `mysql2/promise`. */
export interface MySQLPoolLike {
  readonly getConnection: unknown;
  readonly end: unknown;
}

/** Options of {@link MySQLSessionStorage}. */
export interface MySQLSessionStorageOptions extends SqlServerOptions {
  /** How many connections are opened at most. Without effect beside a pool. @default 10 */
  readonly connectionPoolLimit?: number | undefined;
}

/**
 * Keeps sessions in a MySQL or MariaDB database, for any number of processes. Needs the optional
 * dependency `mysql2`. Loads that meet are sent together. Times are kept in whole seconds.
 * @example new MySQLSessionStorage('mysql://user:password@db.example.com/app?ssl-mode=required')
 */
export class MySQLSessionStorage extends EngineSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(...parts: Credentials<MySQLSessionStorageOptions>): MySQLSessionStorage {
    return new MySQLSessionStorage(serverUrl('mysql', parts), parts[4]);
  }

  /**
   * @param server `mysql://…`, with the driver's parameters if need be; or a pool of the driver,
   * which is left open
   * @throws {MissingRequiredArgument} when it is no such thing, its URL has no database or an
   * unknown `ssl-mode`, or the name of the table is too long
   */
  constructor(server: string | URL | MySQLPoolLike, options: MySQLSessionStorageOptions = {}) {
    super(sqlServerEngine(mysqlServer(server, options.connectionPoolLimit, options), options));
  }
}
