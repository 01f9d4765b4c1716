import { stopwatch } from '../../../lib/core/time/clock.js';
import type { Clock } from '../../../lib/core/time/clock.js';
import type { BullmqJob, BullmqQueue } from '../../../lib/webhooks/queue/bullmq/bullmq.driver.js';
import { TurnList } from '../../../lib/webhooks/queue/bullmq/ordering/turn-list.js';

/** The turns of shops, in this process. */
export class ListedTurns extends TurnList {
  readonly #missing = new Map<string, () => number>();
  readonly #shops = new Map<string, Map<string, number>>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async missedFor(_shop: string, id: string): Promise<number> {
    const missed = this.#missing.get(id) ?? stopwatch(this.clock);
    this.#missing.set(id, missed);
    return missed();
  }

  async join(shop: string, id: string, at: number): Promise<void> {
    const turns = this.#of(shop);
    if (!turns.has(id)) turns.set(id, at);
  }

  async take(shop: string, id: string, at: number): Promise<string> {
    await this.join(shop, id, at);
    const first = (await this.first(shop))!;
    if (first === id) this.#of(shop).set(id, -Infinity);
    return first;
  }

  async leave(shop: string, id: string): Promise<string | undefined> {
    const turns = this.#of(shop);
    turns.delete(id);
    const first = await this.first(shop);
    return first === undefined || turns.get(first) === -Infinity ? undefined : first;
  }

  async first(shop: string): Promise<string | undefined> {
    const [first] = [...this.#of(shop)].sort(([, one], [, other]) => one - other);
    return first?.[0];
  }

  #of(shop: string): Map<string, number> {
    const turns = this.#shops.get(shop) ?? new Map<string, number>();
    this.#shops.set(shop, turns);
    return turns;
  }
}

/** A queue of the driver whose jobs are a list: their states are what the test says. */
export function listedBullmq(states: Map<string, string>): BullmqQueue {
  const queue: Partial<BullmqQueue> = {
    getJobState: async (id) => states.get(id) ?? 'unknown',
    getJob: async (id) => {
      if (!states.has(id)) return undefined;
      const job: Partial<BullmqJob> = { id, promote: async () => void states.set(id, 'waiting') };
      return job as BullmqJob;
    },
  };
  return queue as BullmqQueue;
}
