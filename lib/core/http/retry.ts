import type { Clock } from '../time/clock.js';
import { InvalidRequestError } from './http.errors.js';

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
const MOST_RETRIES = 3;

/**
 * After these a call that may be repeated is sent again. A 429 says that nothing was done: after
 * it, any call is.
 */
const RETRIABLE: ReadonlySet<number> = new Set([500, 502, 503, 504]);

/** How often a call may be sent. */
interface Attempts {
  /** After the first. */
  readonly retries?: number | undefined;
  /** In all. */
  readonly tries?: number | undefined;
}

/** True for a status after which a call is sent again. */
export function isRetriable(status: number, repeatable: boolean): boolean {
  return status === 429 || (repeatable && RETRIABLE.has(status));
}

/**
 * How long to wait before the next attempt when nobody says, in milliseconds: anything up to a
 * bound that doubles each time, so that callers who failed together do not come back together.
 * @param attempt the one that failed, counted from 1
 * @param random a number from 0 up to, not including, 1
 */
export function backoff(attempt: number, random: () => number): number {
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

/**
 * The retries a call asks for, be it as such or as attempts in all; `undefined` when it says
 * neither.
 * @throws {InvalidRequestError} when it says both, or a number that is out of range
 */
export function retriesIn({ retries, tries }: Attempts): number | undefined {
  if (tries === undefined) return retries === undefined ? undefined : checkedRetries(retries);
  if (retries !== undefined)
    throw new InvalidRequestError(
      '"retries" and "tries" say the same in two ways: pass one of them.',
    );
  if (Number.isInteger(tries) && tries >= 1 && tries <= MOST_RETRIES + 1) return tries - 1;
  throw new InvalidRequestError(
    `The "tries" value (${String(tries)}) is invalid: it must be a whole number from 1 to ${MOST_RETRIES + 1}.`,
  );
}

/**
 * Passes a number of retries on, 0 to 3.
 * @throws {InvalidRequestError} for anything else
 */
export function checkedRetries(retries: unknown): number {
  if (
    typeof retries === 'number' &&
    Number.isInteger(retries) &&
    retries >= 0 &&
    retries <= MOST_RETRIES
  )
    return retries;
  throw new InvalidRequestError(
    `The "retries" value (${String(retries)}) is invalid: it must be a whole number from 0 to ${MOST_RETRIES}.`,
  );
}
