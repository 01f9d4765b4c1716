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
import type { MongoConnection, OpenDatabase } from './mongodb.connection.js';
import { isDuplicate } from './mongodb.driver.js';
import type { MongoCollection, MongoDocument } from './mongodb.driver.js';

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
    const count = pageLimit(limit);
    return this.#run('list records', async (records, database) => {
      // MongoDB takes 0 for no limit.
      if (count === 0) return [];
      await removeExpired(records, database);
      const page = await records.find(filter).sort({ _id: 1 }).limit(count).toArray();
      return (page as unknown as RecordDocument[]).map(recordIn);
    });
  }

  put({ version, state, data, ...key }: VersionedRecord): Promise<boolean> {
    const _id = idOf(key);
    const written = { state, data, version };
    return this.#run('write a record', async (records, database) => {
      if (version === 1) return inserted(records, { _id, ...written }, database);
      return isChanged(records.updateOne({ _id, version: version - 1 }, changedNow(written)));
    });
  }

  lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    return this.#run('lease a record', async (records, database) => {
      this.#removal.maybeRun(() => removeExpired(records, database));
      const _id = idOf(key);
      const taken = { owner, ...durationsOf(terms) };
      if (await inserted(records, { _id, ...taken, data: '' }, database))
        return { kind: 'granted', data: '' };
      const [before, now] = await Promise.all([documentAt(records, _id), database.now()]);
      // Removed a moment ago: the next call finds it free.
      if (!before) return { kind: 'held' };
      const isOver = hasExpired(before, now);
      if (before.state && !isOver) return { kind: 'ended', state: before.state };
      if (endOf(before, before.leaseMs) > now.getTime()) return { kind: 'held' };
      const data = isOver ? '' : before.data;
      // Not if it was renewed, or leased to someone else, since it was read.
      const filter = { _id, owner: before.owner, changedAt: before.changedAt };
      const change = changedNow({ ...taken, data, state: null });
      const isOurs = await isChanged(records.updateOne(filter, change));
      return isOurs ? { kind: 'granted', data } : { kind: 'held' };
    });
  }

  renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const _id = idOf(key);
    return this.#run('renew a lease', async (records, database) => {
      const [before, now] = await Promise.all([documentAt(records, _id), database.now()]);
      if (before?.owner !== owner || hasExpired(before, now)) return false;
      const filter = { _id, owner, changedAt: before.changedAt };
      return isChanged(records.updateOne(filter, changedNow(durationsOf(terms))));
    });
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    await this.#run('end a lease', (records): Promise<unknown> => {
      const filter = { _id: idOf(key), owner };
      if (!outcome) return records.deleteOne(filter);
      const { state = null, data, keepMs } = outcome;
      const kept = { owner: null, state, data, leaseMs: 0, ttlMs: keepMs };
      return records.updateOne(filter, changedNow(kept));
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

/** An update, which the server dates. */
function changedNow(fields: object): MongoDocument {
  return { $set: fields, $currentDate: { changedAt: true } };
}

async function isChanged(update: Promise<{ readonly matchedCount: number }>): Promise<boolean> {
  return (await update).matchedCount === 1;
}

/**
 * False when the key is taken. An update that inserts would be dated by the server as well, but
 * there are servers that take fifty times as long for it.
 */
async function inserted(
  records: MongoCollection,
  document: Omit<RecordDocument, 'changedAt'>,
  database: OpenDatabase,
): Promise<boolean> {
  const changedAt = await database.now();
  try {
    await records.insertOne({ ...document, changedAt });
    return true;
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
