/** Runs work once for all callers at the same time; they share its outcome. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** @param key of the work: calls with the same key share it while it runs */
  do(key: string, work: () => Promise<T>): Promise<T> {
    const inFlight = this.#flights.get(key);
    if (inFlight) return inFlight;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
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
