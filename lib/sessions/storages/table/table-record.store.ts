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
  /** The unique column of a record, with its value. */
  keyOf(key: RecordKey): Row;
  /** What matches the records of a kind whose ids come after one, and the order of their ids. */
  pageOf(kind: string, after: string | undefined): { readonly where: Row; readonly orderBy: Row };
  /** Whether a row was refused because its key is taken. */
  isDuplicate(error: unknown): boolean;
}

/**
 * Keeps records as rows of a table, or documents of a collection. A record is looked at and then
 * changed, unless it has changed meanwhile. The moments that are written count from before the
 * change: a lease ends no sooner for others than for its owner.
 */
export class TableRecordStore extends RecordStore {
  readonly #removal: ThrottledTask;

  constructor(
    private readonly table: RecordTable,
    clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    const [row, now] = await this.#look(key);
    return row && !isOver(row.expiresAt, now) ? recordIn(row) : undefined;
  }

  async list(query: RecordQuery): Promise<StoredRecord[]> {
    const { kind, state, changedSince, after, limit: take } = query;
    const { where, orderBy } = this.table.pageOf(kind, after);
    const page = {
      ...where,
      ...(state !== undefined && { state }),
      ...(changedSince && { changedAt: { gte: changedSince } }),
      OR: [{ expiresAt: null }, { expiresAt: { gt: await this.table.now() } }],
    };
    const rows = await this.table.records.findMany({ where: page, orderBy, take });
    return (rows as unknown as RecordRow[]).map(recordIn);
  }

  async put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const key = this.table.keyOf({ kind, id });
    const written = { state, data, version, changedAt: await this.table.now() };
    return version === 1
      ? this.#creates({ ...key, kind, id, ...written })
      : this.#updates({ ...key, version: version - 1 }, written);
  }

  async lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const key = this.table.keyOf({ kind, id });
    const [row, now] = await this.#look({ kind, id });
    this.#removal.maybeRun(async () => {
      await this.table.records.deleteMany({ where: { expiresAt: { lt: now } } });
      return false;
    });
    const leased = { owner, ...timesOf(terms, now) };
    if (!row) {
      const first = { ...key, kind, id, data: '', version: 0, ...leased };
      return (await this.#creates(first)) ? { kind: 'granted', data: '' } : { kind: 'held' };
    }
    const hasExpired = isOver(row.expiresAt, now);
    if (typeof row.state === 'string' && !hasExpired) return { kind: 'ended', state: row.state };
    if (row.leaseEndsAt && !isOver(row.leaseEndsAt, now)) return { kind: 'held' };
    const data = hasExpired ? '' : row.data;
    // Not if it was renewed, or leased to someone else, since it was read.
    const where = { ...key, owner: row.owner, changedAt: row.changedAt };
    return (await this.#updates(where, { ...leased, data, state: null }))
      ? { kind: 'granted', data }
      : { kind: 'held' };
  }

  async renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const now = await this.table.now();
    const where = { ...this.table.keyOf(key), owner, expiresAt: { gt: now } };
    return this.#updates(where, timesOf(terms, now));
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const where = { ...this.table.keyOf(key), owner };
    if (!outcome) return void (await this.table.records.deleteMany({ where }));
    const { state = null, data, keepMs } = outcome;
    const times = timesOf({ leaseMs: 0, keepMs }, await this.table.now());
    await this.#updates(where, { owner: null, state, data, ...times, leaseEndsAt: null });
  }

  #look(key: RecordKey): Promise<[RecordRow | null, now: Date]> {
    const found = this.table.records.findUnique({ where: this.table.keyOf(key) });
    return Promise.all([found as Promise<RecordRow | null>, this.table.now()]);
  }

  /** False when another made the row first. */
  async #creates(data: Row): Promise<boolean> {
    try {
      await this.table.records.create({ data });
      return true;
    } catch (error) {
      if (this.table.isDuplicate(error)) return false;
      throw error;
    }
  }

  async #updates(where: Row, data: Row): Promise<boolean> {
    return (await this.table.records.updateMany({ where, data })).count === 1;
  }
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
