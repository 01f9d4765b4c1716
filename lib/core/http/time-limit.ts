import { LONGEST_TIMER, setTimer, stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { InvalidRequestError } from './http.errors.js';

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

let streams: Promise<Pick<typeof import('node:stream'), 'finished'>> | undefined;

/** Calls `act` at the end of a stream, which unlike with a reader is left to others. */
async function whenEnded(stream: ReadableStream, act: () => void): Promise<void> {
  // Loaded when it is needed: a plain client needs nothing else of Node's.
  const { finished } = await (streams ??= import('node:stream'));
  // It takes web streams, though its type does not say so.
  finished(stream as unknown as NodeJS.ReadableStream, act);
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
  cancel(unread?: ReadableStream | null): void {
    this.#cancel();
    if (!this.#caller) return;
    const unfollow = (): void => this.#caller?.removeEventListener('abort', this);
    if (!unread) return unfollow();
    dropped.register(unread, unfollow);
    // A kind of stream that Node does not know is dropped in the end.
    whenEnded(unread, unfollow).catch(() => {});
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
