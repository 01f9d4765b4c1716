/** How much a {@link Batcher} takes on. */
interface BatcherLimits<Item> {
  /** How many batches are in flight at once. @default 2: one is answered while the next is made */
  readonly concurrency?: number | undefined;
  /** How many items a batch has at most. @default 100 */
  readonly maxSize?: number | undefined;
  /** What keeps its order: an item waits while one of the same key is in flight. @default none */
  readonly keyOf?: ((item: Item) => unknown) | undefined;
  /**
   * Whether a batch failed because of one of its items: then each is tried alone, and no item that
   * waits fails with it. @default never
   */
  readonly isFaultOfOne?: ((error: unknown, items: readonly Item[]) => boolean) | undefined;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** An item that was asked for earlier has a lower one. */
  readonly number: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Sends many calls to a server as one batch: the first goes at once, and what is asked for while
 * others are in flight goes together. A server that answers one statement about fifty rows does a
 * tenth of the work of fifty statements, and syncs its disk once.
 *
 * When a batch fails, the items that waited when it was sent fail with it: a server that does not
 * answer is waited for once, not once per hundred.
 */
export class Batcher<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #asked = 0;
  #inFlight = 0;
  readonly #keysInFlight = new Set<unknown>();
  readonly #keyOf: ((item: Item) => unknown) | undefined;
  readonly #concurrency: number;
  readonly #maxSize: number;
  readonly #isFaultOfOne: (error: unknown, items: readonly Item[]) => boolean;

  /** @param send answers with one result per item, in their order */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    { concurrency = 2, maxSize = 100, keyOf, isFaultOfOne = () => false }: BatcherLimits<Item> = {},
  ) {
    this.#keyOf = keyOf;
    this.#concurrency = concurrency;
    this.#maxSize = maxSize;
    this.#isFaultOfOne = isFaultOfOne;
  }

  /** Answers with the result of this item. @throws what `send` rejects with */
  ask(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, number: ++this.#asked, resolve, reject });
      this.#sendNext();
    });
  }

  #sendNext(): void {
    while (this.#inFlight < this.#concurrency) {
      const batch = this.#takeBatch();
      if (batch.length === 0) return;
      this.#inFlight++;
      void this.#run(batch).then(() => {
        this.#inFlight--;
        this.#sendNext();
      });
    }
  }

  /** The items that may be sent now; the others keep waiting. */
  #takeBatch(): readonly Waiting<Item, Result>[] {
    const keyOf = this.#keyOf;
    if (!keyOf) return this.#waiting.splice(0, this.#maxSize);
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const one of this.#waiting) {
      const maySend = batch.length < this.#maxSize && !this.#keysInFlight.has(keyOf(one.item));
      (maySend ? batch : rest).push(one);
    }
    this.#waiting = rest;
    for (const { item } of batch) this.#keysInFlight.add(keyOf(item));
    return batch;
  }

  /** Never rejects: the callers get the error. */
  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const last = this.#asked;
    try {
      await this.#settle(batch);
    } catch (error) {
      const failed = [...batch, ...this.#waiting.filter(({ number }) => number <= last)];
      this.#waiting = this.#waiting.filter(({ number }) => number > last);
      for (const { reject } of failed) reject(error);
    }
    if (this.#keyOf) for (const { item } of batch) this.#keysInFlight.delete(this.#keyOf(item));
    // The callers of a large batch are likely to ask again at once: better together than after the
    // first of them.
    if (batch.length > 1) await new Promise(setImmediate);
  }

  /** @throws an error that is not the fault of one item */
  async #settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    try {
      const results = await this.send(items);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (!this.#isFaultOfOne(error, items)) throw error;
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
