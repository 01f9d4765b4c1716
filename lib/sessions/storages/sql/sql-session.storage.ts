import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import type { Session } from '../../session.js';
import { SessionStorage } from '../../session.storage.js';
import type { SessionPage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { Batcher } from '../connection/batcher.js';
import { closeAfter } from '../connection/in-flight-calls.js';
import { pageLimit } from '../connection/page-limit.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells, sessionsFor } from './session-row.js';
import type { Cell } from './session-row.js';
import { SqlRecordStore } from './sql-record.store.js';
import { applyMigrations, isPending, missingIn, recordTableName } from './sql.migrations.js';
import type { OfficialRecord } from './sql.migrations.js';
import { MOST_IDS, cellsIn, statement } from './sql.dialect.js';
import type { SqlConnection, SqlDialect, SqlResult, SqlSteps, SqlValue } from './sql.dialect.js';
import type { TableEditor } from './table-editor.js';

/** How many expired sessions are deleted at a time. */
const DELETED_AT_ONCE = 1_000;

/** Options of every storage over SQL. */
export interface SqlStorageOptions {
  /** @default the name the official storage uses, whose data is read as it is */
  readonly sessionTableName?: string | undefined;
  /** Where the official storage has noted what it did to the table. */
  readonly migratorOptions?: OfficialRecord | undefined;
  /** @default the system's clock */
  readonly clock?: Clock | undefined;
}

/** What differs between the storages of two engines. */
export interface SqlEngine {
  readonly dialect: SqlDialect;
  /** @param isChanged false when the tables are only looked at */
  edit(table: string, isChanged: boolean): SqlSteps<TableEditor>;
}

/**
 * A storage that keeps sessions as rows of a table, and everything else in a table beside it. It is
 * opened, and its tables are brought to their current shape, on first use; what fails then is tried
 * again by the next call.
 */
export class SqlSessionStorage<
  Connection extends SqlConnection = SqlConnection,
> extends SessionStorage {
  override readonly companions: CoordinationStores;
  /** What {@link companions} are kept in. */
  readonly records: RecordStore;
  protected readonly table: string;
  protected readonly sql: ReturnType<typeof statementsOver>;
  /** While the tables are known to have their shape. */
  protected isMigrated = false;
  readonly #migrated = new LazyPromise(() => this.#migrate());
  readonly #loads: Batcher<string, Session | undefined>;
  readonly #clock: Clock;
  readonly #official: OfficialRecord;
  #closings = 0;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly engine: SqlEngine,
    protected readonly connection: Connection,
    options: SqlStorageOptions,
  ) {
    super();
    const { sessionTableName = SESSION_TABLES.sessions, migratorOptions = {} } = options;
    const { dialect } = engine;
    this.table = checkedTableName(dialect, sessionTableName);
    this.#clock = options.clock ?? systemClock;
    this.#official = migratorOptions;
    this.sql = statementsOver(dialect.quote(this.table), dialect);
    this.#loads = new Batcher((ids: readonly string[]) => this.#load(ids), {
      most: MOST_IDS,
      isFaultOfOne: dialect.isRejected,
    });
    const records = dialect.quote(recordTableName(this.table));
    this.records = new SqlRecordStore(() => this.open(), dialect, records, this.#clock);
    this.companions = coordinationOver(this.records);
  }

  /** Resolves when the database is reached and the tables are there; opens it if need be. */
  get ready(): Promise<void> {
    return this.open().then(() => {});
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.#loads.ask(String(id));
  }

  async storeSession(session: Session): Promise<boolean> {
    await this.run('store a session', this.sql.store, this.cellsOf(session));
    return true;
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  async deleteSessions(ids: string[]): Promise<boolean> {
    const connection = await this.open();
    const most = this.engine.dialect.deleteIds ? Infinity : MOST_IDS;
    return connection.series('delete sessions', async (run) => {
      for (let rest = ids.map(String); rest.length > 0; rest = rest.slice(most)) {
        const { sql, values } = this.sql.delete(rest.slice(0, most));
        await run(sql, values);
      }
      return true;
    });
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
    const sql = after === undefined ? this.sql.first : this.sql.next;
    return this.#find('list sessions', sql, [after ?? '', String(pageLimit(limit))]);
  }

  /**
   * In parts, so that other calls wait no longer than for one of them. What is left when the
   * storage is closed is left to the next call.
   */
  override async deleteExpiredSessions(moment: Date): Promise<number> {
    const closings = this.#closings;
    const end = Math.ceil(moment.getTime() / this.engine.dialect.format.timeUnits.expires);
    let count = 0;
    do {
      const { changes } = await this.run('delete expired sessions', this.sql.deleteExpired, [end]);
      count += changes;
      if (changes < DELETED_AT_ONCE) return count;
      await this.#clock.sleep(0);
    } while (closings === this.#closings);
    return count;
  }

  /**
   * Creates nothing: `ready` does. @throws {SessionStorageError} that names each migration, column
   * and key that is missing
   */
  override async verify(): Promise<void> {
    const missing = await this.connection.look('be verified', () => this.#tables(missingIn));
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
      this.isMigrated = false;
      return this.connection.close();
    };
    this.#closing ??= closeAfter(this.#answered(), release, this.#clock);
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

  protected async run(what: string, sql: string, values?: readonly SqlValue[]): Promise<SqlResult> {
    return (await this.open()).run(what, sql, values);
  }

  /** A session as parameters, in the columns' order. */
  protected cellsOf(session: Session): Cell[] {
    return cellsOf(session, this.engine.dialect.format);
  }

  /** The session in a row of {@link SESSION_COLUMNS}. */
  protected readonly sessionIn = (cells: readonly unknown[]): Session =>
    sessionInCells(cells, this.engine.dialect.format);

  /** Resolves when everything that calls have asked for by now has been sent. */
  protected async settled(): Promise<unknown> {
    return this.#loads.settled();
  }

  /** For messages, such as `The table sessions`. */
  protected get place(): string {
    return `The table ${this.table}`;
  }

  async #load(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const { sql, values } = this.sql.load([...new Set(ids)]);
    const result = await this.run('load a session', sql, values);
    return sessionsFor(ids, cellsIn(result), this.sessionIn);
  }

  async #find(what: string, sql: string, values: readonly SqlValue[]): Promise<Session[]> {
    return cellsIn(await this.run(what, sql, values)).map(this.sessionIn);
  }

  async #answered(): Promise<void> {
    await this.#migrated.made();
    await this.settled();
  }

  async #migrate(): Promise<Connection> {
    const closings = this.#closings;
    const what = `set up the table ${this.table}`;
    // What is there already needs neither a lock nor the right to change tables.
    if (await this.connection.look(what, () => this.#tables(isPending)))
      await this.connection.migrate(what, () =>
        this.#tables((editor, table) => applyMigrations(editor, table, this.#official), true),
      );
    this.isMigrated = closings === this.#closings;
    return this.connection;
  }

  *#tables<T>(
    steps: (editor: TableEditor, table: string) => SqlSteps<T>,
    isChanged = false,
  ): SqlSteps<T> {
    return yield* steps(yield* this.engine.edit(this.table, isChanged), this.table);
  }
}

/** @throws {MissingRequiredArgument} unless the record table's name has place beside it */
function checkedTableName({ names }: SqlDialect, given: string): string {
  const name = String(given);
  if (!names) return name;
  const longest = names.longest - recordTableName('').length;
  const length = names.unit === 'bytes' ? Buffer.byteLength(name) : name.length;
  if (length > 0 && length <= longest) return name;
  throw new MissingRequiredArgument(
    `${names.engine} storage needs a sessionTableName of 1 to ${longest} ${names.unit}; it has ${length}.`,
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
  // The limit is bound as a text, which every server takes: the driver of MySQL sends a number as a
  // fraction, and that is no limit.
  const page = (comparison: '>=' | '>'): string =>
    write((p) => `${select} WHERE ${id} ${comparison} ${p()} ORDER BY ${id} LIMIT ${p()}`);
  return {
    store: write(
      (p) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(p).join(', ')})
        ${dialect.orReplace(rest)}`,
    ),
    select,
    load: dialect.overIds(select),
    delete: dialect.deleteIds?.(table) ?? dialect.overIds(`DELETE FROM ${table}`),
    findByShop: write((p) => `${select} WHERE ${quote('shop')} = ${p()}`),
    first: page('>='),
    next: page('>'),
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
