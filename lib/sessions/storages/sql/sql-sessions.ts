import { Batcher } from '../../../core/concurrency/batcher.js';
import type { Clock } from '../../../core/time/clock.js';
import type { Session } from '../../session.js';
import type { SessionTable } from '../connection/engine-session.storage.js';
import { SESSION_COLUMNS, cellsOf, sessionInCells } from './session-row.js';
import type { Cell } from './session-row.js';
import { MOST_IDS, VALUE, cellsIn, statements } from './sql.dialect.js';
import type { SqlDatabase, SqlDialect, SqlStatement, SqlValue } from './sql.dialect.js';

/** How many expired sessions are deleted at a time. */
const DELETED_AT_ONCE = 1_000;

/**
 * The sessions in the rows of a table.
 * @param table its name, as SQL takes it
 */
export function sqlSessions(
  { run, read }: SqlDatabase,
  dialect: SqlDialect,
  table: string,
  clock: Clock,
): SessionTable {
  const { format, isRejected: isFaultOfOne } = dialect;
  const sql = statementsOver(table, dialect);
  const sessionIn = (cells: unknown): Session => sessionInCells(cells as unknown[], format);
  const send = ({ sql, values }: SqlStatement): Promise<unknown> => run(sql, values);

  async function found(statement: string, values: readonly SqlValue[]): Promise<Session[]> {
    return cellsIn(await run(statement, values)).map(sessionIn);
  }

  /** Loads the sessions of calls that meet in one statement. */
  const loads = new Batcher(
    async (ids: readonly string[]): Promise<(Session | undefined)[]> => {
      const load = sql.load([...new Set(ids)]);
      const rows = new Map(
        cellsIn(await run(load.sql, load.values)).map((cells) => [cells[0], cells]),
      );
      return ids.map((id) => {
        const cells = rows.get(id);
        // A new object for each caller.
        return cells && sessionIn(cells);
      });
    },
    { maxSize: MOST_IDS, isFaultOfOne },
  );

  const { storeAll } = sql;
  // Of two sessions with one id the later stays. A store takes the server longer than a load: more
  // batches at once keep it busy.
  const stores =
    storeAll &&
    new Batcher(
      async (rows: readonly Cell[][]) => {
        await send(storeAll(rows));
        return rows;
      },
      { concurrency: 4, keyOf: ([id]) => id, isFaultOfOne },
    );

  return {
    async load(id) {
      if (!read) return loads.ask(id);
      // There is nothing to be sent together.
      const cells = await read(sql.loadOne, id);
      return cells === undefined ? undefined : sessionIn(JSON.parse(String(cells)));
    },
    store(session) {
      const cells = cellsOf(session, format);
      return stores ? stores.ask(cells) : run(sql.store, cells);
    },
    async replace(session, previous) {
      const [id, ...cells] = cellsOf(session, format);
      const tokens = [previous.accessToken ?? '', previous.refreshToken ?? ''];
      return (await run(sql.replace, [...cells, id!, ...tokens])).changes === 1;
    },
    async delete(ids) {
      const most = dialect.deleteIds ? Infinity : MOST_IDS;
      for (let rest = ids; rest.length > 0; rest = rest.slice(most))
        await send(sql.delete(rest.slice(0, most)));
    },
    ofShop: (shop) => found(sql.findByShop, [shop]),
    page: (after, limit) =>
      found(after === undefined ? sql.first : sql.next, [after ?? '', String(limit)]),
    async *deleteExpired(moment) {
      const end = Math.ceil(moment.getTime() / format.timeUnits.expires);
      for (let isMore = true; isMore;) {
        const { changes } = await run(sql.deleteExpired, [end]);
        isMore = changes === DELETED_AT_ONCE;
        if (isMore) await clock.sleep(0);
        yield changes;
      }
    },
  };
}

function statementsOver(table: string, dialect: SqlDialect) {
  const { quote } = dialect;
  const columns = SESSION_COLUMNS.map(quote);
  const [id, ...rest] = columns;
  const select = `SELECT ${dialect.cells(columns)} FROM ${table}`;
  const [online, expires] = (['isOnline', 'expires'] as const).map(quote);
  const isOld = `${online} = ${dialect.format.flag(true)}
    AND ${expires} > 0 AND ${expires} < ${VALUE}`;
  // The limit is bound as a text, which every server takes: the driver of MySQL sends a number as a
  // fraction, and that is no limit.
  const page = (comparison: '>=' | '>'): string =>
    `${select} WHERE ${id} ${comparison} ${VALUE} ORDER BY ${id} LIMIT ${VALUE}`;
  return {
    storeAll: dialect.storeAll?.(table, columns),
    load: dialect.overIds(select),
    loadOne: `${select} WHERE ${id} = ?`,
    delete: dialect.deleteIds?.(table) ?? dialect.overIds(`DELETE FROM ${table}`),
    ...statements(dialect, {
      store: `INSERT INTO ${table} (${columns.join(', ')})
        VALUES (${columns.map(() => VALUE).join(', ')}) ${dialect.orReplace(rest)}`,
      findByShop: `${select} WHERE ${quote('shop')} = ${VALUE}`,
      first: page('>='),
      next: page('>'),
      replace: `UPDATE ${table} SET ${rest.map((column) => `${column} = ${VALUE}`).join(', ')}
        WHERE ${id} = ${VALUE} AND coalesce(${quote('accessToken')}, '') = ${VALUE}
        AND coalesce(${quote('refreshToken')}, '') = ${VALUE}`,
      deleteExpired: dialect.deleteSome({ name: table, key: ['id'] }, isOld, DELETED_AT_ONCE),
    }),
  };
}
