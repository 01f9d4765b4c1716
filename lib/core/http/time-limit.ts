import type { Clock } from '../clock.js';

/** A reason made beforehand: without one, every abort makes an exception with a stack trace. */
const CANCELLED = new Error('no longer waited for');

/** An allowance of time: its signal is aborted when the time is over, or when the caller's own signal is. */
export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  readonly #cancel: () => void;
  readonly #clock: Clock;
  readonly #end: number;

  /** @param ms milliseconds from now */
  constructor(clock: Clock, ms: number, signal?: AbortSignal) {
    this.signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal;
    this.#clock = clock;
    this.#end = clock.now().getTime() + ms;
    const ring = (): void => this.#over.abort();
    this.#cancel = clock.alarm?.(ms, ring) ?? alarmBySleeping(clock, ms, ring);
  }

  /** Milliseconds, never less than 0. */
  get remaining(): number {
    return Math.max(0, this.#end - this.#clock.now().getTime());
  }

  /** True when the time is over. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Ends the limit; its signal still follows the caller's. */
  cancel(): void {
    this.#cancel();
  }
}

function alarmBySleeping(clock: Clock, ms: number, ring: () => void): () => void {
  const cancelled = new AbortController();
  clock.sleep(ms, cancelled.signal).then(ring, () => {});
  return () => cancelled.abort(CANCELLED);
}
