import { LONGEST_TIMER } from '../../core/time/plain-clock.js';

/** What is wrong with a time limit that {@link isTimeout} refuses. */
export const NO_TIMEOUT = `must be a positive number of milliseconds up to ${LONGEST_TIMER} (24 days), or Infinity`;

/** True for milliseconds that a timer can wait, `Infinity`, and `undefined` for the default. */
export function isTimeout(value: unknown): boolean {
  return (
    value === undefined ||
    value === Infinity ||
    (typeof value === 'number' && value > 0 && value <= LONGEST_TIMER)
  );
}
