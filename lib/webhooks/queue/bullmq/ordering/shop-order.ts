import type { WebhookFacts } from '../../../deliveries/webhook-delivery.js';
import type { BullmqQueue } from '../bullmq.driver.js';
import type { QueueTarget } from '../bullmq.options.js';
import { PostgresqlTurns } from './postgresql-turns.js';
import { RedisTurns } from './redis-turns.js';
import type { TurnList } from './turn-list.js';

/** States of a job that is not handled any more. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed']);

/** What a {@link ShopOrder} works with. */
interface ShopOrderDependencies {
  /** That has been opened. */
  readonly queue: BullmqQueue;
  readonly turns: TurnList;
  /** How long it may take to store a delivery that has joined, in milliseconds. */
  readonly storeLimit: number;
}

/**
 * Lets the deliveries of a shop be handled one after the other, by any process: each has its turn
 * until it is done or given up. There is no lease: a delivery whose process dies is handled again
 * by another process, and still has its turn.
 */
export class ShopOrder {
  constructor(private readonly dependencies: ShopOrderDependencies) {}

  /** Over the server of the queue. */
  static async over(
    target: QueueTarget,
    dependencies: Omit<ShopOrderDependencies, 'turns'>,
  ): Promise<ShopOrder> {
    const { queue } = dependencies;
    if (target.kind !== 'postgresql')
      return new ShopOrder({ ...dependencies, turns: await RedisTurns.of(queue) });
    const { migrate } = target.options as { readonly migrate?: boolean };
    const turns = await PostgresqlTurns.of(queue, migrate === true);
    return new ShopOrder({ ...dependencies, turns });
  }

  /**
   * To be called before the delivery is stored: another one must not overtake it.
   * @param receivedAt in milliseconds
   */
  async join(id: string, facts: WebhookFacts, receivedAt: number): Promise<void> {
    await this.dependencies.turns.join(facts.shop, id, placeOf(facts, receivedAt));
  }

  /** True when the delivery may be handled; it has to leave when that has ended for good. */
  async take(id: string, facts: WebhookFacts, receivedAt: number): Promise<boolean> {
    const { turns } = this.dependencies;
    for (;;) {
      const first = await turns.take(facts.shop, id, placeOf(facts, receivedAt));
      if (first === id) return true;
      if (!(await this.#hasEnded(first, facts))) return false;
      const next = await turns.leave(facts.shop, first);
      if (next !== undefined && next !== id) await this.#wake(next);
    }
  }

  /** Ends the turn of a delivery, and with it the waiting of the next one. */
  async leave(id: string, { shop }: WebhookFacts): Promise<void> {
    const { turns } = this.dependencies;
    let next = await turns.leave(shop, id);
    while (next !== undefined && (await this.#hasEnded(next, { shop })))
      next = await turns.leave(shop, next);
    if (next !== undefined) await this.#wake(next);
  }

  /** Once the delivery was put off: its turn may have come just before. */
  async wakeIfFirst(id: string, { shop }: WebhookFacts): Promise<void> {
    if ((await this.dependencies.turns.first(shop)) === id) await this.#wake(id);
  }

  /**
   * True of a duplicate of what is done, which may have joined, and of a delivery whose job was
   * removed by hand or could not be stored. One that has just joined has no job yet.
   */
  async #hasEnded(id: string, { shop }: Pick<WebhookFacts, 'shop'>): Promise<boolean> {
    const { queue, turns, storeLimit } = this.dependencies;
    const state = await queue.getJobState(id);
    if (state !== 'unknown') return ENDED.has(state);
    return (await turns.missedFor(shop, id)) > 2 * storeLimit;
  }

  async #wake(id: string): Promise<void> {
    const { queue } = this.dependencies;
    const job = await queue.getJob(id);
    // What is not delayed will be begun soon.
    if (job && (await queue.getJobState(id)) === 'delayed') await job.promote().catch(() => {});
  }
}

/** `2026-11-20T08:00:00.123456789Z`, as the platform writes it. */
const TRIGGERED_AT = /^([\dT:-]{19})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;

/**
 * What deliveries are ordered by, in microseconds: the platform writes more digits than a `Date`
 * has.
 * @param receivedAt in milliseconds, where the platform says nothing that can be read
 */
export function placeOf({ triggeredAt = '' }: WebhookFacts, receivedAt: number): number {
  const [, second, fraction = '', zone] = TRIGGERED_AT.exec(triggeredAt) ?? [];
  const time = Date.parse(`${second}${zone}`);
  return Number.isNaN(time)
    ? receivedAt * 1_000
    : time * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
