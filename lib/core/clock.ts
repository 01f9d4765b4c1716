/** The one source of time. Tests pass their own to stand still or to jump. */
export abstract class Clock {
  abstract now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted first. */
  abstract sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

class SystemClock extends Clock {
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
}

export const systemClock: Clock = new SystemClock();
