import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { systemClock } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';
import { SESSION_TABLES } from '../../../core/vendor.js';
import { coordinationOver } from '../../coordination/coordination-stores.js';
import type { CoordinationStores } from '../../coordination/coordination-stores.js';
import type { RecordStore } from '../../coordination/record.store.js';
import type { Session } from '../../session.js';
import type { SessionPage } from '../../session.storage.js';
import { Batcher } from '../connection/batcher.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import type { EngineConnection, Preparation } from '../connection/engine.connection.js';
import { pageLimit } from '../connection/page-limit.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from './session-row.js';
import type { Cell } from './session-row.js';
import { SqlRecordStore } from './sql-record.store.js';
import { migrate, missingIn, recordTableName } from './sql.migrations.js';
import type { OfficialRecord } from './sql.migrations.js';
import { MOST_IDS, cellsIn, statement } from './sql.dialect.js';
import type { SqlDatabase, SqlDialect, SqlRun, SqlValue } from './sql.dialect.js';
import type { EditTables } from './table-editor.js';

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
export interface SqlEngine<Database extends SqlDatabase> {
  readonly dialect: SqlDialect;
  readonly edit: EditTables;
  connect<Engine>(
    clock: Clock,
    preparation: Preparation<Database, Engine>,
  ): EngineConnection<Database, Engine>;
}

/** A database whose tables have their shape. */
export interface PreparedDatabase<Database extends SqlDatabase> {
  readonly database: Database;
  readonly run: SqlRun;
  /** Loads the sessions of calls that meet in one statement. */
  readonly loads: Batcher<string, Session | undefined>;
  /** Stores them in one statement, where the engine can. */
  readonly stores: Batcher<Cell[], true> | undefined;
}

/**
 * A storage that keeps sessions as rows of a table, and everything else in a table beside it. It is
 * opened, and its tables are brought to their current shape, on first use; what fails then is tried
 * again by the next call.
 */
export class SqlSessionStorage<
  Database extends SqlDatabase = SqlDatabase,
> extends EngineSessionStorage<Database, PreparedDatabase<Database>> {
  override readonly companions: CoordinationStores;
  /** What {@link companions} are kept in. */
  readonly records: RecordStore;
  protected readonly table: string;
  protected readonly sql: Statements;
  readonly #clock: Clock;

  constructor(
    private readonly engine: SqlEngine<Database>,
    options: SqlStorageOptions,
  ) {
    const { dialect, edit } = engine;
    const { migratorOptions = {}, clock = systemClock } = options;
    const table = checkedTableName(dialect, options.sessionTableName ?? SESSION_TABLES.sessions);
    const sql = statementsOver(dialect.quote(table), dialect);
    const prepare = async (database: Database): Promise<PreparedDatabase<Database>> => {
      await migrate(database, edit, table, migratorOptions);
      return preparedOver(database, sql, dialect);
    };
    super(engine.connect(clock, { what: `set up the table ${table}`, run: prepare }));
    this.table = table;
    this.sql = sql;
    this.#clock = clock;
    const records = dialect.quote(recordTableName(table));
    this.records = new SqlRecordStore(this.connection, dialect, records, clock);
    this.companions = coordinationOver(this.records);
  }

  loadSession(id: string): Promise<Session | undefined> {
    return this.run('load a session', ({ loads }) => loads.ask(String(id)));
  }

  async storeSession(session: Session): Promise<boolean> {
    // As it is now, not when the database is open.
    const cells = cellsOf(session, this.engine.dialect.format);
    return this.run('store a session', async ({ run, stores }) => {
      if (stores) return stores.ask(cells);
      await run(this.sql.store, cells);
      return true;
    });
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  deleteSessions(ids: string[]): Promise<boolean> {
    const most = this.engine.dialect.deleteIds ? Infinity : MOST_IDS;
    return this.run('delete sessions', async ({ run }) => {
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
    const [id, ...cells] = cellsOf(session, this.engine.dialect.format);
    const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
    const values = [...cells, id!, ...tokens];
    return this.run(
      'replace a session',
      async ({ run }) => (await run(this.sql.replace, values)).changes === 1,
    );
  }

  override listSessions({ after, limit }: SessionPage): Promise<Session[]> {
    const sql = after === undefined ? this.sql.first : this.sql.next;
    return this.#find('list sessions', sql, [after ?? '', String(pageLimit(limit))]);
  }

  /**
   * In parts, so that other calls wait no longer than for one of them. What is left when the
   * storage is closed is left to the next call.
   */
  override deleteExpiredSessions(moment: Date): Promise<number> {
    const end = Math.ceil(moment.getTime() / this.engine.dialect.format.timeUnits.expires);
    return this.run('delete expired sessions', async (database) => {
      let count = 0;
      do {
        const { changes } = await database.run(this.sql.deleteExpired, [end]);
        count += changes;
        if (changes < DELETED_AT_ONCE) break;
        await this.#clock.sleep(0);
      } while (this.connection.current === database);
      return count;
    });
  }

  /** The session in a row of {@link SESSION_COLUMNS}. */
  protected sessionIn(cells: readonly unknown[]): Session {
    return sessionInCells(cells, this.engine.dialect.format);
  }

  protected get place(): string {
    return `The table ${this.table}`;
  }

  protected missing(): Promise<readonly string[]> {
    return this.connection.inspect('be verified', async ({ run }) =>
      missingIn(await this.engine.edit(run, this.table, false), this.table),
    );
  }

  #find(what: string, sql: string, values: readonly SqlValue[]): Promise<Session[]> {
    return this.run(what, async ({ run }) =>
      cellsIn(await run(sql, values)).map((cells) => this.sessionIn(cells)),
    );
  }
}

function preparedOver<Database extends SqlDatabase>(
  database: Database,
  sql: Statements,
  { format, isRejected: isFaultOfOne }: SqlDialect,
): PreparedDatabase<Database> {
  const { run } = database;
  const load = async (ids: readonly string[]): Promise<(Session | undefined)[]> => {
    const { sql: text, values } = sql.load([...new Set(ids)]);
    const rows = new Map(cellsIn(await run(text, values)).map((row) => [row[0], row]));
    return ids.map((id) => {
      const row = rows.get(id);
      // A new object for each caller.
      return row && sessionInCells(row, format);
    });
  };
  const { storeAll } = sql;
  const store = async (rows: readonly Cell[][]): Promise<true[]> => {
    const { sql: text, values } = storeAll!(rows);
    await run(text, values);
    return rows.map(() => true);
  };
  return {
    database,
    run,
    loads: new Batcher(load, { most: MOST_IDS, isFaultOfOne }),
    // Of two sessions with one id the later stays. A store takes the server longer than a load:
    // more lanes keep it busy.
    stores: storeAll && new Batcher(store, { lanes: 4, keyOf: ([id]) => id, isFaultOfOne }),
  };
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

type Statements = ReturnType<typeof statementsOver>;

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
    storeAll: dialect.storeAll?.(table, columns),
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
