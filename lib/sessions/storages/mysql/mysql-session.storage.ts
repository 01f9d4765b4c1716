import { SqlSessionStorage } from '../sql/sql-session.storage.js';
import { serverUrl } from '../connection/server-url.js';
import { serverIn } from '../sql/sql-server.js';
import type { SqlServerOptions } from '../sql/sql-server.js';
import { MySQLConnection } from './mysql.connection.js';
import { mysqlDialect } from './mysql.dialect.js';
import { poolIn } from './mysql.driver.js';
import type { MySQLPoolLike } from './mysql.driver.js';
import { editMySQL } from './mysql.migrations.js';
import { poolAt } from './mysql-server.js';

export interface MySQLSessionStorageOptions extends SqlServerOptions {
  /**
   * How many connections are opened at most. Without effect beside a pool.
   * @default 10
   */
  readonly connectionPoolLimit?: number | undefined;
}

/**
 * Keeps sessions in a MySQL or MariaDB database, for any number of processes. Needs the optional
 * dependency `mysql2`.
 *
 * It connects, and brings its tables to the current shape, on first use; what fails then is tried
 * again by the next call. A lost connection is replaced. Loads that meet are sent together. Times
 * are kept in whole seconds. Every method throws `SessionStorageError` when the server cannot be
 * used, within seconds, and `MissingDriverError` without `mysql2`.
 * @example new MySQLSessionStorage('mysql://user:password@db.example.com/my-app?ssl-mode=verify_identity')
 *
 */
export class MySQLSessionStorage extends SqlSessionStorage {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: MySQLSessionStorageOptions = {},
  ): MySQLSessionStorage {
    return new MySQLSessionStorage(serverUrl('mysql', host, dbName, username, password), options);
  }

  /**
   * @param server `mysql://…`, with the driver's parameters if need be; or a pool of the driver,
   * which is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or the name of the table is too
   * long
   */
  constructor(server: string | URL | MySQLPoolLike, options: MySQLSessionStorageOptions = {}) {
    const { connectionPoolLimit: connectionLimit, pool = {} } = options;
    const limit = connectionLimit === undefined ? {} : { connectionLimit };
    const target = serverIn(server, {
      name: 'MySQL',
      urls: /^(?:mysql|mariadb):\/\/[^/?#]/,
      example: 'mysql://localhost/my-app',
      poolIn,
      poolAt: (url) => poolAt(url, { ...limit, ...pool }),
    });
    super(
      {
        dialect: mysqlDialect,
        edit: editMySQL,
        connect: (...opening) => new MySQLConnection(target, ...opening),
      },
      options,
    );
  }
}
