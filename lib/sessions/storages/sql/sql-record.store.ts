import type { Clock } from '../../../core/time/clock.js';
import { RecordStore } from '../../coordination/record.store.js';
import type {
  Lease,
  LeaseOutcome,
  LeaseTerms,
  RecordKey,
  RecordQuery,
  StoredRecord,
  VersionedRecord,
} from '../../coordination/record.store.js';
import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import { cellsIn, statement } from './sql.dialect.js';
import type { SqlDialect, SqlRun, SqlValue } from './sql.dialect.js';

/** How many expired records are removed at a time; the next lease goes on when there are more. */
const REMOVED_AT_ONCE = 1_000;
/** When a record expires that is kept for good: the last moment a `Date` can hold. */
const NEVER = 8_640_000_000_000_000;

/** Keeps records as rows of one table, for all processes that use the database. */
export class SqlRecordStore extends RecordStore {
  readonly #sql: ReturnType<typeof statementsOver>;
  readonly #removal: ThrottledTask;

  /** @param table its name, as SQL takes it */
  constructor(
    private readonly run: SqlRun,
    private readonly dialect: SqlDialect,
    table: string,
    clock: Clock,
  ) {
    super();
    this.#sql = statementsOver(table, dialect);
    this.#removal = new ThrottledTask(clock);
  }

  async get({ kind, id }: RecordKey): Promise<StoredRecord | undefined> {
    const [cells] = cellsIn(await this.run(this.#sql.get, [kind, id]));
    return cells && recordIn(cells);
  }

  async list({ kind, state, changedSince, after, limit }: RecordQuery): Promise<StoredRecord[]> {
    const values = [kind, after ?? '', changedSince?.getTime() ?? 0];
    if (state !== undefined) values.push(state);
    const sql = state === undefined ? this.#sql.list : this.#sql.listOfState;
    return cellsIn(await this.run(sql, [...values, String(limit)])).map(recordIn);
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    if (version === 1) return this.#inserted(this.#sql.insert, [kind, id, state, data]);
    return this.#changed(this.#sql.update, [state, data, version, kind, id, version - 1]);
  }

  async lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    this.#removal.maybeRun(
      async () => (await this.run(this.#sql.removeExpired, [])).changes === REMOVED_AT_ONCE,
    );
    // Nothing is found of a record that another has leased, or removed, in this very moment.
    const [holder, state, data] = (await this.#lease(key, owner, timesOf(terms))) ?? [];
    if (holder === owner) return { kind: 'granted', data: String(data) };
    return typeof state === 'string' ? { kind: 'ended', state } : { kind: 'held' };
  }

  renew({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    return this.#changed(this.#sql.renew, [...timesOf(terms), kind, id, owner]);
  }

  async end({ kind, id }: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const { state = null, data = '', keepMs = 0 } = outcome ?? {};
    const kept = outcome ? [state, data, Math.ceil(keepMs)] : [];
    await this.run(outcome ? this.#sql.keep : this.#sql.remove, [...kept, kind, id, owner]);
  }

  /** Resolves with owner, state and data of the record: one round trip when it is new. */
  async #lease(
    { kind, id }: RecordKey,
    owner: string,
    times: readonly number[],
  ): Promise<unknown[] | undefined> {
    const lease = [kind, id, owner, ...times];
    if (this.#sql.leaseAtOnce) {
      const [leased] = cellsIn(await this.run(this.#sql.leaseAtOnce, lease));
      if (leased) return leased;
    } else {
      if (await this.#inserted(this.#sql.lease, lease)) return [owner, null, ''];
      await this.run(this.#sql.takeOver, [owner, ...times, kind, id]);
    }
    return cellsIn(await this.run(this.#sql.look, [kind, id]))[0];
  }

  async #changed(sql: string, values: readonly SqlValue[]): Promise<boolean> {
    return (await this.run(sql, values)).changes === 1;
  }

  async #inserted(sql: string, values: readonly SqlValue[]): Promise<boolean> {
    try {
      return await this.#changed(sql, values);
    } catch (error) {
      if (this.dialect.isDuplicate(error)) return false;
      throw error;
    }
  }
}

function statementsOver(table: string, dialect: SqlDialect) {
  const { now, orIgnore } = dialect;
  const record = dialect.cells(['id', 'state', 'data', 'version', 'changed_at']);
  const lease = dialect.cells(['owner', 'state', 'data']);
  const write = (text: (p: () => string) => string): string => statement(dialect, text);
  const key = (p: () => string): string => `kind = ${p()} AND id = ${p()}`;
  const lasting = (p: () => string): string =>
    `lease_end = ${now} + ${p()}, expires = ${now} + ${p()}, changed_at = ${now}`;
  // The limit is bound as a text: see the pages of sessions.
  const list = (condition: (p: () => string) => string): string =>
    write(
      (p) => `SELECT ${record} FROM ${table}
        WHERE kind = ${p()} AND id > ${p()} AND changed_at >= ${p()} AND expires > ${now}
        ${condition(p)} ORDER BY id LIMIT ${p()}`,
    );
  return {
    get: write((p) => `SELECT ${record} FROM ${table} WHERE ${key(p)} AND expires > ${now}`),
    list: list(() => ''),
    listOfState: list((p) => `AND state = ${p()}`),
    insert: write(
      (p) => `INSERT INTO ${table}
        (kind, id, state, data, version, lease_end, changed_at, expires)
        VALUES (${p()}, ${p()}, ${p()}, ${p()}, 1, 0, ${now}, ${NEVER}) ${orIgnore}`,
    ),
    update: write(
      (p) => `UPDATE ${table} SET state = ${p()}, data = ${p()}, version = ${p()},
        changed_at = ${now} WHERE ${key(p)} AND version = ${p()}`,
    ),
    leaseAtOnce: dialect.lease?.(table),
    lease: write(
      (p) => `INSERT INTO ${table}
        (kind, id, owner, lease_end, expires, changed_at, data, version)
        VALUES (${p()}, ${p()}, ${p()}, ${now} + ${p()}, ${now} + ${p()}, ${now}, '', 0) ${orIgnore}`,
    ),
    // The data come first: MySQL sets columns one after the other, and sees what it has set.
    takeOver: write(
      (p) => `UPDATE ${table} SET data = CASE WHEN expires <= ${now} THEN '' ELSE data END,
        state = NULL, owner = ${p()}, ${lasting(p)}
        WHERE ${key(p)} AND (expires <= ${now} OR lease_end <= ${now} AND state IS NULL)`,
    ),
    look: write((p) => `SELECT ${lease} FROM ${table} WHERE ${key(p)}`),
    renew: write(
      (p) => `UPDATE ${table} SET ${lasting(p)}
        WHERE ${key(p)} AND owner = ${p()} AND expires > ${now}`,
    ),
    keep: write(
      (p) => `UPDATE ${table} SET owner = NULL, lease_end = 0, state = ${p()}, data = ${p()},
        expires = ${now} + ${p()}, changed_at = ${now} WHERE ${key(p)} AND owner = ${p()}`,
    ),
    remove: write((p) => `DELETE FROM ${table} WHERE ${key(p)} AND owner = ${p()}`),
    // Locks of crashed processes stay until their names are taken again: no index has them in it.
    removeExpired: dialect.deleteSome(
      { name: table, key: ['kind', 'id'] },
      `expires <= ${now} AND expires > lease_end`,
      REMOVED_AT_ONCE,
    ),
  };
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
