import { randomUUID } from 'node:crypto';

import { setTimer, stopwatch } from '../../core/time/clock.js';
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
  const over = new AbortController();
  const lost = new AbortController();
  const lose = (): void => {
    over.abort();
    lost.abort(new LockTimeoutError(`The lock ${name} was lost.`));
  };
  void keep({ lock, clock, name, holder, elapsed, since, over: over.signal, lose });
  try {
    return await work(lost.signal);
  } finally {
    over.abort();
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

interface Hold extends Applicant {
  /** When the lease began. */
  readonly since: number;
  /** Aborted when the work is over, or the name was lost. */
  readonly over: AbortSignal;
  /** Called when the lease ends or somebody else has the name. */
  readonly lose: () => void;
}

/** Renews the lease until the work is over, and tells when the name was lost before. */
async function keep({
  lock,
  clock,
  name,
  holder,
  elapsed,
  since,
  over,
  lose,
}: Hold): Promise<void> {
  const loseAtEnd = (since: number): (() => void) =>
    setTimer(clock, since + LEASE - elapsed(), lose);
  // Also while a renewal waits for a server that does not answer.
  let cancel = loseAtEnd(since);
  over.addEventListener('abort', () => cancel());
  for (let renewals = 0; renewals < MOST_RENEWALS; renewals++) {
    await clock.sleep(RENEWAL_INTERVAL, over).catch(() => {});
    if (over.aborted) return;
    const asked = elapsed();
    // A server that is away for a moment has not taken the name from us yet.
    const isHeld = await lock.renew(name, holder, LEASE).catch(() => undefined);
    if (over.aborted) return;
    if (isHeld === false) break;
    if (!isHeld) continue;
    cancel();
    cancel = loseAtEnd(asked);
  }
  lose();
}
