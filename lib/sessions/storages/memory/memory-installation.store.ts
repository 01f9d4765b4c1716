import type { LRUCache } from 'lru-cache';

import { recentlyUsed } from '../../../core/cache/ttl-cache.js';
import { InstallationStore } from '../../coordination/installation.store.js';
import type { Installation } from '../../coordination/installation.store.js';

const DEFAULT_CAPACITY = 100_000;

/**
 * Keeps the records in this process, some hundred bytes for each shop that has, or had, the app;
 * the ones last used when there are too many. What is forgotten, then or when the process ends, is
 * that a shop without a session had the app before (it is told as `installed`, not `reinstalled`)
 * and what the app has not been told yet. A shop with a session is not told as new.
 */
export class MemoryInstallationStore extends InstallationStore {
  readonly #records: LRUCache<string, Installation>;

  /** @param capacity how many records are kept at most; default 100,000 */
  constructor(capacity: number = DEFAULT_CAPACITY) {
    super();
    this.#records = recentlyUsed(capacity);
  }

  async load(app: string, shop: string): Promise<Installation | undefined> {
    return this.#records.get(keyOf(app, shop));
  }

  async save(installation: Installation): Promise<boolean> {
    const key = keyOf(installation.app, installation.shop);
    if ((this.#records.peek(key)?.version ?? 0) !== installation.version - 1) return false;
    this.#records.set(key, installation);
    return true;
  }
}

function keyOf(app: string, shop: string): string {
  return JSON.stringify([app, shop]);
}
