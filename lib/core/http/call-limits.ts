// How often a call is sent, and how long it may take.
import { LONGEST_TIMER, setTimer, stopwatch } from '../time/clock.js';
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

/**
 * Passes an allowance of time on, in milliseconds; `Infinity` is none.
 * @throws {InvalidRequestError} for what is no time, not positive, or longer than 24 days
 */
export function checkedLimit(name: string, ms: number | undefined): number | undefined {
  if (ms === undefined || ms === Infinity) return undefined;
  if (typeof ms === 'number' && ms > 0 && ms <= LONGEST_TIMER) return ms;
  throw new InvalidRequestError(
    `The "${name}" value (${String(ms)}) is invalid: it must be a positive number of milliseconds, or Infinity.`,
  );
}

/** What remains to be done for bodies that are dropped before their end. */
const dropped = new FinalizationRegistry<() => void>((unfollow) => unfollow());

/**
 * Calls `act` at the end of a stream, which unlike with a reader is left to others. Not imported:
 * a browser has no such module, and needs none.
 */
function whenEnded(stream: object, act: () => void): void {
  try {
    // It takes web streams, though its type does not say so.
    globalThis.process
      ?.getBuiltinModule?.('node:stream')
      .finished(stream as NodeJS.ReadableStream, act);
  } catch {
    // A kind of stream that Node does not know is dropped in the end.
  }
}

/**
 * An allowance of time: its signal is aborted when the time is over, or when the caller's own
 * signal is.
 */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: () => void;
  #isOver = false;

  /** @param ms milliseconds from now */
  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    this.#caller = signal;
    // Not `AbortSignal.any`: what it makes stays with a signal that outlives the call, kilobytes
    // for each.
    if (signal?.aborted) this.handleEvent();
    else signal?.addEventListener('abort', this, { once: true });
    const ring = (): void => {
      this.#isOver = !this.signal.aborted;
      this.#controller.abort();
    };
    this.#cancel = setTimer(clock, ms, ring);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True when the time is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Ends the limit.
   * @param unread a body that goes on after the limit: until its end, the signal still follows the
   * caller's
   */
  cancel(unread?: object | null): void {
    this.#cancel();
    if (!this.#caller) return;
    const unfollow = (): void => this.#caller?.removeEventListener('abort', this);
    if (!unread) return unfollow();
    dropped.register(unread, unfollow);
    whenEnded(unread, unfollow);
  }

  /** @internal The caller's signal was aborted. */
  handleEvent(): void {
    this.#controller.abort(this.#caller?.reason);
  }
}

/** An allowance of time that knows what is left of it. */
export class Deadline extends TimeLimit {
  readonly #ms: number;
  readonly #elapsed: () => number;

  /** @param ms milliseconds from now */
  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    const elapsed = stopwatch(clock);
    super(clock, ms, signal);
    this.#ms = ms;
    this.#elapsed = elapsed;
  }

  /** Milliseconds, never less than 0. */
  get remaining(): number {
    return Math.max(0, this.#ms - this.#elapsed());
  }
}
