import { ThrottledTask } from '../../../core/cache/throttled-task.js';
import type { Clock } from '../../../core/time/clock.js';
import type {
  LeaseTerms,
  RecordKey,
  RecordStore,
  StoredRecord,
} from '../../coordination/record.store.js';
import type { Row, RowTable } from './table-sessions.js';

/** A record as a row has it, beside its key. A document lacks what is not set. */
interface RecordRow extends RecordKey {
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
export function tableRecords(table: RecordTable, clock: Clock): RecordStore {
  const { records } = table;
  const removal = new ThrottledTask(clock);

  function look(key: RecordKey): Promise<[RecordRow | null, now: Date]> {
    const found = records.findUnique({ where: table.keyOf(key) });
    return Promise.all([found as Promise<RecordRow | null>, table.now()]);
  }

  /** False when another made the row first. */
  async function creates(data: Row): Promise<boolean> {
    try {
      await records.create({ data });
      return true;
    } catch (error) {
      if (table.isDuplicate(error)) return false;
      throw error;
    }
  }

  async function updates(where: Row, data: Row): Promise<boolean> {
    return (await records.updateMany({ where, data })).count === 1;
  }

  return {
    async get(key) {
      const [row, now] = await look(key);
      return row && !isOver(row.expiresAt, now) ? recordIn(row) : undefined;
    },
    async list({ kind, state, changedSince, after, limit: take }) {
      const { where, orderBy } = table.pageOf(kind, after);
      const page = {
        ...where,
        ...(state !== undefined && { state }),
        ...(changedSince && { changedAt: { gte: changedSince } }),
        OR: [{ expiresAt: null }, { expiresAt: { gt: await table.now() } }],
      };
      const order = changedSince ? { changedAt: 'desc' } : orderBy;
      const rows = await records.findMany({ where: page, orderBy: order, take });
      return (rows as unknown as RecordRow[]).map(recordIn);
    },
    async put({ kind, id, state, data, version }) {
      const key = table.keyOf({ kind, id });
      const written = { state, data, version, changedAt: await table.now() };
      return version === 1
        ? creates({ ...key, kind, id, ...written })
        : updates({ ...key, version: version - 1 }, written);
    },
    async lease({ kind, id }, owner, terms) {
      const key = table.keyOf({ kind, id });
      const [row, now] = await look({ kind, id });
      removal.maybeRun(async () => {
        await records.deleteMany({ where: { expiresAt: { lt: now } } });
        return false;
      });
      const leased = { owner, ...timesOf(terms, now) };
      if (!row) {
        const first = { ...key, kind, id, data: '', version: 0, ...leased };
        return (await creates(first)) ? { kind: 'granted', data: '' } : { kind: 'held' };
      }
      const hasExpired = isOver(row.expiresAt, now);
      if (typeof row.state === 'string' && !hasExpired) return { kind: 'ended', state: row.state };
      if (row.leaseEndsAt && !isOver(row.leaseEndsAt, now)) return { kind: 'held' };
      const data = hasExpired ? '' : row.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const where = { ...key, owner: row.owner, changedAt: row.changedAt };
      return (await updates(where, { ...leased, data, state: null }))
        ? { kind: 'granted', data }
        : { kind: 'held' };
    },
    async renew(key, owner, terms) {
      const now = await table.now();
      return updates({ ...table.keyOf(key), owner, expiresAt: { gt: now } }, timesOf(terms, now));
    },
    async end(key, owner, outcome) {
      const where = { ...table.keyOf(key), owner };
      if (!outcome) return void (await records.deleteMany({ where }));
      const { state = null, data, keepMs } = outcome;
      const times = timesOf({ leaseMs: 0, keepMs }, await table.now());
      await updates(where, { owner: null, state, data, ...times, leaseEndsAt: null });
    },
  };
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
