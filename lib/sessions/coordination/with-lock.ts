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
  const hold = new Hold(lock, clock, name);
  await hold.take(timeoutMs);
  try {
    return await work(hold.lost);
  } finally {
    await hold.release();
  }
}

/** A name that is waited for, and renewed while it is held. */
class Hold {
  readonly #holder = randomUUID();
  /** Milliseconds since the name was first asked for. */
  readonly #elapsed: () => number;
  readonly #lost = new AbortController();
  #isOver = false;
  #renewals = 0;
  #cancelRenewal = (): void => {};
  #cancelExpiry = (): void => {};

  constructor(
    private readonly lock: Lock,
    private readonly clock: Clock,
    private readonly name: string,
  ) {
    this.#elapsed = stopwatch(clock);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws {LockTimeoutError} when the name did not become free in time */
  async take(timeoutMs: number): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      const asked = this.#elapsed();
      const isTaken = await this.lock
        .take(this.name, this.#holder, LEASE_MS)
        .catch((error: unknown) => {
          // It may have been taken without our learning of it.
          void this.#giveBack();
          throw error;
        });
      if (isTaken) return this.#keep(asked);
      if (this.#elapsed() >= timeoutMs)
        throw new LockTimeoutError(
          `The lock ${this.name} did not become free within ${timeoutMs} ms.`,
        );
      await this.clock.sleep(pause * (0.5 + Math.random()));
    }
  }

  release(): Promise<void> {
    this.#stop();
    return this.#giveBack();
  }

  /** A name that cannot be given back is free when its lease ends. */
  #giveBack(): Promise<void> {
    return this.lock.release(this.name, this.#holder).catch(() => {});
  }

  /**
   * Counts the lease from when it was asked for, since nobody knows how long the answer took; also
   * while a renewal waits for a server that does not answer.
   */
  #keep(asked: number): void {
    this.#cancelExpiry();
    const left = asked + LEASE_MS - this.#elapsed();
    this.#cancelExpiry = setTimer(this.clock, left, () => this.#lose());
    this.#renewLater();
  }

  #renewLater(): void {
    this.#cancelRenewal = setTimer(this.clock, RENEWAL_INTERVAL_MS, () => void this.#renew());
  }

  /** One that fails is tried again: an outage of the server does not take the lease away. */
  async #renew(): Promise<void> {
    const asked = this.#elapsed();
    const isHeld = await this.lock.renew(this.name, this.#holder, LEASE_MS).catch(() => undefined);
    if (this.#isOver) return;
    if (isHeld === false || ++this.#renewals >= MOST_RENEWALS) this.#lose();
    else if (isHeld) this.#keep(asked);
    else this.#renewLater();
  }

  #lose(): void {
    this.#stop();
    this.#lost.abort(new LockTimeoutError(`The lock ${this.name} was lost.`));
  }

  #stop(): void {
    this.#isOver = true;
    this.#cancelRenewal();
    this.#cancelExpiry();
  }
}
