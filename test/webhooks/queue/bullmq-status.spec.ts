import { describe, expect, it } from '@jest/globals';

import { recentIn } from '../../../lib/webhooks/queue/bullmq/bullmq-status.js';
import type { BullmqJob, BullmqQueue } from '../../../lib/webhooks/queue/bullmq/bullmq.driver.js';
import { SHOP } from '../../support/app.js';

function job(id: string, timestamp: number): BullmqJob {
  const facts = { topic: 'PRODUCTS_CREATE', shop: SHOP, webhookId: id };
  const data = { version: 1, facts, path: '/webhooks', body: { text: '{}' } };
  return { id, data, timestamp, finishedOn: null } as Partial<BullmqJob> as BullmqJob;
}

/** A queue of the driver, and how many jobs were ever being read from it at once. */
function listed(jobs: Record<string, readonly BullmqJob[]>) {
  const read = { now: 0, most: 0 };
  const queue: Partial<BullmqQueue> = {
    getJobs: async ([state], start, end) => {
      const size = end - start + 1;
      read.most = Math.max(read.most, (read.now += size));
      await new Promise((resolve) => setImmediate(resolve));
      read.now -= size;
      return (jobs[state!] ?? []).slice(start, end + 1);
    },
  };
  return { queue: queue as BullmqQueue, read };
}

describe('the last deliveries of a queue', () => {
  it('are read a few at a time, since each may have a body of megabytes', async () => {
    const waiting = Array.from({ length: 30 }, (_, index) => job(`w-${index}`, 100 - index));
    const delayed = Array.from({ length: 7 }, (_, index) => job(`d-${index}`, 200 - index));
    const { queue, read } = listed({ waiting, delayed });
    const ids = (await recentIn(queue, 12)).map(({ webhookId }) => webhookId);
    expect(ids).toEqual([
      ...delayed.map(({ id }) => id),
      ...waiting.slice(0, 5).map(({ id }) => id),
    ]);
    expect(read.most).toBeLessThanOrEqual(5);
  });

  it('name one once that moves on while they are read, and leave out what is none', async () => {
    const moving = job('moving', 1);
    const alien = { ...job('alien', 2), data: { some: 'text' } };
    const { queue } = listed({
      active: [moving],
      completed: [{ ...moving, finishedOn: 9 }, alien],
    });
    expect(await recentIn(queue, 25)).toEqual([
      expect.objectContaining({ webhookId: 'moving', state: 'handled', changedAt: new Date(9) }),
    ]);
  });
});
