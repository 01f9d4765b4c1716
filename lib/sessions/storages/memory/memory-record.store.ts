import type { LRUCache } from 'lru-cache';

import { PackedCache } from '../../../core/cache/packed-cache.js';
import type { PackedEntry } from '../../../core/cache/packed-cache.js';
import { recentlyUsed } from '../../../core/cache/ttl-cache.js';
import { LeasedEntries } from '../../../core/concurrency/in-flight.js';
import type { Leased } from '../../../core/concurrency/in-flight.js';
import { systemClock } from '../../../core/time/clock.js';
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

const DEFAULT_CAPACITY = 100_000;
/** Said with each record, so that the cache need not ask. */
const ONE = { size: 1 };

/** Changed where it stands when its lease ends: to store another would cost more than the rest. */
interface Entry extends Leased<Entry> {
  owner: string | undefined;
  state: string | undefined;
  data: string;
  readonly version: number;
  /** Epoch milliseconds, as those below. */
  changedAt: number;
  leaseEnd: number;
  expires: number;
}

/** The records of one kind. */
interface Shelf {
  readonly kept: LRUCache<string, Entry>;
  readonly leased: LeasedEntries<Entry>;
  /** Those that have a final state and no data: nearly all that ever were leased. */
  ended: PackedCache | undefined;
}

/**
 * Keeps records in this process; another process knows nothing of them. Of each kind the most
 * recently used are kept when there are too many. A lock is never dropped.
 *
 * When an installation is dropped, or the process ends, a shop that has no session is seen as new
 * (`installed`, not `reinstalled`), and its undelivered events are lost.
 */
export class MemoryRecordStore extends RecordStore {
  readonly #shelves = new Map<string, Shelf>();

  /**
   * @param clock ends leases; default the system's
   * @param capacity how many records of a kind are kept at most, and as many more that have ended
   * without data; default 100,000
   */
  constructor(
    private readonly clock: Clock = systemClock,
    private readonly capacity: number = DEFAULT_CAPACITY,
  ) {
    super();
  }

  async get({ kind, id }: RecordKey): Promise<StoredRecord | undefined> {
    const now = this.#now();
    const shelf = this.#shelf(kind);
    const ended = shelf.ended?.get(id, now);
    if (ended) return endedRecord(ended);
    const entry = entryIn(shelf, id, now);
    return entry && recordIn(entry);
  }

  async list(query: RecordQuery): Promise<StoredRecord[]> {
    const { kind, state, changedSince, after = '', limit } = query;
    const { kept, leased, ended } = this.#shelf(kind);
    const now = this.#now();
    const since = changedSince?.getTime() ?? 0;
    const others = [...kept.values(), ...leased.values()].filter(
      ({ changedAt, expires }) => changedAt >= since && expires > now,
    );
    const over = Array.from(ended?.addedSince(since, now) ?? [], endedRecord);
    return [...others.map(recordIn), ...over]
      .filter((record) => record.id > after && (state ?? record.state) === record.state)
      .sort((a, b) => (changedSince ? +b.changedAt - +a.changedAt : a.id < b.id ? -1 : 1))
      .slice(0, pageLimit(limit));
  }

  async put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const { ended, kept, leased } = this.#shelf(kind);
    if ((kept.peek(id)?.version ?? 0) !== version - 1) return false;
    ended?.delete(id);
    leased.delete(id);
    const times = { changedAt: this.#now(), leaseEnd: 0, expires: Infinity };
    const entry = { id, owner: undefined, state, data, version, following: undefined, ...times };
    kept.set(id, entry, ONE);
    return true;
  }

  async lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const ended = shelf.ended?.get(key.id, now);
    if (ended) return { kind: 'ended', state: ended.label };
    const entry = entryIn(shelf, key.id, now);
    if (entry?.state !== undefined) return { kind: 'ended', state: entry.state };
    if (entry && entry.leaseEnd > now) return { kind: 'held' };
    const data = entry?.data ?? '';
    this.#lease(shelf, { id: key.id, owner, data }, terms, now);
    return { kind: 'granted', data };
  }

  async renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const entry = entryIn(shelf, key.id, now);
    if (entry?.owner !== owner) return false;
    this.#lease(shelf, { id: key.id, owner, data: entry.data }, terms, now);
    return true;
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const entry = entryIn(shelf, key.id, now);
    if (entry?.owner !== owner) return;
    const { kept, leased } = shelf;
    if (!leased.delete(key.id)) kept.delete(key.id);
    if (!outcome) return;
    const { state, data } = outcome;
    if (state !== undefined && data === '') {
      shelf.ended ??= new PackedCache(this.capacity);
      const ended = { key: key.id, label: state, addedAt: now };
      if (shelf.ended.add(ended, now + outcome.keepMs)) return;
    }
    entry.owner = undefined;
    entry.state = state;
    entry.data = data;
    entry.changedAt = now;
    entry.leaseEnd = 0;
    entry.expires = now + outcome.keepMs;
    kept.set(key.id, entry, ONE);
  }

  #lease(
    { kept, leased }: Shelf,
    { id, owner, data }: Pick<Entry, 'id' | 'owner' | 'data'>,
    { leaseMs, keepMs = 0 }: LeaseTerms,
    now: number,
  ): void {
    const times = { changedAt: now, leaseEnd: now + leaseMs, expires: now + leaseMs + keepMs };
    const version = 0;
    const entry = { id, owner, state: undefined, data, version, following: undefined, ...times };
    if (kept.size > 0) kept.delete(id);
    leased.set(entry);
    // Leases that nobody ends may be dropped some time, though not locks.
    if (keepMs === 0 || leased.size <= this.capacity) return;
    leased.delete(id);
    kept.set(id, entry, ONE);
  }

  #shelf(kind: string): Shelf {
    let shelf = this.#shelves.get(kind);
    if (!shelf) {
      const [kept, leased] = [recentlyUsed<Entry>(this.capacity), new LeasedEntries<Entry>()];
      shelf = { kept, leased, ended: undefined };
      this.#shelves.set(kind, shelf);
    }
    return shelf;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}

function entryIn({ kept, leased }: Shelf, id: string, now: number): Entry | undefined {
  const entry = leased.get(id) ?? (kept.size > 0 ? kept.get(id) : undefined);
  return entry && entry.expires > now ? entry : undefined;
}

function recordIn({ id, state, data, version, changedAt }: Entry): StoredRecord {
  return { id, state, data, version, changedAt: new Date(changedAt) };
}

function endedRecord({ key: id, label: state, addedAt }: PackedEntry): StoredRecord {
  return { id, state, data: '', version: 0, changedAt: new Date(addedAt) };
}
