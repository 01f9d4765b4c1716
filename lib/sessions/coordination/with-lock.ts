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

interface WithLockOptions {
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
  const hold = { lock, clock, name, holder: randomUUID(), elapsed: stopwatch(clock) };
  const { lost, stop } = renewed(hold, await taken(hold, timeoutMs));
  try {
    return await work(lost);
  } finally {
    stop();
    await giveBack(hold);
  }
}

/** A name that is waited for, and renewed while it is held. */
interface Hold extends Omit<WithLockOptions, 'timeoutMs'> {
  readonly name: string;
  readonly holder: string;
  /** Milliseconds since the name was first asked for. */
  readonly elapsed: () => number;
}

/** A name that cannot be given back is free when its lease ends. */
function giveBack({ lock, name, holder }: Hold): Promise<void> {
  return lock.release(name, holder).catch(() => {});
}

/**
 * Waits for the name. @returns when the lease was asked for
 * @throws {LockTimeoutError} when it did not become free in time
 */
async function taken(hold: Hold, timeoutMs: number): Promise<number> {
  const { lock, clock, name, holder, elapsed } = hold;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const asked = elapsed();
    const isTaken = await lock.take(name, holder, LEASE_MS).catch((error: unknown) => {
      // It may have been taken without our learning of it.
      void giveBack(hold);
      throw error;
    });
    if (isTaken) return asked;
    if (elapsed() >= timeoutMs)
      throw new LockTimeoutError(`The lock ${name} did not become free within ${timeoutMs} ms.`);
    await clock.sleep(pause * (0.5 + Math.random()));
  }
}

/** Renews the lease until it is stopped or lost. @param first when it was asked for */
function renewed({ lock, clock, name, holder, elapsed }: Hold, first: number) {
  const lost = new AbortController();
  let isOver = false;
  let renewals = 0;
  let cancelRenewal = (): void => {};
  let cancelExpiry = (): void => {};

  /**
   * Counts the lease from when it was asked for, since nobody knows how long the answer took; also
   * while a renewal waits for a server that does not answer.
   */
  function keep(asked: number): void {
    cancelExpiry();
    cancelExpiry = setTimer(clock, asked + LEASE_MS - elapsed(), lose);
    renewLater();
  }

  function renewLater(): void {
    cancelRenewal = setTimer(clock, RENEWAL_INTERVAL_MS, () => void renew());
  }

  /** One that fails is tried again: an outage of the server does not take the lease away. */
  async function renew(): Promise<void> {
    const asked = elapsed();
    const isHeld = await lock.renew(name, holder, LEASE_MS).catch(() => undefined);
    if (isOver) return;
    if (isHeld === false || ++renewals >= MOST_RENEWALS) lose();
    else if (isHeld) keep(asked);
    else renewLater();
  }

  function lose(): void {
    stop();
    lost.abort(new LockTimeoutError(`The lock ${name} was lost.`));
  }

  function stop(): void {
    isOver = true;
    cancelRenewal();
    cancelExpiry();
  }

  keep(first);
  return { lost: lost.signal, stop };
}
