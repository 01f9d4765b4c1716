import { randomUUID } from 'node:crypto';

import { keepLease } from '../../core/concurrency/keep-lease.js';
import { stopwatch } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import type { Lock } from './lock.js';
import { LockTimeoutError } from '../sessions.errors.js';

/** How long a hold lasts without word from its holder, in milliseconds. */
const LEASE = 15_000;
const RENEWAL_INTERVAL = LEASE / 3;
/**
 * How long one waits for a name, in milliseconds: longer than a lease, so that a crash of the
 * holder is waited out.
 */
const PATIENCE = 30_000;
/** Work that is not back after an hour is taken for dead: others may then have the name. */
const MOST_RENEWALS = (60 * 60_000) / RENEWAL_INTERVAL;
const FIRST_PAUSE = 15;
const LONGEST_PAUSE = 200;

export interface WithLockOptions {
  readonly lock: Lock;
  readonly clock: Clock;
  /** Milliseconds to wait for the name. @default 30,000 */
  readonly patience?: number | undefined;
}

/**
 * Does `work` while nobody else holds `name`, and keeps the name meanwhile, an hour at most. `lost`
 * is aborted when the name was lost before the work was done, as after that hour, or when this
 * process stood still or the lock's server went away: another may be at it by then.
 * @throws {LockTimeoutError} when the name did not become free in time
 */
export async function withLock<T>(
  { lock, clock, patience = PATIENCE }: WithLockOptions,
  name: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const elapsed = stopwatch(clock);
  const since = await take({ lock, clock, name, holder, elapsed }, patience);
  const lost = new AbortController();
  const stop = keepLease({
    clock,
    interval: RENEWAL_INTERVAL,
    mostRenewals: MOST_RENEWALS,
    expiry: { duration: LEASE, left: since + LEASE - elapsed() },
    renew: () => lock.renew(name, holder, LEASE),
    onLost: () => lost.abort(new LockTimeoutError(`The lock ${name} was lost.`)),
  });
  try {
    return await work(lost.signal);
  } finally {
    stop();
    // What cannot be given back ends with its lease.
    await lock.release(name, holder).catch(() => {});
  }
}

/** Who wants a name. */
interface Applicant {
  readonly lock: Lock;
  readonly clock: Clock;
  readonly name: string;
  readonly holder: string;
  /** Milliseconds since the name was first asked for. */
  readonly elapsed: () => number;
}

/**
 * Answers with when the lease began: when it was asked for, since nobody knows how long the answer
 * was on its way.
 */
async function take(
  { lock, clock, name, holder, elapsed }: Applicant,
  patience: number,
): Promise<number> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    const asked = elapsed();
    if (await lock.take(name, holder, LEASE)) return asked;
    if (elapsed() >= patience)
      throw new LockTimeoutError(`The lock ${name} did not become free within ${patience} ms.`);
    await clock.sleep(pause * (0.5 + Math.random()));
  }
}
