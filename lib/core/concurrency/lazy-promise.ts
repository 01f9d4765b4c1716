/**
 * Something that is made on first use and shared by all callers. A failed attempt is not kept: the
 * next call tries again.
 */
export class LazyPromise<T> {
  #attempt: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  /** @throws what the attempt in progress, or a new one, throws */
  get(): Promise<T> {
    if (this.#attempt) return this.#attempt;
    const attempt = this.make().catch((error: unknown) => {
      if (this.#attempt === attempt) this.#attempt = undefined;
      throw error;
    });
    this.#attempt = attempt;
    return attempt;
  }

  /** What was made, once an attempt in progress has ended; `undefined` if nothing was. */
  async made(): Promise<T | undefined> {
    return this.#attempt?.catch(() => undefined);
  }

  /** The next call makes it anew. @returns what there was, for the caller to close */
  forget(): Promise<T | undefined> {
    const made = this.made();
    this.#attempt = undefined;
    return made;
  }
}
