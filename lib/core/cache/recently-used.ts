import { LRUCache } from 'lru-cache';

/**
 * A map that keeps the entries that were last used, at most so many. Unlike one with `max`, it
 * takes memory for those that there are.
 */
export function recentlyUsed<Value extends object>(capacity: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
}
