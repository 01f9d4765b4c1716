import { setTimer, stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

/** A lease that this process holds and wants to keep. */
export interface HeldLease {
  readonly clock: Clock;
  /** Milliseconds between two renewals. */
  readonly interval: number;
  /** How many renewals there may be; the lease counts as lost after the last. @default no limit */
  readonly mostRenewals?: number | undefined;
  /**
   * How long a renewal lasts and how much of the current lease is left, in milliseconds: the lease
   * counts as lost at its end. @default only when `renew` says so
   */
  readonly expiry?: { readonly duration: number; readonly left: number } | undefined;
  /**
   * True when the lease is renewed, false when it is lost. A renewal that fails is tried again when
   * the next one is due: a server that is away for a moment has not taken the lease.
   */
  readonly renew: () => Promise<boolean>;
  readonly onLost: () => void;
}

/**
 * Renews a lease while work goes on under it.
 * @returns ends it: nothing is renewed, and the loss is not reported, from then on
 */
export function keepLease(lease: HeldLease): () => void {
  const { clock, interval, mostRenewals = Infinity, expiry, renew, onLost } = lease;
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
    // From when it was asked for: nobody knows how long the answer was on its way.
    const asked = elapsed();
    const isHeld = await renew().catch(() => undefined);
    if (isOver) return;
    if (isHeld === false || ++renewals >= mostRenewals) return lose();
    if (isHeld && expiry) expireAfter(asked + expiry.duration - elapsed());
    scheduleRenewal();
  };
  const scheduleRenewal = (): void => {
    cancelRenewal = setTimer(clock, interval, () => void renewNow());
  };
  // Also while a renewal waits for a server that does not answer.
  if (expiry) expireAfter(expiry.left);
  scheduleRenewal();
  return stop;
}
