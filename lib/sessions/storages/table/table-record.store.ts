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

/** A table of records that can be used now. */
export interface RecordTable {
  readonly rows: RowTable;
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
    private readonly isDuplicate: (error: unknown) => boolean,
    clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  get(key: RecordKey): Promise<StoredRecord | undefined> {
    return this.run('read a record', async (records) => {
      const [row, now] = await this.#look(records, key);
      return row && !isOver(row.expiresAt, now) ? recordIn(row) : undefined;
    });
  }

  list({ kind, state, changedSince, after, limit }: RecordQuery): Promise<StoredRecord[]> {
    const { where, orderBy } = this.pageOf(kind, after);
    return this.run('list records', async (records) => {
      const page = {
        ...where,
        ...(state !== undefined && { state }),
        ...(changedSince && { changedAt: { gte: changedSince } }),
        OR: [{ expiresAt: null }, { expiresAt: { gt: await records.now() } }],
      };
      const rows = await records.rows.findMany({ where: page, orderBy, take: pageLimit(limit) });
      return (rows as unknown as RecordRow[]).map(recordIn);
    });
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const key = this.keyOf({ kind, id });
    return this.run('write a record', async (records) => {
      const written = { state, data, version, changedAt: await records.now() };
      return version === 1
        ? this.#creates(records, { ...key, kind, id, ...written })
        : updates(records, { ...key, version: version - 1 }, written);
    });
  }

  lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const key = this.keyOf({ kind, id });
    return this.run('lease a record', async (records) => {
      const [row, now] = await this.#look(records, { kind, id });
      this.#removal.maybeRun(async () => {
        await records.rows.deleteMany({ where: { expiresAt: { lt: now } } });
        return false;
      });
      const leased = { owner, ...timesOf(terms, now) };
      if (!row) {
        const first = { ...key, kind, id, data: '', version: 0, ...leased };
        return (await this.#creates(records, first))
          ? { kind: 'granted', data: '' }
          : { kind: 'held' };
      }
      const hasExpired = isOver(row.expiresAt, now);
      if (typeof row.state === 'string' && !hasExpired) return { kind: 'ended', state: row.state };
      if (row.leaseEndsAt && !isOver(row.leaseEndsAt, now)) return { kind: 'held' };
      const data = hasExpired ? '' : row.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const where = { ...key, owner: row.owner, changedAt: row.changedAt };
      return (await updates(records, where, { ...leased, data, state: null }))
        ? { kind: 'granted', data }
        : { kind: 'held' };
    });
  }

  renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    return this.run('renew a lease', async (records) => {
      const now = await records.now();
      const where = { ...this.keyOf(key), owner, expiresAt: { gt: now } };
      return updates(records, where, timesOf(terms, now));
    });
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const where = { ...this.keyOf(key), owner };
    await this.run('end a lease', async (records): Promise<unknown> => {
      if (!outcome) return records.rows.deleteMany({ where });
      const { state = null, data, keepMs } = outcome;
      const times = timesOf({ leaseMs: 0, keepMs }, await records.now());
      return updates(records, where, { owner: null, state, data, ...times, leaseEndsAt: null });
    });
  }

  /** @param what it does, for the error that says so when it fails */
  protected abstract run<T>(what: string, work: (records: RecordTable) => Promise<T>): Promise<T>;
  /** The unique column of a record, with its value. */
  protected abstract keyOf(key: RecordKey): Row;
  /** What matches the records of a kind whose ids come after one, and the order of their ids. */
  protected abstract pageOf(kind: string, after?: string): { where: Row; orderBy: Row };

  async #look(records: RecordTable, key: RecordKey): Promise<[RecordRow | null, now: Date]> {
    const found = records.rows.findUnique({ where: this.keyOf(key) });
    return Promise.all([found as Promise<RecordRow | null>, records.now()]);
  }

  /** False when another made the row first. */
  async #creates(records: RecordTable, data: Row): Promise<boolean> {
    try {
      await records.rows.create({ data });
      return true;
    } catch (error) {
      if (this.isDuplicate(error)) return false;
      throw error;
    }
  }
}

async function updates(records: RecordTable, where: Row, data: Row): Promise<boolean> {
  return (await records.rows.updateMany({ where, data })).count === 1;
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
