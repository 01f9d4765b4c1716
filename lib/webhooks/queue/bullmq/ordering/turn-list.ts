/**
 * The deliveries of each shop that are not done, in their order. A port: each server that BullMQ
 * works with has its own. Every call rejects when the server cannot be reached.
 */
export abstract class TurnList {
  /**
   * Adds a delivery, unless it is there already.
   * @param at what it is ordered by, in microseconds since 1970
   */
  abstract join(shop: string, id: string, at: number): Promise<void>;
  /**
   * Adds a delivery as {@link join} does. When it is the first, it remains the first until it
   * leaves, whatever is added.
   * @returns the id of the first
   */
  abstract take(shop: string, id: string, at: number): Promise<string>;
  /**
   * Removes a delivery.
   * @returns the id of the first of those that remain, if there is one and it has not been taken
   */
  abstract leave(shop: string, id: string): Promise<string | undefined>;
  /**
   * For how long a delivery is known, by any process, to have no job, in milliseconds by the time
   * of the server; about 0 for the first that asks.
   */
  abstract missedFor(shop: string, id: string): Promise<number>;
  /** The id of the first; `undefined` when there is none. */
  abstract first(shop: string): Promise<string | undefined>;
}
