import type { GraphqlOperation } from './graphql-operation.js';

/** What the platform charges for a mutation, and a fair guess for a query, in points. */
const FIRST_GUESS = 10;
const MOST_REMEMBERED = 1000;

/** Remembers what each operation was charged, so that the next call reserves as much beforehand. */
export class QueryCosts {
  /**
   * By text, in the order in which they were learned: a plain map, because every standalone client
   * makes one.
   */
  readonly #learned = new Map<string, number>();

  /** In points. */
  estimate({ text }: GraphqlOperation): number {
    return this.#learned.get(text) ?? FIRST_GUESS;
  }

  /**
   * @param cost what the platform wants to see in the bucket before it runs the operation, in
   * points
   */
  learn({ text }: GraphqlOperation, cost: number): void {
    if (this.#learned.get(text) === cost || !(cost >= 0 && cost < Infinity)) return;
    this.#learned.delete(text);
    this.#learned.set(text, cost);
    if (this.#learned.size > MOST_REMEMBERED)
      this.#learned.delete(this.#learned.keys().next().value!);
  }
}
