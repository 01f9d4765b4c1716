/** The longest delay of a timer, in milliseconds: a longer one would fire at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The machine's time, as a `Clock` without timers of its own: for clients that set few. A browser
 * is sent nothing else of the clocks.
 */
export const plainClock = {
  now: (): Date => new Date(),
  ticks: (): number => performance.now(),
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
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
    }),
};
