import { randomUUID } from 'node:crypto';

import { setTimer, stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { Lock } from './lock.js';
import { LockTimeoutError } from '../sessions.errors.js';

/** How long a hold lasts unless it is renewed, in milliseconds. */
const LEASE_MS = 15_000;
const RENEWAL_INTERVAL_MS = LEASE_MS / 3;
/** How long the name is waited for: longer than a lease, so that a crash of its holder is over. */
const TIMEOUT_MS = 30_000;
/** Work that takes longer than an hour is given up: others may then take the name. */
const MOST_RENEWALS = (60 * 60_000) / RENEWAL_INTERVAL_MS;
const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 200;

export interface WithLockOptions {
  readonly lock: Lock;
  readonly clock: Clock;
  /** How long to wait for the name. @default 30,000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs `work` while nobody else holds `name`, for an hour at most. `lost` is aborted when the name
 * is lost before the work is done: after that hour, or because this process stood still or could
 * not reach the lock's server. Another process may then be at the same work.
 * @throws {LockTimeoutError} when the name did not become free in time
 */
export async function withLock<T>(
  { lock, clock, timeoutMs = TIMEOUT_MS }: WithLockOptions,
  name: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const hold: Hold = { lock, clock, name, holder: randomUUID(), elapsed: stopwatch(clock) };
  const leasedAt = await take(hold, timeoutMs);
  const lost = new AbortController();
  const stop = keepLease({
    clock,
    interval: RENEWAL_INTERVAL_MS,
    mostRenewals: MOST_RENEWALS,
    expiry: { duration: LEASE_MS, left: leasedAt + LEASE_MS - hold.elapsed() },
    renew: () => lock.renew(name, hold.holder, LEASE_MS),
    onLost: () => lost.abort(new LockTimeoutError(`The lock ${name} was lost.`)),
  });
  try {
    return await work(lost.signal);
  } finally {
    stop();
    // A name that cannot be given back is free when its lease ends.
    await lock.release(name, hold.holder).catch(() => {});
  }
}

/** A name that is held, or waited for. */
interface Hold {
  readonly lock: Lock;
  readonly clock: Clock;
  readonly name: string;
  readonly holder: string;
  /** Milliseconds since the name was first asked for. */
  readonly elapsed: () => number;
}

/**
 * Resolves with the moment from which the lease counts: when it was asked for, since nobody knows
 * how long the answer took.
 */
async function take(
  { lock, clock, name, holder, elapsed }: Hold,
  timeoutMs: number,
): Promise<number> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const asked = elapsed();
    const isTaken = await lock.take(name, holder, LEASE_MS).catch((error: unknown) => {
      // It may have been taken without our learning of it.
      void lock.release(name, holder).catch(() => {});
      throw error;
    });
    if (isTaken) return asked;
    if (elapsed() >= timeoutMs)
      throw new LockTimeoutError(`The lock ${name} did not become free within ${timeoutMs} ms.`);
    await clock.sleep(pause * (0.5 + Math.random()));
  }
}

/** A lease that this process holds and renews. */
export interface HeldLease {
  readonly clock: Clock;
  /** Milliseconds between two renewals. */
  readonly interval: number;
  /** The maximum number of renewals; the lease counts as lost after the last. */
  readonly mostRenewals: number;
  /**
   * How long a renewal lasts and how much of the current lease is left, in milliseconds: the lease
   * counts as lost at its end.
   */
  readonly expiry: { readonly duration: number; readonly left: number };
  /**
   * Resolves to true when the lease is renewed, and to false when it is lost. A renewal that fails
   * is retried when the next one is due: an outage of the server does not take the lease away.
   */
  readonly renew: () => Promise<boolean>;
  readonly onLost: () => void;
}

/**
 * Renews a lease while work goes on under it.
 * @returns a function that stops renewing; from then on no loss is reported
 */
export function keepLease(lease: HeldLease): () => void {
  const { clock, interval, mostRenewals, expiry, renew, onLost } = lease;
  const elapsed = stopwatch(clock);
  let renewals = 0;
  let isOver = false;
  let cancelRenewal = (): void => {};
  let cancelExpiry = (): void => {};
  const stop = (): void => {
    isOver = true;
    cancelRenewal();
    cancelExpiry();
  };
  const lose = (): void => {
    stop();
    onLost();
  };
  const expireAfter = (ms: number): void => {
    cancelExpiry();
    cancelExpiry = setTimer(clock, ms, lose);
  };
  const renewNow = async (): Promise<void> => {
    // Measured from the request, because the duration of its way back is unknown.
    const asked = elapsed();
    const isHeld = await renew().catch(() => undefined);
    if (isOver) return;
    if (isHeld === false || ++renewals >= mostRenewals) return lose();
    if (isHeld) expireAfter(asked + expiry.duration - elapsed());
    scheduleRenewal();
  };
  const scheduleRenewal = (): void => {
    cancelRenewal = setTimer(clock, interval, () => void renewNow());
  };
  // Also while a renewal waits for a server that does not answer.
  expireAfter(expiry.left);
  scheduleRenewal();
  return stop;
}
