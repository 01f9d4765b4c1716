/**
 * The result of work that starts on first use and is shared by every caller. A failure is not kept:
 * the next call tries again.
 */
export class LazyPromise<T, Args extends readonly unknown[] = []> {
  #attempt: Promise<T> | undefined;

  /** @param make gets the arguments of the call that starts it */
  constructor(private readonly make: (...args: Args) => Promise<T>) {}

  /** @throws what the attempt in progress, or a new one, throws */
  get(...args: Args): Promise<T> {
    if (this.#attempt) return this.#attempt;
    this.#attempt = this.make(...args).catch((error: unknown) => {
      this.#attempt = undefined;
      throw error;
    });
    return this.#attempt;
  }

  /**
   * The result so far, once an attempt in progress has ended; `undefined` when there was none, or
   * it failed.
   */
  async made(): Promise<T | undefined> {
    return this.#attempt?.catch(() => undefined);
  }
}
