import type { LRUCache } from 'lru-cache';

import { recentlyUsed } from '../../../core/cache/ttl-cache.js';
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
interface Entry {
  readonly id: string;
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
  /** Those that are leased, and not kept afterwards. */
  readonly leased: Map<string, Entry>;
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
   * @param capacity how many records of a kind are kept at most; default 100,000
   */
  constructor(
    private readonly clock: Clock = systemClock,
    private readonly capacity: number = DEFAULT_CAPACITY,
  ) {
    super();
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    const entry = entryIn(this.#shelf(key.kind), key.id, this.#now());
    return entry && recordIn(entry);
  }

  async list(query: RecordQuery): Promise<StoredRecord[]> {
    const { kind, state, changedSince = new Date(0), after = '', limit } = query;
    const { kept, leased } = this.#shelf(kind);
    const now = this.#now();
    return [...kept.values(), ...leased.values()]
      .filter((entry) => entry.expires > now && entry.id > after)
      .filter(
        (entry) =>
          entry.changedAt >= changedSince.getTime() && (state ?? entry.state) === entry.state,
      )
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, pageLimit(limit))
      .map(recordIn);
  }

  async put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const { kept } = this.#shelf(kind);
    if ((kept.peek(id)?.version ?? 0) !== version - 1) return false;
    const times = { changedAt: this.#now(), leaseEnd: 0, expires: Infinity };
    kept.set(id, { id, owner: undefined, state, data, version, ...times }, ONE);
    return true;
  }

  async lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const entry = entryIn(shelf, key.id, now);
    if (entry?.state !== undefined) return { kind: 'ended', state: entry.state };
    if (entry && entry.leaseEnd > now) return { kind: 'held' };
    const data = entry?.data ?? '';
    lease(shelf, { id: key.id, owner, data }, terms, now);
    return { kind: 'granted', data };
  }

  async renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const entry = entryIn(shelf, key.id, now);
    if (entry?.owner !== owner) return false;
    lease(shelf, { id: key.id, owner, data: entry.data }, terms, now);
    return true;
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const now = this.#now();
    const shelf = this.#shelf(key.kind);
    const entry = entryIn(shelf, key.id, now);
    if (entry?.owner !== owner) return;
    const wasLeasedOnly = shelf.leased.delete(key.id);
    if (!outcome) return void shelf.kept.delete(key.id);
    entry.owner = undefined;
    entry.state = outcome.state;
    entry.data = outcome.data;
    entry.changedAt = now;
    entry.leaseEnd = 0;
    entry.expires = now + outcome.keepMs;
    if (wasLeasedOnly) shelf.kept.set(key.id, entry, ONE);
  }

  #shelf(kind: string): Shelf {
    let shelf = this.#shelves.get(kind);
    if (!shelf) {
      shelf = { kept: recentlyUsed(this.capacity), leased: new Map() };
      this.#shelves.set(kind, shelf);
    }
    return shelf;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}

function entryIn({ kept, leased }: Shelf, id: string, now: number): Entry | undefined {
  const entry = leased.get(id) ?? kept.get(id);
  return entry && entry.expires > now ? entry : undefined;
}

function lease(
  { kept, leased }: Shelf,
  { id, owner, data }: Pick<Entry, 'id' | 'owner' | 'data'>,
  { leaseMs, keepMs = 0 }: LeaseTerms,
  now: number,
): void {
  const times = { changedAt: now, leaseEnd: now + leaseMs, expires: now + leaseMs + keepMs };
  const entry = { id, owner, state: undefined, data, version: 0, ...times };
  if (keepMs > 0) {
    leased.delete(id);
    kept.set(id, entry, ONE);
  } else {
    kept.delete(id);
    leased.set(id, entry);
  }
}

function recordIn({ id, state, data, version, changedAt }: Entry): StoredRecord {
  return { id, state, data, version, changedAt: new Date(changedAt) };
}
