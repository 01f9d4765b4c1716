import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import type { Clock } from '../../../core/time/clock.js';
import type { LeaseTerms, RecordStore, StoredRecord } from '../../coordination/record.store.js';
import { VALUE, cellsIn, statements } from './sql.dialect.js';
import type { SqlDialect, SqlRun, SqlValue } from './sql.dialect.js';

/** How many expired records are removed at a time; the next lease goes on when there are more. */
const REMOVED_AT_ONCE = 1_000;
/** When a record expires that is kept for good: the last moment a `Date` can hold. */
const NEVER = 8_640_000_000_000_000;

/**
 * Keeps records as rows of one table, for all processes that use the database.
 * @param table its name, as SQL takes it
 */
export function sqlRecords(
  run: SqlRun,
  dialect: SqlDialect,
  table: string,
  clock: Clock,
): RecordStore {
  const sql = statementsOver(table, dialect);
  const removal = new ThrottledTask(clock);

  async function isChanged(statement: string, values: readonly SqlValue[]): Promise<boolean> {
    return (await run(statement, values)).changes === 1;
  }

  async function isInserted(statement: string, values: readonly SqlValue[]): Promise<boolean> {
    try {
      return await isChanged(statement, values);
    } catch (error) {
      if (dialect.isDuplicate?.(error)) return false;
      throw error;
    }
  }

  /** Resolves with owner, state and data of the record: one round trip when it is new. */
  async function leased(
    key: readonly [kind: string, id: string],
    owner: string,
    times: readonly number[],
  ): Promise<unknown[] | undefined> {
    const lease = [...key, owner, ...times];
    if (sql.leaseAtOnce) {
      const [leased] = cellsIn(await run(sql.leaseAtOnce, lease));
      if (leased) return leased;
    } else {
      if (await isInserted(sql.lease, lease)) return [owner, null, ''];
      await run(sql.takeOver, [owner, ...times, ...key]);
    }
    return cellsIn(await run(sql.look, key))[0];
  }

  return {
    async get({ kind, id }) {
      const [cells] = cellsIn(await run(sql.get, [kind, id]));
      return cells && recordIn(cells);
    },
    async list({ kind, state, changedSince, after, limit }) {
      const values = [kind, after ?? '', changedSince?.getTime() ?? 0];
      const list = sql[`${changedSince ? 'last' : 'list'}${state === undefined ? '' : 'OfState'}`];
      return cellsIn(await run(list, values.concat(state ?? [], String(limit)))).map(recordIn);
    },
    put({ kind, id, state, data, version }) {
      if (version === 1) return isInserted(sql.insert, [kind, id, state, data]);
      return isChanged(sql.update, [state, data, version, kind, id, version - 1]);
    },
    async lease({ kind, id }, owner, terms) {
      removal.maybeRun(async () => (await run(sql.removeExpired, [])).changes === REMOVED_AT_ONCE);
      // Nothing is found of a record that another has leased, or removed, in this very moment.
      const [holder, state, data] = (await leased([kind, id], owner, timesOf(terms))) ?? [];
      if (holder === owner) return { kind: 'granted', data: String(data) };
      return typeof state === 'string' ? { kind: 'ended', state } : { kind: 'held' };
    },
    renew: ({ kind, id }, owner, terms) =>
      isChanged(sql.renew, [...timesOf(terms), kind, id, owner]),
    async end({ kind, id }, owner, outcome) {
      if (!outcome) return void (await run(sql.remove, [kind, id, owner]));
      const { state = null, data, keepMs } = outcome;
      await run(sql.keep, [state, data, Math.ceil(keepMs), kind, id, owner]);
    },
  };
}

function statementsOver(table: string, dialect: SqlDialect) {
  const { now, orIgnore } = dialect;
  const record = dialect.cells(['id', 'state', 'data', 'version', 'changed_at']);
  const lease = dialect.cells(['owner', 'state', 'data']);
  const key = `kind = ${VALUE} AND id = ${VALUE}`;
  const lasting = `lease_end = ${now} + ${VALUE}, expires = ${now} + ${VALUE}, changed_at = ${now}`;
  // The limit is bound as a text: see the pages of sessions.
  const list = (condition: string, order: string): string => `SELECT ${record} FROM ${table}
    WHERE kind = ${VALUE} AND id > ${VALUE} AND changed_at >= ${VALUE} AND expires > ${now}
    ${condition} ORDER BY ${order} LIMIT ${VALUE}`;
  return statements(dialect, {
    get: `SELECT ${record} FROM ${table} WHERE ${key} AND expires > ${now}`,
    list: list('', 'id'),
    listOfState: list(`AND state = ${VALUE}`, 'id'),
    last: list('', 'changed_at DESC'),
    lastOfState: list(`AND state = ${VALUE}`, 'changed_at DESC'),
    insert: `INSERT INTO ${table} (kind, id, state, data, version, lease_end, changed_at, expires)
      VALUES (${VALUE}, ${VALUE}, ${VALUE}, ${VALUE}, 1, 0, ${now}, ${NEVER}) ${orIgnore}`,
    update: `UPDATE ${table} SET state = ${VALUE}, data = ${VALUE}, version = ${VALUE},
      changed_at = ${now} WHERE ${key} AND version = ${VALUE}`,
    leaseAtOnce: dialect.lease?.(table),
    lease: `INSERT INTO ${table}
      (kind, id, owner, lease_end, expires, changed_at, data, version) VALUES
      (${VALUE}, ${VALUE}, ${VALUE}, ${now} + ${VALUE}, ${now} + ${VALUE}, ${now}, '', 0) ${orIgnore}`,
    // The data come first: MySQL sets columns one after the other, and sees what it has set.
    takeOver: `UPDATE ${table} SET data = CASE WHEN expires <= ${now} THEN '' ELSE data END,
      state = NULL, owner = ${VALUE}, ${lasting}
      WHERE ${key} AND (expires <= ${now} OR lease_end <= ${now} AND state IS NULL)`,
    look: `SELECT ${lease} FROM ${table} WHERE ${key}`,
    renew: `UPDATE ${table} SET ${lasting} WHERE ${key} AND owner = ${VALUE} AND expires > ${now}`,
    keep: `UPDATE ${table} SET owner = NULL, lease_end = 0, state = ${VALUE}, data = ${VALUE},
      expires = ${now} + ${VALUE}, changed_at = ${now} WHERE ${key} AND owner = ${VALUE}`,
    remove: `DELETE FROM ${table} WHERE ${key} AND owner = ${VALUE}`,
    // Locks of crashed processes stay until their names are taken again: no index has them in it.
    removeExpired: dialect.deleteSome(
      { name: table, key: ['kind', 'id'] },
      `expires <= ${now} AND expires > lease_end`,
      REMOVED_AT_ONCE,
    ),
  });
}

function recordIn([id, state, data, version, changedAt]: readonly unknown[]): StoredRecord {
  return {
    id: String(id),
    state: typeof state === 'string' ? state : undefined,
    data: String(data),
    version: Number(version),
    changedAt: new Date(Number(changedAt)),
  };
}

/** Whole milliseconds until the lease ends, and until the record expires. */
function timesOf({ leaseMs, keepMs = 0 }: LeaseTerms): readonly [number, number] {
  return [Math.ceil(leaseMs), Math.ceil(leaseMs + keepMs)];
}
