import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import type { Session } from '../../session.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import { Batcher } from '../connection/batcher.js';
import { TableSessionStorage } from '../sql/table-session.storage.js';
import { sessionsFor } from '../sql/session-row.js';
import type { Cell } from '../sql/session-row.js';
import type { OfficialRecord } from '../sql/official-tables.js';
import { PostgreSQLInstallationStore } from './postgresql-installation.store.js';
import { PostgreSQLWebhookInbox } from './postgresql-webhook.inbox.js';
import { PostgreSQLConnection } from './postgresql.connection.js';
import type { PostgreSQLTarget } from './postgresql.connection.js';
import { codeOf } from './postgresql.driver.js';
import type { PostgreSQLPoolLike, PostgreSQLQuery, PostgreSQLResult } from './postgresql.driver.js';
import { PostgreSQLLock } from './postgresql.lock.js';
import { LONGEST_TABLE_NAME, migrate, missingIn } from './postgresql.migrations.js';
import { recordsOf, rowsIn, sessionIn, statementsOver, valuesOf } from './session-statements.js';
import type { SessionStatements } from './session-statements.js';

export interface PostgreSQLSessionStorageOptions {
  /**
   * Looked for through the connection's search path. @default the name the official storage uses,
   * whose data is read as it is
   */
  readonly sessionTableName?: string | undefined;
  /** Where the URL has none. @default the driver's: `PGPORT`, else 5432 */
  readonly port?: number | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /**
   * Options of the driver's `Pool`, such as `max` (default 10) or `ssl`. What the URL says comes
   * before them. Without effect beside a pool.
   */
  readonly pool?: Readonly<Record<string, unknown>> | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in a PostgreSQL database, for any number of processes. Needs the optional
 * dependency `pg`.
 *
 * It connects, and brings its tables to the current shape, on first use; what fails then is tried
 * again by the next call. A lost connection is replaced. Calls that meet travel together. `expires`
 * is kept in whole seconds. Every method throws {@link SessionStorageError} when the server cannot
 * be used, within seconds unless a pool that is given has longer limits, and
 * {@link MissingDriverError} without `pg`.
 * @example new PostgreSQLSessionStorage('postgres://user:password@db.example.com/my-app?sslmode=verify-full')
 */
export class PostgreSQLSessionStorage extends TableSessionStorage<PostgreSQLConnection> {
  /** The same for a server whose parts are known. `host` may have a port. */
  static withCredentials(
    host: string,
    dbName: string,
    username: string,
    password: string,
    options: PostgreSQLSessionStorageOptions = {},
  ): PostgreSQLSessionStorage {
    const [database, user, secret] = [dbName, username, password].map(encodeURIComponent);
    return new PostgreSQLSessionStorage(
      `postgres://${user}:${secret}@${host}/${database}`,
      options,
    );
  }

