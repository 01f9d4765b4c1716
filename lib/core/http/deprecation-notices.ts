import { LRUCache } from 'lru-cache';

import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import type { PlatformLogger } from '../logger.js';
import { HEADERS } from '../vendor.js';

const REPEAT_AFTER = 5 * 60 * 1000;

/**
 * Warns when the platform says that a call is deprecated: once in five minutes per call and reason,
 * however many clients make it.
 */
export class DeprecationNotices {
  readonly #lastReported = new LRUCache<string, number>({ max: 500 });
  readonly #now: () => number;

  constructor(
    clock: Clock,
    private readonly logger: PlatformLogger,
  ) {
    this.#now = stopwatch(clock);
  }

  /** @param call what is deprecated, such as a path */
  report(response: Response, call: string): void {
    const reason = response.headers.get(HEADERS.deprecatedReason);
    if (!reason) return;
    const key = JSON.stringify([reason, call]);
    const now = this.#now();
    const last = this.#lastReported.get(key);
    if (last !== undefined && now - last < REPEAT_AFTER) return;
    this.#lastReported.set(key, now);
    this.logger.warn('API Deprecation Notice', { reason, call });
  }
}
