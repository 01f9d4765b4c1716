import { platformApp } from '../../../lib/integrations/express/index.js';
import { DeadLetters } from '../../../lib/webhooks/queue/dead-letters.js';
import type { DeadLetter, DeadLetterFilter } from '../../../lib/webhooks/queue/dead-letters.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type { DeliveryOutcome } from '../../../lib/webhooks/queue/webhook.queue.js';
import { API_KEY, API_SECRET } from '../../support/app.js';

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

  async replayAll(): Promise<number> {
    throw new Error('The command replays one after the other.');
  }
}

class ListedQueue extends WebhookQueue {
  override readonly deadLetters = new ListedDeadLetters();

  async enqueue(): Promise<DeliveryOutcome> {
    return { kind: 'accepted', reason: 'queued' };
  }
}

export default platformApp({
  api: {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    apiVersion: '2026-07',
    hostName: 'app.example.com',
    logger: { log: () => {} },
  },
  webhooks: { queue: { create: () => new ListedQueue() } },
});
