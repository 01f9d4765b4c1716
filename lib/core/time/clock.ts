import { TimerWheel } from './timer-wheel.js';

/** No timer takes more, in milliseconds: it would ring at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The one source of time. Tests pass their own to stand still or to jump. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first.
   */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Milliseconds since some moment, which go on when the clock is set. @default those of `now`,
   * without the steps back
   */
  ticks?(): number;
  /**
   * Calls `ring` after `ms` milliseconds unless the returned function is called first. For limits
   * that are nearly always kept, which a sleep that is aborted would make dear. @default made of
   * `sleep`
   */
  alarm?(ms: number, ring: () => void): () => void;
}

class SystemClock extends Clock {
  readonly #alarms = new TimerWheel();

  now(): Date {
    return new Date();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  override ticks(): number {
    return performance.now();
  }

  override alarm(ms: number, ring: () => void): () => void {
    return this.#alarms.set(ms, ring);
  }
}

export const systemClock: Clock = new SystemClock();

/** A reason made beforehand: without one, every abort makes an exception with a stack trace. */
const CANCELLED = new Error('no longer waited for');

/**
 * Calls `ring` after `ms` milliseconds of any clock.
 * @returns what calls it off
 */
export function setTimer(clock: Clock, ms: number, ring: () => void): () => void {
  if (clock.alarm) return clock.alarm(ms, ring);
  const cancelled = new AbortController();
  clock.sleep(ms, cancelled.signal).then(ring, () => {});
  return () => cancelled.abort(CANCELLED);
}

/**
 * Measures time by any clock. A clock that is set back, and has no ticks, lets no time pass at that
 * moment.
 * @returns tells the milliseconds since now: never fewer than before
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
 * Calls `act` after `ms` milliseconds of the process's own time, unless the process ends before:
 * for keeping house, not for limits of an app.
 */
export function inBackground(ms: number, act: () => void): void {
  setTimeout(act, ms).unref();
}
