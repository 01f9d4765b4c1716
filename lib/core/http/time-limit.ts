import { setTimer, stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';

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

/**
 * Settles as `work` does, unless the signal is aborted first: then rejects with its reason, and the
 * work goes on for others.
 */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
