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
import type { MongoConnection, OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoCollection } from './mongodb.driver.js';

/**
 * A record as a document. The server writes `changedAt` by its own clock. It cannot write a moment
 * later than that: the end of a lease is kept as a duration.
 */
interface RecordDocument {
  readonly _id: string;
  /** Null for a record that is not leased. */
  readonly owner?: string | null;
  readonly state?: string | null;
  readonly data: string;
  readonly version?: number;
  readonly changedAt: Date;
  /** Milliseconds from `changedAt` to the end of the lease; no leased record lacks it. */
  readonly leaseMs?: number;
  /** Milliseconds from `changedAt` until the record expires; none of a record that never does. */
  readonly ttlMs?: number;
}

const CHANGED_NOW = { $currentDate: { changedAt: true } };

/** Keeps records as documents. The server's clock counts. */
export class MongoDBRecordStore extends RecordStore {
  readonly #removal: ThrottledTask;

  constructor(
    private readonly connection: Pick<MongoConnection, 'run'>,
    private readonly collectionName: string,
    clock: Clock,
  ) {
    super();
    this.#removal = new ThrottledTask(clock);
  }

  get(key: RecordKey): Promise<StoredRecord | undefined> {
    return this.#run('read a record', async (records, database) => {
      const document = await documentAt(records, idOf(key));
      if (!document) return undefined;
      const mayBeOver = document.ttlMs !== undefined;
      if (mayBeOver && hasExpired(document, await database.now())) return undefined;
      return recordIn(document);
    });
  }

  list({ kind, state, changedSince, after = '', limit }: RecordQuery): Promise<StoredRecord[]> {
    const filter = {
      // Ids begin with the kind and a colon, which the semicolon follows.
      _id: { $gt: idOf({ kind, id: after }), $lt: `${kind};` },
      ...(state !== undefined && { state }),
      ...(changedSince && { changedAt: { $gte: changedSince } }),
    };
    return this.#run('list records', async (records, database) => {
      await removeExpired(records, database);
      const page = await records.find(filter).sort({ _id: 1 }).limit(limit).toArray();
      return (page as unknown as RecordDocument[]).map(recordIn);
    });
  }

  put({ version, state, data, ...key }: VersionedRecord): Promise<boolean> {
    // No stored record has the version 0: the first one is inserted, unless its key is taken.
    const filter = { _id: idOf(key), version: version - 1 };
    return this.#run('write a record', (records) =>
      succeeds(
        records.updateOne(
          filter,
          { $set: { state, data, version }, ...CHANGED_NOW },
          { upsert: version === 1 },
        ),
      ),
    );
  }

  lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    return this.#run('lease a record', async (records, database) => {
      this.#removal.maybeRun(() => removeExpired(records, database));
      const _id = idOf(key);
      const taken = { owner, ...durationsOf(terms) };
      const inserted = records.updateOne(
        { _id, owner },
        { $set: { ...taken, data: '' }, ...CHANGED_NOW },
        { upsert: true },
      );
      // One round trip, unless there is a record already.
      if (await succeeds(inserted)) return { kind: 'granted', data: '' };
      const [before, now] = await Promise.all([documentAt(records, _id), database.now()]);
      // Removed a moment ago: the next call finds it free.
      if (!before) return { kind: 'held' };
      const isOver = hasExpired(before, now);
      if (before.state && !isOver) return { kind: 'ended', state: before.state };
      if (endOf(before, before.leaseMs) > now.getTime()) return { kind: 'held' };
      const data = isOver ? '' : before.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const { matchedCount } = await records.updateOne(
        { _id, owner: before.owner, changedAt: before.changedAt },
        { $set: { ...taken, data, state: null }, ...CHANGED_NOW },
      );
      return matchedCount === 1 ? { kind: 'granted', data } : { kind: 'held' };
    });
  }

  /** A lease that has ended is renewed as long as nobody else has leased the record since. */
  renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    return this.#run('renew a lease', (records) =>
      succeeds(
        records.updateOne({ _id: idOf(key), owner }, { $set: durationsOf(terms), ...CHANGED_NOW }),
      ),
    );
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    await this.#run('end a lease', (records): Promise<unknown> => {
      const filter = { _id: idOf(key), owner };
      if (!outcome) return records.deleteOne(filter);
      const { state = null, data, keepMs } = outcome;
      const kept = { owner: null, state, data, leaseMs: 0, ttlMs: keepMs };
      return records.updateOne(filter, { $set: kept, ...CHANGED_NOW });
    });
  }

  #run<T>(
    what: string,
    work: (records: MongoCollection, database: OpenDatabase) => Promise<T>,
  ): Promise<T> {
    return this.connection.run(what, (database) =>
      work(database.collection(this.collectionName), database),
    );
  }
}

function idOf({ kind, id }: RecordKey): string {
  return `${kind}:${id}`;
}

function durationsOf({ leaseMs, keepMs = 0 }: LeaseTerms): object {
  return { leaseMs, ttlMs: leaseMs + keepMs };
}

async function documentAt(
  records: MongoCollection,
  _id: string,
): Promise<RecordDocument | undefined> {
  return ((await records.findOne({ _id })) ?? undefined) as RecordDocument | undefined;
}

/** False when nothing matched, or the key of what was to be inserted is taken. */
async function succeeds(
  update: Promise<{ readonly matchedCount: number; readonly upsertedCount: number }>,
): Promise<boolean> {
  try {
    const { matchedCount, upsertedCount } = await update;
    return matchedCount + upsertedCount === 1;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** For each duration there is: the server can compare a field with a moment, not with a sum. */
async function removeExpired(records: MongoCollection, database: OpenDatabase): Promise<false> {
  const now = await database.now();
  for (const ttlMs of await records.distinct('ttlMs'))
    await records.deleteMany({ ttlMs, changedAt: { $lte: new Date(+now - Number(ttlMs)) } });
  return false;
}

function hasExpired(document: RecordDocument, now: Date): boolean {
  return endOf(document, document.ttlMs ?? Infinity) <= now.getTime();
}

function endOf({ changedAt }: RecordDocument, ms = 0): number {
  return changedAt.getTime() + ms;
}

function recordIn({ _id, state, data, version = 0, changedAt }: RecordDocument): StoredRecord {
  const id = _id.slice(_id.indexOf(':') + 1);
  return { id, state: state ?? undefined, data, version, changedAt };
}
