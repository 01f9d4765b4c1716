import { setTimer, stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

/** A lease that this process holds and renews. */
export interface HeldLease {
  readonly clock: Clock;
  /** Milliseconds between two renewals. */
  readonly interval: number;
  /** The maximum number of renewals; the lease counts as lost after the last. @default no limit */
  readonly mostRenewals?: number | undefined;
  /**
   * How long a renewal lasts and how much of the current lease is left, in milliseconds: the lease
   * counts as lost at its end. @default only when `renew` says so
   */
  readonly expiry?: { readonly duration: number; readonly left: number } | undefined;
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
    // Measured from the request, because the duration of its way back is unknown.
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
