import type { QueueDepth, RecentDelivery } from '../queue-status.js';
import type { BullmqJob, BullmqQueue } from './bullmq.driver.js';
import { storedIn } from './delivery-job.js';

const STATES = {
  waiting: 'waiting',
  delayed: 'delayed',
  active: 'active',
  dead: 'failed',
} as const;

/** How many deliveries a queue holds. */
export async function depthOf(queue: BullmqQueue): Promise<QueueDepth> {
  const counts = await queue.getJobCounts(...Object.values(STATES));
  const { waiting = 0, delayed = 0, active = 0, failed = 0 } = counts;
  return { waiting, delayed, active, dead: failed };
}

/** The last deliveries of a queue, newest first. Bodies are read with them, so ask for few. */
export async function recentIn(queue: BullmqQueue, limit: number): Promise<RecentDelivery[]> {
  const found = await Promise.all(
    ['active', 'waiting', 'delayed', 'failed', 'completed'].map(async (state) =>
      (await queue.getJobs([state], 0, limit - 1)).flatMap((job) =>
        job ? deliveryOf(job, state) : [],
      ),
    ),
  );
  return found
    .flat()
    .sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
    .slice(0, limit);
}

/** Nothing for a job that is none of ours. */
function deliveryOf(job: BullmqJob, queued: string): RecentDelivery[] {
  const stored = storedIn(job.data);
  if (!stored) return [];
  const { topic, shop, webhookId } = stored.facts;
  const state = queued === 'completed' ? 'handled' : queued === 'failed' ? 'dead' : 'open';
  const changedAt = new Date(job.finishedOn || job.timestamp);
  return [{ topic, shop, webhookId, state, changedAt }];
}
