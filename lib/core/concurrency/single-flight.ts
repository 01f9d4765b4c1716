/**
 * Does a piece of work once for all who ask for it while it is under way; they share its outcome.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const underWay = this.#flights.get(key);
    if (underWay) return underWay;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
