import type { Clock } from '../../../core/time/clock.js';
import type { Session } from '../../session.js';
import { Batcher } from '../connection/batcher.js';
import type { SessionTable } from '../connection/engine-session.storage.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from './session-row.js';
import type { Cell } from './session-row.js';
import { MOST_IDS, cellsIn, statement } from './sql.dialect.js';
import type { SqlDatabase, SqlDialect, SqlStatement, SqlValue } from './sql.dialect.js';

/** How many expired sessions are deleted at a time. */
const DELETED_AT_ONCE = 1_000;

/** The sessions in the rows of a table. */
export class SqlSessions implements SessionTable {
  readonly #sql: ReturnType<typeof statementsOver>;
  /** Loads the sessions of calls that meet in one statement. */
  readonly #loads: Batcher<string, Session | undefined>;
  /** Stores them in one statement, where the engine can. */
  readonly #stores: Batcher<Cell[], true> | undefined;

  /** @param table its name, as SQL takes it */
  constructor(
    private readonly database: SqlDatabase,
    private readonly dialect: SqlDialect,
    table: string,
    private readonly clock: Clock,
  ) {
    const { isRejected: isFaultOfOne } = dialect;
    const sql = statementsOver(table, dialect);
    this.#sql = sql;
    this.#loads = new Batcher((ids) => this.#loaded(ids), { most: MOST_IDS, isFaultOfOne });
    if (!sql.storeAll) return;
    const store = async (rows: readonly Cell[][]): Promise<true[]> => {
      await this.#send(sql.storeAll!(rows));
      return rows.map(() => true);
    };
    // Of two sessions with one id the later stays. A store takes the server longer than a load:
    // more lanes keep it busy.
    this.#stores = new Batcher(store, { lanes: 4, keyOf: ([id]) => id, isFaultOfOne });
  }

  async load(id: string): Promise<Session | undefined> {
    const { read } = this.database;
    // There is no trip to be shared.
    const cells = read && (await read(this.#sql.loadOne, id));
    if (read) return cells === undefined ? undefined : this.#sessionIn(JSON.parse(String(cells)));
    return this.#loads.ask(id);
  }

  store(session: Session): Promise<unknown> {
    const cells = cellsOf(session, this.dialect.format);
    return this.#stores ? this.#stores.ask(cells) : this.database.run(this.#sql.store, cells);
  }

  async replace(session: Session, previous: Session): Promise<boolean> {
    const [id, ...cells] = cellsOf(session, this.dialect.format);
    const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
    return (await this.database.run(this.#sql.replace, [...cells, id!, ...tokens])).changes === 1;
  }

  async delete(ids: readonly string[]): Promise<void> {
    const most = this.dialect.deleteIds ? Infinity : MOST_IDS;
    for (let rest = ids; rest.length > 0; rest = rest.slice(most))
      await this.#send(this.#sql.delete(rest.slice(0, most)));
  }

  ofShop(shop: string): Promise<Session[]> {
    return this.#find(this.#sql.findByShop, [shop]);
  }

  page(after: string | undefined, limit: number): Promise<Session[]> {
    const sql = after === undefined ? this.#sql.first : this.#sql.next;
    return this.#find(sql, [after ?? '', String(limit)]);
  }

  async *deleteExpired(moment: Date): AsyncGenerator<number> {
    const end = Math.ceil(moment.getTime() / this.dialect.format.timeUnits.expires);
    for (let isMore = true; isMore;) {
      const { changes } = await this.database.run(this.#sql.deleteExpired, [end]);
      isMore = changes === DELETED_AT_ONCE;
      if (isMore) await this.clock.sleep(0);
      yield changes;
    }
  }

  async #loaded(ids: readonly string[]): Promise<(Session | undefined)[]> {
    const { sql, values } = this.#sql.load([...new Set(ids)]);
    const rows = new Map(
      cellsIn(await this.database.run(sql, values)).map((cells) => [cells[0], cells]),
    );
    return ids.map((id) => {
      const cells = rows.get(id);
      // A new object for each caller.
      return cells && this.#sessionIn(cells);
    });
  }

  async #find(sql: string, values: readonly SqlValue[]): Promise<Session[]> {
    return cellsIn(await this.database.run(sql, values)).map((cells) => this.#sessionIn(cells));
  }

  #send({ sql, values }: SqlStatement): Promise<unknown> {
    return this.database.run(sql, values);
  }

  #sessionIn(cells: unknown): Session {
    return sessionInCells(cells as unknown[], this.dialect.format);
  }
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
    storeAll: dialect.storeAll?.(table, columns),
    load: dialect.overIds(select),
    loadOne: `${select} WHERE ${id} = ?`,
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
