import { setTimer } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { busy } from '../decision.js';
import type { DeniedDecision } from '../decision.js';
import type { PlatformLogger } from '../logger.js';

/**
 * How long a shutdown waits, after its limit, for abandoned work to return what it holds, in
 * milliseconds.
 */
const WIND_UP = 3_000;

/** What an {@link InFlight} depends on. */
export interface InFlightDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  /** How long {@link InFlight.drain} waits, in milliseconds; `Infinity` for no limit. */
  readonly limit: number;
}

/**
 * Counts the work of one app in flight, so that a shutdown can refuse new work and wait for the
 * rest.
 */
export class InFlight {
  #count = 0;
  #draining: Promise<void> | undefined;
  #isAbandoned = false;
  readonly #abandoned = new Set<() => void>();
  #onIdle: (() => void) | undefined;

  constructor(private readonly dependencies: InFlightDependencies) {}

  /**
   * True when a shutdown no longer waits: work that is still running must not start anything new.
   */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /**
   * Runs `work`, for which a shutdown waits. Once a shutdown has begun, `work` is not called and
   * the result is a 503 `shutting_down`.
   */
  async admit<T>(work: () => Promise<T>): Promise<T | DeniedDecision> {
    return this.#draining ? SHUTTING_DOWN : this.track(work());
  }

  /** Makes a shutdown wait for work that has begun already. Settles as `work` does. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.#count++;
    try {
      return await work;
    } finally {
      this.#count--;
      if (this.#count === 0) this.#onIdle?.();
    }
  }

  /** Calls `act` when a shutdown no longer waits. @returns a function that removes the callback */
  onAbandon(act: () => void): () => void {
    this.#abandoned.add(act);
    return () => void this.#abandoned.delete(act);
  }

  /**
   * Refuses new work from now on, and resolves when nothing is in flight. Work that runs at the
   * limit is abandoned: it gets a moment to return what it holds. Further calls return the same
   * promise. Never rejects; sets no timer when nothing is in flight.
   */
  drain(): Promise<void> {
    return (this.#draining ??= this.#drain());
  }

  async #drain(): Promise<void> {
    const { logger, limit } = this.dependencies;
    if (this.#count > 0)
      logger.info('The app is shutting down and waits for what is in flight', {
        inFlight: this.#count,
      });
    if (await this.#isIdleWithin(limit)) return;
    logger.warn('The shutdown no longer waits for what is still running', {
      inFlight: this.#count,
      waitedMs: limit,
    });
    this.#isAbandoned = true;
    for (const act of [...this.#abandoned]) act();
    await this.#isIdleWithin(WIND_UP);
  }

  async #isIdleWithin(ms: number): Promise<boolean> {
    if (this.#count === 0) return true;
    return new Promise((resolve) => {
      const late =
        ms === Infinity ? undefined : setTimer(this.dependencies.clock, ms, () => resolve(false));
      this.#onIdle = () => {
        late?.();
        resolve(true);
      };
    });
  }
}

/** The decision about new work once a shutdown has begun. */
export const SHUTTING_DOWN = busy('shutting_down', 'This process is shutting down.');
