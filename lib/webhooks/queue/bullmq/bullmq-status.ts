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

/** How many jobs are read at once: each may have a body of megabytes. */
const PAGE = 5;

/** The last deliveries of a queue, newest first. Bodies are read with them, so ask for few. */
export async function recentIn(queue: BullmqQueue, limit: number): Promise<RecentDelivery[]> {
  // By job: one may move on, or others come, between two reads.
  const found = new Map<string, RecentDelivery>();
  for (const state of ['active', 'waiting', 'delayed', 'failed', 'completed']) {
    for (let start = 0; start < limit; start += PAGE) {
      const end = Math.min(start + PAGE, limit) - 1;
      const jobs = await queue.getJobs([state], start, end);
      for (const job of jobs) {
        const delivery = job && deliveryOf(job, state);
        if (delivery) found.set(job.id!, delivery);
      }
      if (jobs.length < PAGE) break;
    }
  }
  return [...found.values()]
    .sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
    .slice(0, limit);
}

/** `undefined` for a job that is none of ours. */
function deliveryOf(job: BullmqJob, queued: string): RecentDelivery | undefined {
  const stored = storedIn(job.data);
  if (!stored) return undefined;
  const { topic, shop, webhookId } = stored.facts;
  const state = queued === 'completed' ? 'handled' : queued === 'failed' ? 'dead' : 'open';
  const changedAt = new Date(job.finishedOn || job.timestamp);
  return { topic, shop, webhookId, state, changedAt };
}
