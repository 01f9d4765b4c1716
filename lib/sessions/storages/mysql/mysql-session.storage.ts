import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import { Batcher } from '../connection/batcher.js';
import { TableSessionStorage } from '../sql/table-session.storage.js';
import { MySQLInstallationStore } from './mysql-installation.store.js';
import { MySQLWebhookInbox } from './mysql-webhook.inbox.js';
import { MySQLConnection } from './mysql.connection.js';
import { poolIn } from './mysql.driver.js';
import type { MySQLPoolLike, MySQLValue } from './mysql.driver.js';
import type { MySQLResult } from './mysql-exchange.js';
import { MySQLLock } from './mysql.lock.js';
import { LONGEST_TABLE_NAME, migrate, missingIn } from './mysql.migrations.js';
import { serverAt, serverOf } from './mysql-server.js';
import type { MySQLServer } from './mysql-server.js';
import type { OfficialRecord } from '../sql/official-tables.js';
import { sessionsFor } from '../sql/session-row.js';
import {
  MOST_IDS,
  cellsIn,
  listOf,
  sessionIn,
  statementsOver,
  valuesOf,
} from './session-statements.js';
import type { SessionStatements } from './session-statements.js';

export interface MySQLSessionStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /**
   * How many connections are opened at most; the lock has one more. Without effect beside a pool.
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
 * again by the next call. A lost connection is replaced. Loads that meet travel together. Times are
 * kept in whole seconds. Every method throws `SessionStorageError` when the server cannot be used,
 * within seconds, and `MissingDriverError` without `mysql2`.
 * @example new MySQLSessionStorage('mysql://user:password@db.example.com/my-app?ssl-mode=verify_identity')
 */
export class MySQLSessionStorage extends TableSessionStorage<MySQLConnection> {
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

  /** The lock has a connection of its own; the others are tables beside that of the sessions. */
  override readonly companions: CoordinationStores;
  readonly #connection: MySQLConnection;
  readonly #table: string;
  readonly #official: OfficialRecord;
  readonly #sql: SessionStatements;
  readonly #lock: MySQLLock;
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
    super(clock);
    this.#table = checkedName(sessionTableName);
    this.#official = migratorOptions;
    this.#connection = new MySQLConnection(serverIn(server, options), clock);
    this.#sql = statementsOver(this.#table);
    this.#lock = new MySQLLock(this.#connection, this.#table, clock);
    const open = (): Promise<MySQLConnection> => this.open();
    this.companions = {
      lock: this.#lock,
      installations: new MySQLInstallationStore(open, this.#table),
      inbox: new MySQLWebhookInbox(open, this.#table, clock),
    };
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.#run('store a session', this.#sql.store, valuesOf(session));
    return true;
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#loads.ask(String(id));
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    const connection = await this.open();
    return connection.series('delete sessions', async (send) => {
      for (let start = 0; start < ids.length; start += MOST_IDS) {
        const list = listOf(ids.slice(start, start + MOST_IDS).map(String));
        await send(this.#sql.delete.get(list.length)!, list);
      }
      return true;
    });
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#find("find a shop's sessions", this.#sql.findByShop, [String(shop)]);
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const [id, ...values] = valuesOf(session);
    const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
    const { affectedRows } = await this.#run('replace a session', this.#sql.replace, [
      ...values,
      id!,
      ...tokens,
    ]);
    return affectedRows === 1;
  }

  override listSessions({
    after,
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<Session[]> {
    return this.#find('list sessions', this.#sql.list(limit), [after ?? '', after ?? null]);
  }

  protected override get place(): string {
    return `The table ${this.#table}`;
  }

  protected override async migrate(): Promise<MySQLConnection> {
    await migrate(this.#connection, { table: this.#table, official: this.#official });
    return this.#connection;
  }

  protected override missing(): Promise<string[]> {
    return missingIn(this.#connection, this.#table);
  }

  protected override async deleteExpired(moment: Date, limit: number): Promise<number> {
    const end = Math.ceil(moment.getTime() / 1000);
    const { affectedRows } = await this.#run(
      'delete expired sessions',
      this.#sql.deleteExpired(limit),
      [end],
    );
    return affectedRows;
  }

  protected override settled(): Promise<void> {
    return this.#loads.settled();
  }

  protected override async release(): Promise<void> {
    this.#lock.close();
    await this.#connection.close();
  }

  async #load(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const list = listOf([...new Set(ids)]);
    return sessionsFor(
      ids,
      cellsIn(await this.#run('load a session', this.#sql.load.get(list.length)!, list)),
      sessionIn,
    );
  }

  async #find(what: string, sql: string, values: readonly MySQLValue[]): Promise<Session[]> {
    return cellsIn(await this.#run(what, sql, values)).map(sessionIn);
  }

  async #run(what: string, sql: string, values: readonly MySQLValue[]): Promise<MySQLResult> {
    return (await this.open()).run(what, sql, values);
  }
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

function checkedName(table: string): string {
  const { length } = String(table);
  if (length > 0 && length <= LONGEST_TABLE_NAME) return String(table);
  throw new MissingRequiredArgument(
    `MySQL storage needs a sessionTableName of 1 to ${LONGEST_TABLE_NAME} characters; it has ${length}.`,
  );
}
