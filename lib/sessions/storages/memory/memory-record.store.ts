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

interface Entry extends StoredRecord {
  readonly owner?: string;
  /** Epoch milliseconds. */
  readonly leaseEnd: number;
  readonly expires: number;
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
    const entry = this.#entryOf(key);
    return entry && recordIn(entry);
  }

  async list(query: RecordQuery): Promise<StoredRecord[]> {
    const { kind, state, changedSince = new Date(0), after = '', limit } = query;
    const { kept, leased } = this.#shelf(kind);
    const now = this.#now();
    return [...kept.values(), ...leased.values()]
      .filter((entry) => entry.expires > now && entry.id > after)
      .filter((entry) => entry.changedAt >= changedSince && (state ?? entry.state) === entry.state)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, pageLimit(limit))
      .map(recordIn);
  }

  async put({ kind, id, state, data, version }: VersionedRecord): Promise<boolean> {
    const { kept } = this.#shelf(kind);
    if ((kept.peek(id)?.version ?? 0) !== version - 1) return false;
    const times = { changedAt: this.clock.now(), leaseEnd: 0, expires: Infinity };
    kept.set(id, { id, state, data, version, ...times });
    return true;
  }

  async lease(key: RecordKey, owner: string, terms: LeaseTerms): Promise<Lease> {
    const entry = this.#entryOf(key);
    if (entry?.state !== undefined) return { kind: 'ended', state: entry.state };
    if (entry && entry.leaseEnd > this.#now()) return { kind: 'held' };
    const data = entry?.data ?? '';
    this.#lease(key, owner, terms, data);
    return { kind: 'granted', data };
  }

  async renew(key: RecordKey, owner: string, terms: LeaseTerms): Promise<boolean> {
    const entry = this.#entryOf(key);
    if (entry?.owner !== owner) return false;
    this.#lease(key, owner, terms, entry.data);
    return true;
  }

  async end(key: RecordKey, owner: string, outcome?: LeaseOutcome): Promise<void> {
    const entry = this.#entryOf(key);
    // A record that was dropped to make place for others has not been leased to anybody since.
    if (entry && entry.owner !== owner) return;
    const { kept, leased } = this.#shelf(key.kind);
    leased.delete(key.id);
    kept.delete(key.id);
    if (!outcome) return;
    const { state, data, keepMs } = outcome;
    const times = { changedAt: this.clock.now(), leaseEnd: 0, expires: this.#now() + keepMs };
    kept.set(key.id, { id: key.id, state, data, version: 0, ...times });
  }

  #lease({ kind, id }: RecordKey, owner: string, terms: LeaseTerms, data: string): void {
    const { leaseMs, keepMs = 0 } = terms;
    const leaseEnd = this.#now() + leaseMs;
    const times = { changedAt: this.clock.now(), leaseEnd, expires: leaseEnd + keepMs };
    const entry = { id, owner, state: undefined, data, version: 0, ...times };
    const { kept, leased } = this.#shelf(kind);
    (keepMs > 0 ? leased : kept).delete(id);
    (keepMs > 0 ? kept : leased).set(id, entry);
  }

  #entryOf({ kind, id }: RecordKey): Entry | undefined {
    const { kept, leased } = this.#shelf(kind);
    const entry = leased.get(id) ?? kept.get(id);
    return entry && entry.expires > this.#now() ? entry : undefined;
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

function recordIn({ id, state, data, version, changedAt }: Entry): StoredRecord {
  return { id, state, data, version, changedAt };
}
