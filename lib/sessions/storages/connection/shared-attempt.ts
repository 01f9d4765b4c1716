/**
 * Something that is made on first use and shared by all who ask. An attempt that fails is not kept:
 * what could not be had now may be there at the next call.
 */
export class SharedAttempt<T> {
  #attempt: Promise<T> | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  /** @throws what the attempt under way, or a new one, throws */
  get(): Promise<T> {
    if (this.#attempt) return this.#attempt;
    const attempt = this.make().catch((error: unknown) => {
      if (this.#attempt === attempt) this.#attempt = undefined;
      throw error;
    });
    this.#attempt = attempt;
    return attempt;
  }

  /**
   * What there is, when an attempt that may be under way has ended; nothing when there was none, or
   * it failed.
   */
  async made(): Promise<T | undefined> {
    return this.#attempt?.catch(() => undefined);
  }

  /** The next who asks begins anew. @returns what there was, for whoever has to end it */
  forget(): Promise<T | undefined> {
    const made = this.made();
    this.#attempt = undefined;
    return made;
  }
}
