import { TtlSet } from '../cache/ttl-cache.js';
import type { PlatformLogger } from '../logger.js';
import type { Clock } from '../time/clock.js';
import type { ApiCallObserver, ObservedCall } from './api-call.js';

const REPEAT_AFTER = 5 * 60 * 1000;

/**
 * Warns when the platform says that a call is deprecated: once in five minutes per call and reason,
 * however many clients make it.
 */
export class DeprecationNotices implements ApiCallObserver {
  readonly #reported: TtlSet;

  constructor(
    clock: Clock,
    private readonly logger: PlatformLogger,
  ) {
    this.#reported = new TtlSet(clock, REPEAT_AFTER);
  }

  deprecated({ operation }: ObservedCall, reason: string): void {
    if (this.#reported.add(JSON.stringify([reason, operation])))
      this.logger.warn('API Deprecation Notice', { reason, call: operation });
  }
}
