/**
 * The result of work that is begun on first use and shared by every caller. A failure is not kept:
 * the next call tries again.
 */
export class LazyPromise<T, Args extends readonly unknown[] = []> {
  #attempt: Promise<T> | undefined;

  /** @param make takes the arguments of the call that begins it */
  constructor(private readonly make: (...args: Args) => Promise<T>) {}

  /** @throws what the attempt in progress, or a new one, throws */
  get(...args: Args): Promise<T> {
    if (this.#attempt) return this.#attempt;
    const attempt = this.make(...args).catch((error: unknown) => {
      if (this.#attempt === attempt) this.#attempt = undefined;
      throw error;
    });
    this.#attempt = attempt;
    return attempt;
  }

  /**
   * The result so far, once an attempt in progress has ended; `undefined` when there was none, or
   * it failed.
   */
  async made(): Promise<T | undefined> {
    return this.#attempt?.catch(() => undefined);
  }

  /** Makes the next call begin anew. @returns what there was, for the caller to close */
  forget(): Promise<T | undefined> {
    const made = this.made();
    this.#attempt = undefined;
    return made;
  }
}
