import type { QueueDepth } from '../../webhooks/queue/queue-status.js';

/** What is checked of an app. */
export type HealthCheckName = 'configuration' | 'storage' | 'lock' | 'queue' | 'clock';

/** Why something is not as it has to be; the log of the app has the error itself. */
export type HealthReason =
  | 'boot_failed'
  | 'shutting_down'
  | 'unreachable'
  | 'timeout'
  | 'not_exclusive'
  | 'too_many_waiting'
  | 'no_date'
  | 'clock_skew';

/** What was found out about one part of an app. Nothing in it is secret. */
export interface HealthCheckResult {
  readonly status: 'up' | 'down';
  readonly reason?: HealthReason | undefined;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** Of `queue`: how many deliveries there are; `undefined` where they are handled on arrival. */
  readonly depth?: QueueDepth | undefined;
  /** Of `clock`: milliseconds by which the app's clock is ahead of the platform's. */
  readonly skewMs?: number | undefined;
}

/** The health of an app. */
export interface HealthReport {
  /** True when every check that was made found what it has to. */
  readonly isHealthy: boolean;
  readonly checks: Readonly<Partial<Record<HealthCheckName, HealthCheckResult>>>;
}

/** What is checked, and what is still healthy. */
export interface HealthOptions {
  /** @default all of them */
  readonly checks?: readonly HealthCheckName[] | undefined;
  /** How long each check may take, in milliseconds. @default 2000 */
  readonly timeout?: number | undefined;
  /**
   * For how many milliseconds what was found out counts for others who ask for the same; with 0
   * only those share a check who wait for it at the same time. `configuration` is always new.
   * @default 1000
   */
  readonly maxAge?: number | undefined;
  /** How many deliveries may wait in the queue. @default 1000 */
  readonly maxWaiting?: number | undefined;
  /**
   * By how many milliseconds the clock may differ from the platform's. @default 10000: what the
   * check of session tokens allows for
   */
  readonly maxClockSkew?: number | undefined;
  /** Whose domain tells the platform's time. @default none: its network of static files does */
  readonly shop?: string | undefined;
}
