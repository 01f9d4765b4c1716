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
import { pageLimit } from '../connection/page-limit.js';
import type { EngineCalls } from '../connection/engine.connection.js';
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
    private readonly connection: EngineCalls<{ readonly run: SqlRun }>,
    private readonly dialect: SqlDialect,
    table: string,
    clock: Clock,
  ) {
    super();
    this.#sql = statementsOver(table, dialect);
    this.#removal = new ThrottledTask(clock);
  }

  get({ kind, id }: RecordKey): Promise<StoredRecord | undefined> {
    return this.connection.run('read a record', async ({ run }) => {
      const [cells] = cellsIn(await run(this.#sql.get, [kind, id]));
      return cells && recordIn(cells);
    });
  }

  list({ kind, state, changedSince, after, limit }: RecordQuery): Promise<StoredRecord[]> {
    const values = [kind, after ?? '', changedSince?.getTime() ?? 0];
    if (state !== undefined) values.push(state);
    values.push(String(pageLimit(limit)));
    const sql = state === undefined ? this.#sql.list : this.#sql.listOfState;
    return this.connection.run('list records', async ({ run }) =>
      cellsIn(await run(sql, values)).map(recordIn),
    );
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    return this.connection.run('write a record', async ({ run }) => {
      if (version === 1) return this.#inserted(run, this.#sql.insert, [kind, id, state, data]);
      const values = [state, data, version, kind, id, version - 1];
      return (await run(this.#sql.update, values)).changes === 1;
    });
  }

  lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    return this.connection.run('lease a record', async ({ run }): Promise<Lease> => {
      this.#removal.maybeRun(
        async () => (await run(this.#sql.removeExpired, [])).changes === REMOVED_AT_ONCE,
      );
      // Nothing is found of a record that another has leased, or removed, in this very moment.
      const [holder, state, data] = (await this.#lease(run, key, owner, timesOf(terms))) ?? [];
      if (holder === owner) return { kind: 'granted', data: String(data) };
      return typeof state === 'string' ? { kind: 'ended', state } : { kind: 'held' };
    });
  }

  renew({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const values = [...timesOf(terms), kind, id, owner];
    return this.connection.run(
      'renew a lease',
      async ({ run }) => (await run(this.#sql.renew, values)).changes === 1,
    );
  }

  async end({ kind, id }: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const { state = null, data = '', keepMs = 0 } = outcome ?? {};
    const kept = outcome ? [state, data, Math.ceil(keepMs)] : [];
    const sql = outcome ? this.#sql.keep : this.#sql.remove;
    await this.connection.run('end a lease', ({ run }) => run(sql, [...kept, kind, id, owner]));
  }

  /** Resolves with owner, state and data of the record: one round trip when it is new. */
  async #lease(
    run: SqlRun,
    { kind, id }: RecordKey,
    owner: string,
    times: readonly number[],
  ): Promise<unknown[] | undefined> {
    const lease = [kind, id, owner, ...times];
    if (this.#sql.leaseAtOnce) {
      const [leased] = cellsIn(await run(this.#sql.leaseAtOnce, lease));
      if (leased) return leased;
    } else {
      if (await this.#inserted(run, this.#sql.lease, lease)) return [owner, null, ''];
      await run(this.#sql.takeOver, [owner, ...times, kind, id]);
    }
    return cellsIn(await run(this.#sql.look, [kind, id]))[0];
  }

  async #inserted(run: SqlRun, sql: string, values: readonly SqlValue[]): Promise<boolean> {
    try {
      return (await run(sql, values)).changes === 1;
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
