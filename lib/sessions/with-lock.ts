import { randomUUID } from 'node:crypto';

import type { Clock } from '../core/clock.js';
import type { Lock } from './lock.js';
import { LockTimeoutError } from './sessions.errors.js';

/** How long a hold lasts without word from its holder, in milliseconds. */
const LEASE = 15_000;
const RENEWAL_INTERVAL = LEASE / 3;
/** How long one waits for a name, in milliseconds: longer than a lease, so that a crash of the holder is waited out. */
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
 * Does `work` while nobody else holds `name`, and keeps the name meanwhile, an hour at most. `lost` is aborted when the name was lost
 * before the work was done, as after that hour, or when this process stood still or the lock's server went away: another may be at it
 * by then.
 * @throws {LockTimeoutError} when the name did not become free in time
 */
export async function withLock<T>(
  { lock, clock, patience = PATIENCE }: WithLockOptions,
  name: string,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  await take(lock, clock, name, holder, patience);
  const over = new AbortController();
  const lost = new AbortController();
  void keep(lock, clock, name, holder, over.signal).then((kept) => kept || lost.abort(new LockTimeoutError(`The lock ${name} was lost.`)));
  try {
    return await work(lost.signal);
  } finally {
    over.abort();
    // What cannot be given back ends with its lease.
    await lock.release(name, holder).catch(() => {});
  }
}

async function take(lock: Lock, clock: Clock, name: string, holder: string, patience: number): Promise<void> {
  const deadline = clock.now().getTime() + patience;
  for (let pause = FIRST_PAUSE; !(await lock.take(name, holder, LEASE)); pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
    if (clock.now().getTime() >= deadline) throw new LockTimeoutError(`The lock ${name} did not become free within ${patience} ms.`);
    await clock.sleep(pause * (0.5 + Math.random()));
  }
}

/** Resolves with true when the work is over, with false when the name was lost before. */
async function keep(lock: Lock, clock: Clock, name: string, holder: string, over: AbortSignal): Promise<boolean> {
  let renewed = clock.now().getTime();
  for (let renewals = 0; renewals < MOST_RENEWALS; renewals++) {
    await clock.sleep(RENEWAL_INTERVAL, over).catch(() => {});
    if (over.aborted) return true;
    // A server that is away for a moment has not taken the name from us yet.
    const held = await lock.renew(name, holder, LEASE).catch(() => undefined);
    if (over.aborted) return true;
    const now = clock.now().getTime();
    if (held) renewed = now;
    if (held === false || now - renewed >= LEASE) return false;
  }
  return false;
}
