import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import type { Clock } from '../../../core/time/clock.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import type { Session } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { closeAfter } from '../connection/in-flight-calls.js';
import { pageLimit } from '../connection/page-limit.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from './session-row.js';
import type { Cell } from './session-row.js';
import { SqlRecordStore } from './sql-record.store.js';
import { recordTableName } from './sql.migrations.js';
import { cellsIn, statement } from './sql.dialect.js';
import type { SqlConnection, SqlDialect, SqlResult, SqlValue } from './sql.dialect.js';

/** How many expired sessions are deleted at a time. */
const DELETED_AT_ONCE = 1_000;

/**
 * A storage that keeps sessions as rows of a table, and everything else in a table beside it. It is
 * opened, and its tables are brought to their current shape, on first use; what fails then is tried
 * again by the next call.
 */
export abstract class SqlSessionStorage<Connection extends SqlConnection> extends SessionStorage {
  override readonly companions: CoordinationStores;
  /** What {@link companions} are kept in. */
  readonly records: RecordStore;
  protected readonly sql: ReturnType<typeof statementsOver>;
  readonly #migrated = new LazyPromise(() => this.migrate());
  #closings = 0;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly dialect: SqlDialect,
    protected readonly table: string,
    private readonly clock: Clock,
  ) {
    super();
    this.sql = statementsOver(dialect.quote(table), dialect);
    const records = dialect.quote(recordTableName(table));
    this.records = new SqlRecordStore(() => this.open(), dialect, records, clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolves when the database is reached and the tables are there; opens it if need be. */
  get ready(): Promise<void> {
    return this.open().then(() => {});
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.run('store a session', this.sql.store, this.cellsOf(session));
    return true;
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  findSessionsByShop(shop: string): Promise<Session[]> {
    return this.#find("find a shop's sessions", this.sql.findByShop, [String(shop)]);
  }

  override async replaceSession(session: Session, previous: Session): Promise<boolean> {
    const [id, ...cells] = this.cellsOf(session);
    const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
    const values = [...cells, id!, ...tokens];
    return (await this.run('replace a session', this.sql.replace, values)).changes === 1;
  }

  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const sql = this.sql.list(after === undefined ? '>=' : '>', pageLimit(limit));
    return this.#find('list sessions', sql, [after ?? '']);
  }

  /**
   * In parts, so that other calls wait no longer than for one of them. What is left when the
   * storage is closed is left to the next call.
   */
  override async deleteExpiredSessions(moment: Date): Promise<number> {
    const closings = this.#closings;
    const end = Math.ceil(moment.getTime() / this.dialect.format.timeUnits.expires);
    let count = 0;
    do {
      const { changes } = await this.run('delete expired sessions', this.sql.deleteExpired, [end]);
      count += changes;
      if (changes < DELETED_AT_ONCE) return count;
      await this.clock.sleep(0);
    } while (closings === this.#closings);
    return count;
  }

  /**
   * Creates nothing: `ready` does. @throws {SessionStorageError} that names each migration, column
   * and key that is missing
   */
  override async verify(): Promise<void> {
    const missing = await this.missing();
    if (missing.length === 0) return;
    throw new SessionStorageError(
      `${this.place} lacks ${missing.join(', ')}. Migrations are applied on first use: await storage.ready.`,
    );
  }

  /**
   * Closes what was opened here, not what was given, after the calls in progress. It waits for five
   * seconds at most: what is not answered by then ends by itself, and opens it anew if it has more
   * to ask. So does a later call.
   */
  override close(): Promise<void> {
    this.#closings++;
    const release = (): Promise<void> => {
      // From here on there is something else to close.
      this.#closing = undefined;
      void this.#migrated.forget();
      return this.release();
    };
    this.#closing ??= closeAfter(this.#answered(), release, this.clock);
    return this.#closing;
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /** Resolves with the database once its tables have the current shape. */
  protected open(): Promise<Connection> {
    return this.#migrated.get();
  }

  protected async run(what: string, sql: string, values: readonly SqlValue[]): Promise<SqlResult> {
    return (await this.open()).run(what, sql, values);
  }

  /** A session as parameters, in the columns' order. */
  protected cellsOf(session: Session): Cell[] {
    return cellsOf(session, this.dialect.format);
  }

  /** The session in a row of {@link SESSION_COLUMNS}. */
  protected readonly sessionIn = (cells: readonly unknown[]): Session =>
    sessionInCells(cells, this.dialect.format);

  async #find(what: string, sql: string, values: readonly SqlValue[]): Promise<Session[]> {
    return cellsIn(await this.run(what, sql, values)).map(this.sessionIn);
  }

  async #answered(): Promise<void> {
    await this.#migrated.made();
    await this.settled();
  }

  /** Resolves when everything that calls have asked for by now has been sent. */
  protected async settled(): Promise<void> {}

  /** For messages, such as `The table sessions`. */
  protected get place(): string {
    return `The table ${this.table}`;
  }

  /** Opens the database and brings the tables to their current shape. */
  protected abstract migrate(): Promise<Connection>;
  /** What keeps the tables from being used, in words; nothing when they have their shape. */
  protected abstract missing(): Promise<readonly string[]>;
  /**
   * Lets go of connections and files at once, and closes them after the calls that use them: later
   * calls open others.
   */
  protected abstract release(): Promise<void>;
}

/** @throws {MissingRequiredArgument} unless the record table's name has place beside it */
export function checkedTableName(
  engine: string,
  name: string,
  limit: { readonly longest: number; readonly unit: 'bytes' | 'characters' },
): string {
  const longest = limit.longest - recordTableName('').length;
  const length = limit.unit === 'bytes' ? Buffer.byteLength(String(name)) : String(name).length;
  if (length > 0 && length <= longest) return String(name);
  throw new MissingRequiredArgument(
    `${engine} storage needs a sessionTableName of 1 to ${longest} ${limit.unit}; it has ${length}.`,
  );
}

function statementsOver(table: string, dialect: SqlDialect) {
  const { quote } = dialect;
  const columns = SESSION_COLUMNS.map(quote);
  const [id, ...rest] = columns;
  const select = `SELECT ${dialect.cells(columns)} FROM ${table}`;
  const write = (text: (p: () => string) => string): string => statement(dialect, text);
  const [online, expires] = (['isOnline', 'expires'] as const).map(quote);
  const isOld = (p: () => string): string =>
    `${online} = ${dialect.format.flag(true)} AND ${expires} > 0 AND ${expires} < ${p()}`;
  return {
    store: write(
      (p) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(p).join(', ')})
        ${dialect.orReplace(rest)}`,
    ),
    select,
    findByShop: write((p) => `${select} WHERE ${quote('shop')} = ${p()}`),
    list: (comparison: '>=' | '>', limit: number): string =>
      write(
        (p) => `${select} WHERE ${id} ${comparison} ${p()}
          ORDER BY ${id} LIMIT ${limit}`,
      ),
    replace: write(
      (p) => `UPDATE ${table} SET ${rest.map((column) => `${column} = ${p()}`).join(', ')}
        WHERE ${id} = ${p()} AND coalesce(${quote('accessToken')}, '') = ${p()}
        AND coalesce(${quote('refreshToken')}, '') = ${p()}`,
    ),
    deleteExpired: write((p) =>
      dialect.deleteSome({ name: table, key: ['id'] }, isOld(p), DELETED_AT_ONCE),
    ),
  };
}
