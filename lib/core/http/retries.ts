// When a call is sent again.
import type { Clock } from '../time/clock.js';

/**
 * Longer than this nobody waits inside a call: the reply is handed over instead, which says how
 * long. Milliseconds.
 */
export const LONGEST_WAIT = 60_000;

/**
 * The longest wait before the first retry when the platform names none; doubles with each further
 * one. Milliseconds.
 */
const FIRST_BACKOFF = 1000;

/**
 * How long to wait before the next attempt when nobody says, in milliseconds: anything up to a
 * bound that doubles each time, so that callers who failed together do not come back together.
 * @param attempt the one that failed, counted from 1
 * @param random a number from 0 up to, not including, 1; default: `Math.random`
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return random() * Math.min(FIRST_BACKOFF * 2 ** (attempt - 1), LONGEST_WAIT);
}

/**
 * How long the platform asks to wait, in milliseconds: `Retry-After` in seconds (fractions too) or
 * as a date.
 */
export function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // A date begins with the name of its day; `Date.parse` would make one of `-3`, too.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock.now().getTime());
}
