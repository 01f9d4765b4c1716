import { ThrottledTask } from '../../../core/cache/throttled-task.js';
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
import type { EngineCalls } from '../connection/engine.connection.js';
import { pageLimit } from '../connection/page-limit.js';
import type { Row, RowTable } from './row-table.js';

/** A record as a row has it, beside its key. A document lacks what is not set. */
interface RecordRow {
  readonly kind: string;
  readonly id: string;
  readonly owner?: string | null;
  readonly state?: string | null;
  readonly data: string;
  readonly version: number;
  readonly changedAt: Date;
  /** None of a record that is not leased. */
  readonly leaseEndsAt?: Date | null;
  /** None of a record that never does. */
  readonly expiresAt?: Date | null;
}

/** A table of records. */
export interface RecordTable {
  readonly records: RowTable;
  /** By the clock that counts. */
  now(): Promise<Date>;
}

/**
 * Keeps records as rows of a table, or documents of a collection. A record is looked at and then
 * changed, unless it has changed meanwhile. The moments that are written count from before the
 * change: a lease ends no sooner for others than for its owner.
 */
export abstract class TableRecordStore extends RecordStore {
  readonly #removal: ThrottledTask;

  /** @param isDuplicate whether a row was refused because its key is taken */
  constructor(
    private readonly connection: EngineCalls<RecordTable>,
    private readonly isDuplicate: (error: unknown) => boolean,
    clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  get(key: RecordKey): Promise<StoredRecord | undefined> {
    return this.connection.run('read a record', async (table) => {
      const [row, now] = await this.#look(table, key);
      return row && !isOver(row.expiresAt, now) ? recordIn(row) : undefined;
    });
  }

  list({ kind, state, changedSince, after, limit }: RecordQuery): Promise<StoredRecord[]> {
    const { where, orderBy } = this.pageOf(kind, after);
    return this.connection.run('list records', async (table) => {
      const page = {
        ...where,
        ...(state !== undefined && { state }),
        ...(changedSince && { changedAt: { gte: changedSince } }),
        OR: [{ expiresAt: null }, { expiresAt: { gt: await table.now() } }],
      };
      const rows = await table.records.findMany({ where: page, orderBy, take: pageLimit(limit) });
      return (rows as unknown as RecordRow[]).map(recordIn);
    });
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const key = this.keyOf({ kind, id });
    return this.connection.run('write a record', async (table) => {
      const written = { state, data, version, changedAt: await table.now() };
      return version === 1
        ? this.#creates(table, { ...key, kind, id, ...written })
        : updates(table, { ...key, version: version - 1 }, written);
    });
  }

  lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const key = this.keyOf({ kind, id });
    return this.connection.run('lease a record', async (table) => {
      const [row, now] = await this.#look(table, { kind, id });
      this.#removal.maybeRun(async () => {
        await table.records.deleteMany({ where: { expiresAt: { lt: now } } });
        return false;
      });
      const leased = { owner, ...timesOf(terms, now) };
      if (!row) {
        const first = { ...key, kind, id, data: '', version: 0, ...leased };
        return (await this.#creates(table, first))
          ? { kind: 'granted', data: '' }
          : { kind: 'held' };
      }
      const hasExpired = isOver(row.expiresAt, now);
      if (typeof row.state === 'string' && !hasExpired) return { kind: 'ended', state: row.state };
      if (row.leaseEndsAt && !isOver(row.leaseEndsAt, now)) return { kind: 'held' };
      const data = hasExpired ? '' : row.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const where = { ...key, owner: row.owner, changedAt: row.changedAt };
      return (await updates(table, where, { ...leased, data, state: null }))
        ? { kind: 'granted', data }
        : { kind: 'held' };
    });
  }

  renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    return this.connection.run('renew a lease', async (table) => {
      const now = await table.now();
      const where = { ...this.keyOf(key), owner, expiresAt: { gt: now } };
      return updates(table, where, timesOf(terms, now));
    });
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const where = { ...this.keyOf(key), owner };
    await this.connection.run('end a lease', async (table): Promise<unknown> => {
      if (!outcome) return table.records.deleteMany({ where });
      const { state = null, data, keepMs } = outcome;
      const times = timesOf({ leaseMs: 0, keepMs }, await table.now());
      return updates(table, where, { owner: null, state, data, ...times, leaseEndsAt: null });
    });
  }

  /** The unique column of a record, with its value. */
  protected abstract keyOf(key: RecordKey): Row;
  /** What matches the records of a kind whose ids come after one, and the order of their ids. */
  protected abstract pageOf(kind: string, after?: string): { where: Row; orderBy: Row };

  async #look(table: RecordTable, key: RecordKey): Promise<[RecordRow | null, now: Date]> {
    const found = table.records.findUnique({ where: this.keyOf(key) });
    return Promise.all([found as Promise<RecordRow | null>, table.now()]);
  }

  /** False when another made the row first. */
  async #creates(table: RecordTable, data: Row): Promise<boolean> {
    try {
      await table.records.create({ data });
      return true;
    } catch (error) {
      if (this.isDuplicate(error)) return false;
      throw error;
    }
  }
}

async function updates(table: RecordTable, where: Row, data: Row): Promise<boolean> {
  return (await table.records.updateMany({ where, data })).count === 1;
}

function timesOf({ leaseMs, keepMs = 0 }: LeaseTerms, now: Date) {
  const inMs = (ms: number): Date => new Date(now.getTime() + Math.ceil(ms));
  return { changedAt: now, leaseEndsAt: inMs(leaseMs), expiresAt: inMs(leaseMs + keepMs) };
}

function isOver(moment: Date | null | undefined, now: Date): boolean {
  return Boolean(moment && moment <= now);
}

function recordIn({ id, state, data, version, changedAt }: RecordRow): StoredRecord {
  return { id, state: state ?? undefined, data, version, changedAt };
}
