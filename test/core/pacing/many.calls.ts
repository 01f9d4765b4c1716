import type { PaceKind, Pacer } from '../../../lib/core/pacing/pacer.js';
import type { PlatformBucket } from './platform.bucket.js';
import type { VirtualClock } from './virtual.clock.js';

export interface ManyCallsOptions {
  readonly clock: VirtualClock;
  readonly pacer: Pacer;
  readonly platform: PlatformBucket;
  readonly calls: number;
  readonly concurrency: number;
  readonly kind?: PaceKind | undefined;
  readonly cost?: number | undefined;
  /** Milliseconds of each way, for every call anew. */
  readonly latency: () => number;
}

/**
 * Makes calls until every one has succeeded; a refused one is repeated after two seconds. Answers
 * how many seconds that took.
 */
export async function makeManyCalls(options: ManyCallsOptions): Promise<number> {
  const { clock, pacer, platform, calls, concurrency, kind = 'rest', cost = 1, latency } = options;
  const start = clock.time;
  let left = calls;
  const call = async (): Promise<boolean> => {
    const ticket = await pacer.reserve({ app: 'app', shop: 'shop', kind, cost });
    await clock.sleep(latency());
    const isTaken = platform.take(cost);
    const { available, capacity, restoreRate } = platform.state;
    await clock.sleep(latency());
    // As on the wire: a REST reply does not say how fast its bucket fills up.
    const bucket = kind === 'rest' ? { available, capacity } : { available, capacity, restoreRate };
    ticket.settle({ bucket, actualCost: isTaken ? cost : 0, throttled: !isTaken });
    return isTaken;
  };
  const worker = async (): Promise<void> => {
    while (left-- > 0) while (!(await call())) await clock.sleep(2000);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (clock.time - start) / 1000;
}
