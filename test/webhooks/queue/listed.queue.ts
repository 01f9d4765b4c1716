import { DeadLetters } from '../../../lib/webhooks/queue/dead-letters.js';
import type { DeadLetter, DeadLetterFilter } from '../../../lib/webhooks/queue/dead-letters.js';
import type { QueueDepth, RecentDelivery } from '../../../lib/webhooks/queue/queue-status.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type { DeliveryOutcome } from '../../../lib/webhooks/queue/webhook.queue.js';

/** What the queue of the app holds, and what was asked of it. */
export const kept: { letters: DeadLetter[]; onReplay: () => void } = {
  letters: [],
  onReplay: () => {},
};

/** Over a list, newest first. */
class ListedDeadLetters extends DeadLetters {
  async list({ limit = 100, ...filter }: DeadLetterFilter & { limit?: number } = {}) {
    const { topic, shop, handler, since } = filter;
    const name = topic?.toUpperCase().replace('/', '_');
    return kept.letters
      .filter(
        (letter) =>
          (name === undefined || letter.topic === name) &&
          (shop === undefined || letter.shop === shop) &&
          (handler === undefined || letter.handlers?.includes(handler)) &&
          (since === undefined || letter.failedAt >= since),
      )
      .slice(0, limit);
  }

  async replay(id: string): Promise<boolean> {
    kept.onReplay();
    const { length } = kept.letters;
    kept.letters = kept.letters.filter((letter) => letter.id !== id);
    return kept.letters.length < length;
  }

  async replayAll(filter?: DeadLetterFilter): Promise<number> {
    const letters = await this.list({ ...filter, limit: Infinity });
    for (const { id } of letters) await this.replay(id);
    return letters.length;
  }
}

/** A durable queue that is a list. */
export class ListedQueue extends WebhookQueue {
  override readonly deadLetters = new ListedDeadLetters();

  async enqueue(): Promise<DeliveryOutcome> {
    return { kind: 'accepted', reason: 'queued' };
  }

  override async depth(): Promise<QueueDepth> {
    return { waiting: 3, delayed: 2, active: 1, dead: kept.letters.length };
  }

  override async recent(): Promise<RecentDelivery[]> {
    return ['open', 'handled', 'dead'].map((state, index) => ({
      topic: 'ORDERS_CREATE',
      shop: 'one.myshopify.com',
      webhookId: `delivery-${index}`,
      state: state as RecentDelivery['state'],
      changedAt: new Date(Date.now() - index * 3_600_000),
    }));
  }
}

/** A dead letter, given up two and a half hours ago. */
export function letter(id: string, more: Partial<DeadLetter> = {}): DeadLetter {
  return {
    id,
    topic: 'ORDERS_CREATE',
    shop: 'one.myshopify.com',
    webhookId: `w-${id}`,
    receivedAt: new Date(0),
    failedAt: new Date(Date.now() - 9_000_000),
    attempts: 10,
    handlers: ['Orders.onCreate'],
    reason: 'These handlers failed: Orders.onCreate. The log says why.',
    ...more,
  };
}
