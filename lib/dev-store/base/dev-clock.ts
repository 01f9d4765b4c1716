/**
 * A clock that can be advanced: the store's, and the `clock` option of an app that shares its time.
 */
export class DevClock {
  private ahead = 0;
  private readonly sleepers = new Set<() => void>();

  /** @param source the time before any advance */
  constructor(private readonly source: { now(): Date }) {}

  now(): Date {
    return new Date(this.source.now().getTime() + this.ahead);
  }

  /**
   * Resolves when `ms` milliseconds have passed, in real time or by `advance`; rejects with the
   * signal's reason when it is aborted first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const end = this.now().getTime() + ms;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const leave = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wait);
        signal?.removeEventListener('abort', abort);
      };
      const wake = (): void => {
        leave();
        resolve();
      };
      const abort = (): void => {
        leave();
        reject(signal?.reason);
      };
      const wait = (): void => {
        clearTimeout(timer);
        timer = setTimeout(wake, end - this.now().getTime());
      };
      this.sleepers.add(wait);
      signal?.addEventListener('abort', abort);
      wait();
    });
  }

  /**
   * Advances by milliseconds; every `sleep` in progress ends that much earlier. @throws RangeError
   * when the value is negative
   */
  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms)))
      throw new RangeError(`A clock advances by milliseconds, got ${ms}.`);
    this.ahead += ms;
    for (const wait of this.sleepers) wait();
  }
}
