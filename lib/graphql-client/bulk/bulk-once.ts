/**
 * Something that is done once, for all who ask for it meanwhile and later. A failure is forgotten,
 * so that it can be tried again.
 */
export class Once<T> {
  #outcome: Promise<T> | undefined;

  /** `undefined` while nothing is under way or done. */
  get outcome(): Promise<T> | undefined {
    return this.#outcome;
  }

  do(work: () => Promise<T>): Promise<T> {
    this.#outcome ??= work().catch((error: unknown) => {
      this.#outcome = undefined;
      throw error;
    });
    return this.#outcome;
  }
}
