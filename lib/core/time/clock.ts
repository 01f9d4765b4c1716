import { LONGEST_TIMER } from './plain-clock.js';

/** The source of time. Tests pass a clock of their own, which stands still or jumps. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first.
   */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds since some moment, unaffected when the clock is set.
   * @default those of `now`, without steps back
   */
  ticks?(): number;
  /**
   * Calls `callback` after `ms` milliseconds unless the returned function is called first. For
   * limits that are rarely reached: cheaper than a sleep that is aborted.
   * @default implemented with `sleep`
   */
  timer?(ms: number, callback: () => void): () => void;
}

interface Timer {
  /** Milliseconds of `performance.now`. */
  readonly at: number;
  readonly callback: () => void;
  /** Where it stands; -1 once it is over. */
  index: number;
}

/**
 * Any number of timers over one of Node's. Nearly all of them are cancelled in time, and a Node
 * timer for each would cost more than the rest of a call. Node's timer therefore stays when one is
 * cancelled, and checks again when it fires. It keeps the process alive only while a timer is set.
 */
export class TimerWheel {
  /** In no order. A `Set` would keep the callbacks that it held from dying young. */
  readonly #set: Timer[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When Node's timer fires: not later than any timer. */
  #next = Infinity;

  /** Calls `callback` once, after `ms` milliseconds. @returns a function that cancels it */
  set(ms: number, callback: () => void): () => void {
    const now = performance.now();
    // Node, too, takes what is no number for no time; here it would stop the others.
    const timer: Timer = { at: now + (ms > 0 ? ms : 0), callback, index: this.#set.length };
    this.#set.push(timer);
    if (timer.at < this.#next) this.#wind(timer.at, now);
    else if (this.#set.length === 1) this.#timer?.ref();
    return () => {
      if (this.#delete(timer) && this.#set.length === 0) this.#timer?.unref();
    };
  }

  #delete(timer: Timer): boolean {
    if (timer.index < 0) return false;
    const last = this.#set.pop()!;
    if (last !== timer) {
      last.index = timer.index;
      this.#set[last.index] = last;
    }
    timer.index = -1;
    return true;
  }

  #wind(next: number, now: number): void {
    clearTimeout(this.#timer);
    this.#next = next;
    this.#timer = setTimeout(() => this.#fire(), Math.min(Math.ceil(next - now), LONGEST_TIMER));
  }

  #fire(): void {
    const now = performance.now();
    const due: Timer[] = [];
    this.#next = Infinity;
    let next = Infinity;
    for (const timer of this.#set) {
      if (timer.at <= now) due.push(timer);
      else next = Math.min(next, timer.at);
    }
    if (next < Infinity) this.#wind(next, now);
    for (const timer of due.sort((one, other) => one.at - other.at)) {
      // A callback may cancel another timer.
      if (this.#delete(timer)) timer.callback();
    }
  }
}

/**
 * True on Cloudflare Workers.
 * @see https://developers.cloudflare.com/workers/runtime-apis/web-standards/#navigatoruseragent
 */
export function isWorkers(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent === 'Cloudflare-Workers';
}

class SystemClock extends Clock {
  /** None on Workers, where timers end with the request that has set them: none is shared. */
  readonly #timers = isWorkers() ? undefined : new TimerWheel();

  now(): Date {
    return new Date();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.timer(ms, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  override ticks(): number {
    return performance.now();
  }

  override timer(ms: number, callback: () => void): () => void {
    if (this.#timers) return this.#timers.set(ms, callback);
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  }
}

/** The machine's time. */
export const systemClock: Clock = /* @__PURE__ */ new SystemClock();

/** Shared by all aborts: a new exception with a stack trace for each would be expensive. */
const CANCELLED = new Error('The timer was cancelled.');

/** Calls `callback` after `ms` milliseconds of any clock. @returns a function that cancels it */
export function setTimer(clock: Clock, ms: number, callback: () => void): () => void {
  if (clock.timer) return clock.timer(ms, callback);
  const cancelled = new AbortController();
  clock.sleep(ms, cancelled.signal).then(callback, () => {});
  return () => cancelled.abort(CANCELLED);
}

/**
 * Settles as `work` does unless that takes longer than `ms` milliseconds: it goes on, and its
 * outcome is ignored.
 * @param onLate answers with what to reject with then
 */
export function inTime<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  onLate: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(clock, ms, () => reject(onLate()));
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/**
 * Measures time with any clock. While a clock without ticks is set back, no time passes.
 * @returns the milliseconds since the stopwatch was started; never decreases
 */
export function stopwatch(clock: Clock): () => number {
  const begin = clock.ticks?.();
  // Every call reads it several times.
  if (begin !== undefined) return () => clock.ticks!() - begin;
  let last = clock.now().getTime();
  let elapsed = 0;
  return () => {
    const now = clock.now().getTime();
    elapsed += Math.max(0, now - last);
    last = now;
    return elapsed;
  };
}

/**
 * Calls `act` after `ms` milliseconds of the process's own time, unless the process ends first: for
 * housekeeping, not for the limits of an app.
 */
export function inBackground(ms: number, act: () => void): void {
  // Workers have none to keep alive, and no `unref`.
  (setTimeout(act, ms) as Partial<NodeJS.Timeout>).unref?.();
}
