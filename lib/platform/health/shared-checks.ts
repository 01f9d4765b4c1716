import { recentlyUsed } from '../../core/cache/ttl-cache.js';
import { stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { HealthCheckResult } from './health-report.js';

/** How many checks are remembered that differ in their name or options. */
const CAPACITY = 32;

interface SharedCheck {
  readonly result: Promise<HealthCheckResult>;
  /** On the stopwatch; `undefined` while it runs. */
  endedAt: number | undefined;
}

/**
 * The checks of one app that run or have just ended, for all who ask for the same: a probe is often
 * public, and each hit would read the storage and write the lock.
 */
export class SharedChecks {
  readonly #checks = recentlyUsed<SharedCheck>(CAPACITY);
  readonly #elapsed: () => number;

  constructor(clock: Clock) {
    this.#elapsed = stopwatch(clock);
  }

  /**
   * The result of the check that runs, or that ended less than `maxAge` milliseconds ago; else of
   * another one.
   * @param key of the check and of all that its result depends on
   * @param check never rejects
   */
  result(
    key: string,
    maxAge: number,
    check: () => Promise<HealthCheckResult>,
  ): Promise<HealthCheckResult> {
    const shared = this.#checks.get(key);
    const { endedAt } = shared ?? {};
    if (shared && (endedAt === undefined || this.#elapsed() - endedAt < maxAge))
      return shared.result;
    const started: SharedCheck = { result: check(), endedAt: undefined };
    this.#checks.set(key, started);
    void started.result.then(() => {
      started.endedAt = this.#elapsed();
    });
    return started.result;
  }
}
