import { systemClock } from '../../../core/time/clock.js';
import type { Session } from '../../session.js';
import { Batcher } from '../connection/batcher.js';
import type { Cell } from '../sql/session-row.js';
import { SqlSessionStorage } from '../sql/sql-session.storage.js';
import { serverIn, serverUrl } from '../sql/sql-server.js';
import type { SqlServerOptions } from '../sql/sql-server.js';
import { PostgreSQLConnection, poolAt } from './postgresql.connection.js';
import { postgresqlDialect, recordsOf, storeStatement } from './postgresql.dialect.js';
import { poolIn } from './postgresql.driver.js';
import type { PostgreSQLPoolLike } from './postgresql.driver.js';
import { editPostgreSQL } from './postgresql.migrations.js';

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
export class PostgreSQLSessionStorage extends SqlSessionStorage<PostgreSQLConnection> {
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

  readonly #store = storeStatement(postgresqlDialect.quote(this.table));
  /**
   * Of two sessions with one id the later stays. A store takes the server longer than a load: more
   * lanes keep it busy.
   */
  readonly #stores = new Batcher((rows: readonly Cell[][]) => this.#storeAll(rows), {
    lanes: 4,
    keyOf: ([id]) => id,
    isFaultOfOne: postgresqlDialect.isRejected,
  });

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
    const { port, pool = {}, clock = systemClock } = options;
    const target = serverIn(server, {
      name: 'PostgreSQL',
      urls: /^postgres(?:ql)?:/,
      example: 'postgres://localhost/my-app',
      port,
      poolIn,
      poolAt: (url) => poolAt(url, pool),
    });
    const engine = { dialect: postgresqlDialect, edit: editPostgreSQL };
    super(engine, new PostgreSQLConnection(target, clock), options);
  }

  override async storeSession(session: Session): Promise<boolean> {
    return this.#stores.ask(this.cellsOf(session));
  }

  protected override async settled(): Promise<void> {
    await Promise.all([super.settled(), this.#stores.settled()]);
  }

  async #storeAll(rows: readonly Cell[][]): Promise<true[]> {
    await this.run('store a session', this.#store, [recordsOf(rows)]);
    return rows.map(() => true);
  }
}
