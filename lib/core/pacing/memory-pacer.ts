import type { Clock } from '../time/clock.js';
import { PaceQueue } from './pace.queue.js';
import { FREE_TICKET, Pacer, checkedCost } from './pacer.js';
import type { PaceKind, PaceRequest, Ticket } from './pacer.js';

/**
 * As many shops are remembered at least, and twice as many at most. The bucket of one that was
 * forgotten is learnt again from the first reply.
 */
const SHOPS = 5000;

/** The queues of one shop, by app. */
type ShopQueues = Map<string, { -readonly [kind in PaceKind]?: PaceQueue }>;

/**
 * Paces the calls of this process. Each app has two buckets in each shop; what is in them is
 * assumed until the first reply, counted along between replies, and corrected by every one.
 * Interactive calls go first, and leave a fifth to background calls while both wait.
 */
export class MemoryPacer extends Pacer {
  /**
   * The shops that were called since the last time so many had been, and those of the time before.
   */
  #recent = new Map<string, ShopQueues>();
  #older = new Map<string, ShopQueues>();
  #isClosed = false;

  constructor(private readonly clock: Clock) {
    super();
  }

  override reserveNow(request: PaceRequest): Ticket | undefined {
    if (request.signal?.aborted) return undefined;
    return this.#isClosed
      ? FREE_TICKET
      : this.#queueOf(request).enterNow(checkedCost(request.cost));
  }

  override async reserve(request: PaceRequest): Promise<Ticket> {
    request.signal?.throwIfAborted();
    return this.reserveNow(request) ?? this.#queueOf(request).enter(request);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const shops of [this.#recent, this.#older]) {
      openAll(shops);
      shops.clear();
    }
  }

  #queueOf({ app, shop, kind }: PaceRequest): PaceQueue {
    const apps = this.#recent.get(shop) ?? this.#refresh(shop);
    let queues = apps.get(app);
    if (!queues) apps.set(app, (queues = {}));
    return (queues[kind] ??= new PaceQueue(kind, this.clock));
  }

  #refresh(shop: string): ShopQueues {
    const queues: ShopQueues = this.#older.get(shop) ?? new Map();
    this.#older.delete(shop);
    this.#recent.set(shop, queues);
    if (this.#recent.size < SHOPS) return queues;
    openAll(this.#older);
    [this.#older, this.#recent] = [this.#recent, new Map()];
    return queues;
  }
}

function openAll(shops: ReadonlyMap<string, ShopQueues>): void {
  for (const apps of shops.values()) {
    for (const { rest, graphql } of apps.values()) {
      rest?.open();
      graphql?.open();
    }
  }
}
