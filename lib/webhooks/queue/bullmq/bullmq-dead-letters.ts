import { sanitizeShop } from '../../../core/shop-domain.js';
import { normalizeTopic } from '../../handlers/webhook.registry.js';
import { WebhookQueueError } from '../../webhooks.errors.js';
import { DeadLetters } from '../dead-letters.js';
import type { DeadLetter, DeadLetterFilter } from '../dead-letters.js';
import type { BullmqJob, BullmqQueue } from './bullmq.driver.js';
import { progressIn, storedIn } from './delivery-job.js';

/** How many are read at once: each may have a body of megabytes. */
const PAGE = 20;

/** The dead letters among the failed jobs of a queue. */
export class BullmqDeadLetters extends DeadLetters {
  /** @param run calls with the open queue, within its time limit */
  constructor(private readonly run: <T>(work: (queue: BullmqQueue) => Promise<T>) => Promise<T>) {
    super();
  }

  async list({
    limit = 100,
    ...filter
  }: DeadLetterFilter & { readonly limit?: number } = {}): Promise<DeadLetter[]> {
    const found: DeadLetter[] = [];
    for await (const deadLetter of this.#matching(filter)) {
      if (found.length >= limit) break;
      found.push(deadLetter);
    }
    return found;
  }

  replay(id: string): Promise<boolean> {
    return this.run(async (queue) => {
      const job = await queue.getJob(id);
      return job !== undefined && deadLetterOf(job) !== undefined && again(job);
    });
  }

  async replayAll(filter: DeadLetterFilter = {}): Promise<number> {
    // All first: those that are handled again leave the list.
    const ids: string[] = [];
    for await (const { id } of this.#matching(filter)) ids.push(id);
    let count = 0;
    for (const id of ids) if (await this.replay(id)) count++;
    return count;
  }

  async *#matching(filter: DeadLetterFilter): AsyncGenerator<DeadLetter> {
    const matches = matcherOf(filter);
    for (let start = 0; ; start += PAGE) {
      const page = await this.run((queue) => queue.getFailed(start, start + PAGE - 1));
      for (const job of page) {
        const deadLetter = job && deadLetterOf(job);
        if (deadLetter && matches(deadLetter)) yield deadLetter;
      }
      if (page.length < PAGE) return;
    }
  }
}

function matcherOf({ topic, shop, handler, since, before }: DeadLetterFilter) {
  const name = topic === undefined ? undefined : normalizeTopic(topic);
  const domain = shop === undefined ? undefined : (sanitizeShop(shop) ?? shop);
  return (letter: DeadLetter): boolean =>
    (name === undefined || letter.topic === name) &&
    (domain === undefined || letter.shop === domain) &&
    (handler === undefined || (letter.handlers?.includes(handler) ?? false)) &&
    (since === undefined || letter.failedAt >= since) &&
    (before === undefined || letter.failedAt < before);
}

/** `undefined` for a job that has not failed, or is none of ours. */
function deadLetterOf(job: BullmqJob): DeadLetter | undefined {
  const stored = storedIn(job.data);
  if (!stored || !job.finishedOn || !job.failedReason) return undefined;
  const { topic, shop, webhookId } = stored.facts;
  const { givenUp } = progressIn(job.progress);
  return {
    id: job.id!,
    topic,
    shop,
    webhookId,
    receivedAt: new Date(job.timestamp),
    failedAt: new Date(job.finishedOn),
    attempts: givenUp?.tries ?? job.attemptsMade,
    handlers: givenUp?.handlers,
    reason: job.failedReason,
  };
}

/** @returns false when somebody else has moved it meanwhile */
async function again(job: BullmqJob): Promise<boolean> {
  try {
    // Whoever begins it next may end before it has recorded anything.
    await job.updateProgress({ ...progressIn(job.progress), givenUp: undefined });
    await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
    return true;
  } catch (cause) {
    if (MOVED.test(String((cause as Error).message))) return false;
    throw new WebhookQueueError('A dead letter could not be handled again.', { cause });
  }
}

/** BullMQ says so of a job that is missing, or not among those that have failed. */
const MOVED = /Missing key for job|is not in the failed state/;
