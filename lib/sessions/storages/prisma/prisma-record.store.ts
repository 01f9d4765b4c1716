import type { Clock } from '../../../core/time/clock.js';
import { recordDigest } from '../../coordination/coordination-stores.js';
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
import { explained, isDuplicate } from './prisma.driver.js';
import type { PrismaModel } from './prisma.driver.js';

/** A record as the model `AppRecord` has it. */
interface RecordRow {
  /** A digest of kind and id: there are databases that ignore case, or cut texts off. */
  readonly key: string;
  readonly kind: string;
  readonly id: string;
  readonly owner: string | null;
  readonly state: string | null;
  readonly data: string;
  readonly version: number;
  readonly changedAt: Date;
  readonly leaseEndsAt: Date | null;
  readonly expiresAt: Date | null;
}

/**
 * Keeps records as rows. This machine's clock counts: Prisma cannot ask every database for its
 * time.
 */
export class PrismaRecordStore extends RecordStore {
  readonly #removal: ThrottledTask;

  constructor(
    private readonly model: PrismaModel,
    private readonly clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  get({ kind, id }: RecordKey): Promise<StoredRecord | undefined> {
    return explained('read a record', async () => {
      const row = await this.#rowAt(recordDigest(kind, id));
      return row && !this.#isOver(row.expiresAt) ? recordIn(row) : undefined;
    });
  }

  /** In the order that the database gives ids. */
  list({ kind, state, changedSince, after, limit }: RecordQuery): Promise<StoredRecord[]> {
    const where = {
      kind,
      ...(state !== undefined && { state }),
      ...(changedSince && { changedAt: { gte: changedSince } }),
      ...(after !== undefined && { id: { gt: after } }),
      OR: [{ expiresAt: null }, { expiresAt: { gt: this.#fromNow(0) } }],
    };
    return explained('list records', async () => {
      const rows = await this.model.findMany({
        where,
        orderBy: { id: 'asc' },
        take: pageLimit(limit),
      });
      return (rows as unknown as RecordRow[]).map(recordIn);
    });
  }

  put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const key = recordDigest(kind, id);
    const written = { state, data, version, changedAt: this.#fromNow(0) };
    return explained('write a record', () =>
      version === 1
        ? this.#creates({ key, kind, id, ...written })
        : this.#updates({ key, version: version - 1 }, written),
    );
  }

  async lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const key = recordDigest(kind, id);
    const lease = await explained('lease a record', async (): Promise<Lease> => {
      const row = await this.#rowAt(key);
      const leased = { owner, ...this.#timesOf(terms) };
      if (!row) {
        const isFirst = await this.#creates({ key, kind, id, data: '', version: 0, ...leased });
        return isFirst ? { kind: 'granted', data: '' } : { kind: 'held' };
      }
      const hasExpired = this.#isOver(row.expiresAt);
      if (row.state !== null && !hasExpired) return { kind: 'ended', state: row.state };
      if (row.leaseEndsAt && !this.#isOver(row.leaseEndsAt)) return { kind: 'held' };
      const data = hasExpired ? '' : row.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const isOurs = await this.#updates(
        { key, owner: row.owner, changedAt: row.changedAt },
        { ...leased, data, state: null },
      );
      return isOurs ? { kind: 'granted', data } : { kind: 'held' };
    });
    this.#removal.maybeRun(async () => {
      await this.model.deleteMany({ where: { expiresAt: { lt: this.#fromNow(0) } } });
      return false;
    });
    return lease;
  }

  renew({ kind, id }: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const where = { key: recordDigest(kind, id), owner, expiresAt: { gt: this.#fromNow(0) } };
    return explained('renew a lease', () => this.#updates(where, this.#timesOf(terms)));
  }

  async end({ kind, id }: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const where = { key: recordDigest(kind, id), owner };
    await explained('end a lease', async (): Promise<unknown> => {
      if (!outcome) return this.model.deleteMany({ where });
      const { state = null, data, keepMs } = outcome;
      const times = { ...this.#timesOf({ leaseMs: 0, keepMs }), leaseEndsAt: null };
      return this.#updates(where, { owner: null, state, data, ...times });
    });
  }

  async #rowAt(key: string): Promise<RecordRow | null> {
    return (await this.model.findUnique({ where: { key } })) as RecordRow | null;
  }

  /** False when another made the row first. */
  async #creates(data: Partial<RecordRow>): Promise<boolean> {
    try {
      await this.model.create({ data });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async #updates(where: Readonly<Record<string, unknown>>, data: Partial<RecordRow>) {
    return (await this.model.updateMany({ where, data })).count === 1;
  }

  #timesOf({ leaseMs, keepMs = 0 }: LeaseTerms) {
    return {
      changedAt: this.#fromNow(0),
      leaseEndsAt: this.#fromNow(leaseMs),
      expiresAt: this.#fromNow(leaseMs + keepMs),
    };
  }

  #isOver(moment: Date | null): boolean {
    return moment !== null && moment <= this.#fromNow(0);
  }

  #fromNow(ms: number): Date {
    return new Date(this.clock.now().getTime() + Math.ceil(ms));
  }
}

function recordIn({ id, state, data, version, changedAt }: RecordRow): StoredRecord {
  return { id, state: state ?? undefined, data, version, changedAt };
}
