/**
 * Does a piece of work for all who ask for it before it begins, one at a time for each key. Who
 * asks while it is under way shares the next one: the outcome of this one may be out of date for
 * them.
 */
export class NextFlight<T> {
  readonly #underWay = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key);
    if (next) return next;
    const underWay = this.#underWay.get(key);
    if (!underWay) return this.#begin(key, work);
    const following = underWay
      .catch(() => {})
      .then(() => {
        this.#next.delete(key);
        return this.#begin(key, work);
      });
    this.#next.set(key, following);
    return following;
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, flight);
    return flight;
  }
}
