import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { Batcher } from '../connection/batcher.js';
import { sessionsFor } from '../sql/session-row.js';
import { SqlSessionStorage, checkedTableName } from '../sql/sql-session.storage.js';
import { cellsIn } from '../sql/sql.dialect.js';
import { applyMigrations, missingIn, pendingIn } from '../sql/sql.migrations.js';
import type { OfficialRecord } from '../sql/sql.migrations.js';
import { MySQLConnection } from './mysql.connection.js';
import { mysqlDialect } from './mysql.dialect.js';
import { poolIn } from './mysql.driver.js';
import type { MySQLPoolLike } from './mysql.driver.js';
import { MIGRATIONS, MySQLTableEditor, takeTurn } from './mysql.migrations.js';
import { serverAt, serverOf } from './mysql-server.js';
import type { MySQLServer } from './mysql-server.js';

export interface MySQLSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /**
   * How many connections are opened at most. Without effect beside a pool.
   * @default 10
   */
  readonly connectionPoolLimit?: number | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /**
   * Options of the driver's `createPool`, such as `ssl`. They come before what the URL says.
   * Without effect beside a pool.
   */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
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
export class MySQLSessionStorage extends SqlSessionStorage<MySQLConnection> {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: MySQLSessionStorageOptions = {},
  ): MySQLSessionStorage {
    const [database, user, secret] = [dbName, username, password].map(encodeURIComponent);
    return new MySQLSessionStorage(`mysql://${user}:${secret}@${host}/${database}`, options);
  }

  readonly #connection: MySQLConnection;
  readonly #official: OfficialRecord;
  readonly #statements: ReturnType<typeof batchStatements>;
  readonly #loads = new Batcher((ids: readonly string[]) => this.#load(ids), { most: MOST_IDS });

  /**
   * @param server `mysql://…`, with the driver's parameters if need be; or a pool of the driver,
   * which is left open
   * @throws {MissingRequiredArgument} when it is no such thing, or the name of the table is too
   * long
   */
  constructor(server: string | URL | MySQLPoolLike, options: MySQLSessionStorageOptions = {}) {
    const {
      sessionTableName = SESSION_TABLES.sessions,
      migratorOptions = {},
      clock = systemClock,
    } = options;
    const table = checkedTableName('MySQL', sessionTableName, { longest: 64, unit: 'characters' });
    super(mysqlDialect, table, clock);
    this.#official = migratorOptions;
    this.#connection = new MySQLConnection(serverIn(server, options), clock);
    this.#statements = batchStatements(mysqlDialect.quote(table), this.sql.select);
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#loads.ask(String(id));
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    const connection = await this.open();
    return connection.series('delete sessions', async (run) => {
      for (let start = 0; start < ids.length; start += MOST_IDS) {
        const list = listOf(ids.slice(start, start + MOST_IDS).map(String));
        await run(this.#statements.delete.get(list.length)!, list);
      }
      return true;
    });
  }

  protected override async migrate(): Promise<MySQLConnection> {
    const { table } = this;
    const options = { table, official: this.#official };
    const what = `set up the table ${table}`;
    // What is there already needs neither a lock nor the right to change tables.
    if ((await pendingIn(await this.#editor(what), MIGRATIONS, table)).length > 0)
      await this.#connection.exclusive(what, async (run) => {
        await takeTurn(run);
        await applyMigrations(await MySQLTableEditor.around(run), MIGRATIONS, options);
      });
    return this.#connection;
  }

  protected override async missing(): Promise<string[]> {
    return missingIn(await this.#editor('be verified'), MIGRATIONS, this.table);
  }

  protected override settled(): Promise<void> {
    return this.#loads.settled();
  }

  protected override release(): Promise<void> {
    return this.#connection.close();
  }

  async #load(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const list = listOf([...new Set(ids)]);
    const sql = this.#statements.load.get(list.length)!;
    return sessionsFor(ids, cellsIn(await this.run('load a session', sql, list)), this.sessionIn);
  }

  #editor(what: string): Promise<MySQLTableEditor> {
    return MySQLTableEditor.around((sql, values) => this.#connection.run(what, sql, values));
  }
}

/** How many ids a statement takes at most. */
const MOST_IDS = 100;
/** Few, so that few statements are prepared. */
const LIST_LENGTHS = [1, 4, 16, MOST_IDS];

/** The statements over many sessions at once, by the number of their ids. */
function batchStatements(table: string, select: string) {
  const over = (verb: string): ReadonlyMap<number, string> =>
    new Map(
      LIST_LENGTHS.map((length) => {
        const placeholders = Array<string>(length).fill('?').join(', ');
        return [length, `${verb} WHERE id IN (${placeholders})`];
      }),
    );
  return { load: over(select), delete: over(`DELETE FROM ${table}`) };
}

/**
 * One to a hundred ids, the first of them repeated until the list has a length that there is a
 * statement for.
 */
function listOf(ids: readonly string[]): string[] {
  const length = LIST_LENGTHS.find((length) => length >= ids.length) ?? ids.length;
  return [...ids, ...Array<string>(length - ids.length).fill(ids[0]!)];
}

function serverIn(
  server: string | URL | MySQLPoolLike,
  { connectionPoolLimit, pool = {} }: MySQLSessionStorageOptions,
): MySQLServer {
  if (typeof server === 'object' && !(server instanceof URL)) {
    const given = poolIn(server);
    if (given) return serverOf(given);
  } else if (URL.canParse(server)) {
    const url = new URL(server);
    const limit = connectionPoolLimit === undefined ? {} : { connectionLimit: connectionPoolLimit };
    if (/^(?:mysql|mariadb):$/.test(url.protocol) && url.hostname !== '')
      return serverAt(url, { ...limit, ...pool });
  }
  throw new MissingRequiredArgument(
    'MySQL storage needs a URL, such as "mysql://localhost/my-app", or a pool of the driver.',
  );
}
