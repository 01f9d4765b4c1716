import type { WebhookFacts } from '../../../deliveries/webhook-delivery.js';
import type { BullmqQueue } from '../bullmq.driver.js';
import type { QueueTarget } from '../bullmq.options.js';
import { PostgresqlTurns } from './postgresql-turns.queries.js';
import { RedisTurns } from './redis-turns.script.js';
import type { TurnList } from './turn-list.js';

/** States of a job that is not handled any more. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'unknown']);

/**
 * Lets the deliveries of a shop be handled one after the other, by any process: each has its turn
 * until it is done or given up. There is no lease: a delivery whose process dies is handled again
 * by another process, and still has its turn.
 */
export class ShopOrder {
  private constructor(
    private readonly queue: BullmqQueue,
    private readonly turns: TurnList,
  ) {}

  /** @param queue that has been opened */
  static async of(queue: BullmqQueue, target: QueueTarget): Promise<ShopOrder> {
    if (target.kind !== 'postgresql') return new ShopOrder(queue, await RedisTurns.of(queue));
    const { migrate } = target.options as { readonly migrate?: boolean };
    return new ShopOrder(queue, await PostgresqlTurns.of(queue, migrate === true));
  }

  /**
   * To be called before the delivery is stored: another one must not overtake it.
   * @param receivedAt in milliseconds
   */
  async join(id: string, facts: WebhookFacts, receivedAt: number): Promise<void> {
    await this.turns.join(facts.shop, id, placeOf(facts, receivedAt));
  }

  /** True when the delivery may be handled; it has to leave when that has ended for good. */
  async take(id: string, facts: WebhookFacts, receivedAt: number): Promise<boolean> {
    for (;;) {
      const first = await this.turns.take(facts.shop, id, placeOf(facts, receivedAt));
      if (first === id) return true;
      // A duplicate of what is done may have joined, or a job have been removed by hand.
      if (!ENDED.has(await this.queue.getJobState(first))) return false;
      await this.turns.leave(facts.shop, first);
    }
  }

  /** Ends the turn of a delivery, and with it the waiting of the next one. */
  async leave(id: string, { shop }: WebhookFacts): Promise<void> {
    const next = await this.turns.leave(shop, id);
    if (next !== undefined) await this.#wake(next);
  }

  /** Once the delivery was put off: its turn may have come just before. */
  async wakeIfFirst(id: string, { shop }: WebhookFacts): Promise<void> {
    if ((await this.turns.first(shop)) === id) await this.#wake(id);
  }

  async #wake(id: string): Promise<void> {
    const job = await this.queue.getJob(id);
    // What is not delayed will be begun soon.
    if (job && (await this.queue.getJobState(id)) === 'delayed')
      await job.promote().catch(() => {});
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
