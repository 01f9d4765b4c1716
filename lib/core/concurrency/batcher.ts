/** How much a {@link Batcher} takes on. */
interface BatcherLimits<Item> {
  /** How many batches are under way at once. @default 2: one is answered while the next is made */
  readonly lanes?: number | undefined;
  /** How many items a batch has at most. @default 100 */
  readonly most?: number | undefined;
  /** What keeps its order: an item waits while one of the same key is under way. @default none */
  readonly keyOf?: ((item: Item) => unknown) | undefined;
  /**
   * Whether a batch failed because of one of its items: then each is tried alone, and nobody fails
   * who waits. @default never
   */
  readonly isFaultOfOne?: ((error: unknown, items: readonly Item[]) => boolean) | undefined;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /** Who came earlier has a lower one. */
  readonly number: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Makes one trip to a server of many calls: the first goes at once, and what is asked for while
 * others are under way goes together. A server that answers one statement about fifty rows does a
 * tenth of the work of fifty statements, and syncs its disk once.
 *
 * With a trip that fails all fail that waited when it departed: a server that does not answer is
 * waited for once, not once per hundred.
 */
export class Batcher<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #asked = 0;
  #trips = 0;
  readonly #keysUnderWay = new Set<unknown>();
  readonly #keyOf: ((item: Item) => unknown) | undefined;
  readonly #lanes: number;
  readonly #most: number;
  readonly #isFaultOfOne: (error: unknown, items: readonly Item[]) => boolean;

  /** @param send answers with one result per item, in their order */
  constructor(
    private readonly send: (items: readonly Item[]) => Promise<readonly Result[]>,
    { lanes = 2, most = 100, keyOf, isFaultOfOne = () => false }: BatcherLimits<Item> = {},
  ) {
    this.#keyOf = keyOf;
    this.#lanes = lanes;
    this.#most = most;
    this.#isFaultOfOne = isFaultOfOne;
  }

  /** Answers with the result of this item. @throws what `send` rejects with */
  ask(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, number: ++this.#asked, resolve, reject });
      this.#depart();
    });
  }

  #depart(): void {
    while (this.#trips < this.#lanes) {
      const batch = this.#board();
      if (batch.length === 0) return;
      this.#trips++;
      void this.#travel(batch).then(() => {
        this.#trips--;
        this.#depart();
      });
    }
  }

  /** Those who may go now; the others stay in line. */
  #board(): readonly Waiting<Item, Result>[] {
    const keyOf = this.#keyOf;
    if (!keyOf) return this.#waiting.splice(0, this.#most);
    const batch: Waiting<Item, Result>[] = [];
    const rest: Waiting<Item, Result>[] = [];
    for (const one of this.#waiting) {
      const mayGo = batch.length < this.#most && !this.#keysUnderWay.has(keyOf(one.item));
      (mayGo ? batch : rest).push(one);
    }
    this.#waiting = rest;
    for (const { item } of batch) this.#keysUnderWay.add(keyOf(item));
    return batch;
  }

  /** Never rejects: whoever asked is told. */
  async #travel(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const last = this.#asked;
    try {
      await this.#deliver(batch);
    } catch (error) {
      const failed = [...batch, ...this.#waiting.filter(({ number }) => number <= last)];
      this.#waiting = this.#waiting.filter(({ number }) => number > last);
      for (const { reject } of failed) reject(error);
    }
    if (this.#keyOf) for (const { item } of batch) this.#keysUnderWay.delete(this.#keyOf(item));
    // Those who were many are likely to ask again at once: they had better go together than after
    // the first of them.
    if (batch.length > 1) await new Promise(setImmediate);
  }

  /** @throws what is not the fault of one of them */
  async #deliver(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    try {
      const results = await this.send(items);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (!this.#isFaultOfOne(error, items)) throw error;
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const one of batch) await this.#deliver([one]);
    }
  }
}