  /** The lock has a connection of its own; the others are tables beside that of the sessions. */
  override readonly companions: CoordinationStores;
  readonly #connection: PostgreSQLConnection;
  readonly #table: string;
  readonly #official: OfficialRecord;
  readonly #sql: SessionStatements;
  readonly #lock: PostgreSQLLock;
  readonly #loads = new Batcher((ids: readonly string[]) => this.#load(ids), {
    isFaultOfOne: isRefusal,
  });
  /**
   * Of two sessions with one id the later stays. A store takes the server longer than a load: more
   * lanes keep it busy.
   */
  readonly #stores = new Batcher((rows: readonly Cell[][]) => this.#store(rows), {
    lanes: 4,
    keyOf: ([id]) => id,
    isFaultOfOne: isRefusal,
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
    const {
      sessionTableName = SESSION_TABLES.sessions,
      migratorOptions = {},
      clock = systemClock,
    } = options;
    super(clock);
    this.#table = checkedName(sessionTableName);
    this.#official = migratorOptions;
    this.#connection = new PostgreSQLConnection(targetOf(server, options), clock);
    this.#sql = statementsOver(this.#table);
    this.#lock = new PostgreSQLLock(this.#connection, this.#table, clock);
    const open = (): Promise<PostgreSQLConnection> => this.open();
    this.companions = {
      lock: this.#lock,
      installations: new PostgreSQLInstallationStore(open, this.#table),
      inbox: new PostgreSQLWebhookInbox(open, this.#table, clock),
    };
  }

  async storeSession(session: Session): Promise<boolean> {
    return this.#stores.ask(valuesOf(session));
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#loads.ask(String(id));
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    await this.#query('delete sessions', this.#sql.delete, [ids.map(String)]);
    return true;
  }

  async findSessionsByShop(shop: string): Promise<Session[]> {
    return rowsIn(
      await this.#query("find a shop's sessions", this.#sql.findByShop, [String(shop)]),
    ).map(sessionIn);
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
    const { rowCount } = await this.#query('replace a session', this.#sql.replace, [
      ...valuesOf(session),
      ...tokens,
    ]);
    return rowCount === 1;
  }

  override async listSessions({
    after,
    limit,
  }: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<Session[]> {
    return rowsIn(
      await this.#query('list sessions', this.#sql.list, [after ?? '', after ?? null, limit]),
    ).map(sessionIn);
  }

  protected override get place(): string {
    return `The table ${this.#table}`;
  }

  protected override async migrate(): Promise<PostgreSQLConnection> {
    await migrate(this.#connection, { table: this.#table, official: this.#official });
    return this.#connection;
  }

  protected override missing(): Promise<string[]> {
    return missingIn(this.#connection, this.#table);
  }

  protected override async deleteExpired(moment: Date, limit: number): Promise<number> {
    const values = [Math.ceil(moment.getTime() / 1000), limit];
    const { rowCount } = await this.#query(
      'delete expired sessions',
      this.#sql.deleteExpired,
      values,
    );
    return rowCount ?? 0;
  }

  protected override async settled(): Promise<void> {
    await Promise.all([this.#loads.settled(), this.#stores.settled()]);
  }

  protected override async release(): Promise<void> {
    this.#lock.close();
    await this.#connection.close();
  }

  async #store(rows: readonly Cell[][]): Promise<true[]> {
    await this.#query('store a session', this.#sql.store, [recordsOf(rows)]);
    return rows.map(() => true);
  }

  async #load(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const [statement, value] =
      ids.length === 1 ? [this.#sql.load, ids[0]] : [this.#sql.loadMany, [...new Set(ids)]];
    return sessionsFor(
      ids,
      rowsIn(await this.#query('load a session', statement, [value])),
      sessionIn,
    );
  }

  async #query(
    what: string,
    statement: PostgreSQLQuery,
    values: readonly unknown[],
  ): Promise<PostgreSQLResult> {
    return (await this.open()).query(what, statement, values);
  }
}

/** The server refuses a value that it was sent: one of many may have sent it. */
function isRefusal(error: unknown): boolean {
  return error instanceof SessionStorageError && /^2[23]/.test(codeOf(error.cause));
}

function targetOf(
  server: string | URL | PostgreSQLPoolLike,
  { port, pool = {} }: PostgreSQLSessionStorageOptions,
): PostgreSQLTarget {
  if (typeof server === 'object' && !(server instanceof URL)) {
    if (
      typeof server?.query === 'function' &&
      typeof server.connect === 'function' &&
      server.options
    )
      return { pool: server };
  } else if (URL.canParse(server)) {
    const url = new URL(server);
    if (port !== undefined && url.port === '') url.port = String(port);
    if (/^postgres(?:ql)?:$/.test(url.protocol)) return { url, poolOptions: pool };
  }
  throw new MissingRequiredArgument(
    'PostgreSQL storage needs a URL, such as "postgres://localhost/my-app", or a pool of the driver.',
  );
}

function checkedName(table: string): string {
  const length = Buffer.byteLength(String(table));
  if (length > 0 && length <= LONGEST_TABLE_NAME) return String(table);
  throw new MissingRequiredArgument(
    `PostgreSQL storage needs a sessionTableName of 1 to ${LONGEST_TABLE_NAME} bytes; it has ${length}.`,
  );
}
