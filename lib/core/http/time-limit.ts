import { LONGEST_TIMER, setAlarm } from '../clock.js';
import type { Clock } from '../clock.js';
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

/** An allowance of time: its signal is aborted when the time is over, or when the caller's own signal is. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancel: () => void;
  #isOver = false;

  /** @param ms milliseconds from now */
  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    this.#caller = signal;
    // Not `AbortSignal.any`: what it makes stays with a signal that outlives the call, kilobytes for each.
    if (signal?.aborted) this.handleEvent();
    else signal?.addEventListener('abort', this, { once: true });
    const ring = (): void => {
      this.#isOver = !this.signal.aborted;
      this.#controller.abort();
    };
    this.#cancel = setAlarm(clock, ms, ring);
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
   * @param follow its signal still follows the caller's, for what goes on after the limit, such as an unread body
   */
  cancel({ follow = false } = {}): void {
    this.#cancel();
    if (!follow) this.#caller?.removeEventListener('abort', this);
  }

  /** @internal The caller's signal was aborted. */
  handleEvent(): void {
    this.#controller.abort(this.#caller?.reason);
  }
}

/** An allowance of time that knows what is left of it. */
export class Deadline extends TimeLimit {
  readonly #clock: Clock;
  readonly #end: number;

  /** @param ms milliseconds from now */
  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    const end = clock.now().getTime() + ms;
    super(clock, ms, signal);
    this.#clock = clock;
    this.#end = end;
  }

  /** Milliseconds, never less than 0. */
  get remaining(): number {
    return Math.max(0, this.#end - this.#clock.now().getTime());
  }
}
