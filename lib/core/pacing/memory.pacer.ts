import type { Clock } from '../clock.js';
import { PaceQueue } from './pace.queue.js';
import { FREE_TICKET, Pacer, bucketName } from './pacer.js';
import type { PaceRequest, Ticket } from './pacer.js';

/** Buckets that are remembered. One that was forgotten is learnt again from the first reply. */
const MOST_BUCKETS = 10_000;

/**
 * Paces the calls of this process. Each app has two buckets in each shop; what is in them is assumed until the first reply, counted along
 * between replies, and corrected by every one. Interactive calls go first, and leave a fifth to background calls while both wait.
 */
export class MemoryPacer extends Pacer {
  readonly #queues = new Map<string, PaceQueue>();
  #isClosed = false;

  constructor(private readonly clock: Clock) {
    super();
  }

  override reserve(request: PaceRequest): Promise<Ticket> {
    if (request.signal?.aborted) return Promise.reject(request.signal.reason);
    return this.#isClosed ? Promise.resolve(FREE_TICKET) : this.#queueOf(request).enter(request);
  }

  override close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) queue.open();
    this.#queues.clear();
    return Promise.resolve();
  }

  /** A map keeps the order of insertion, so the first entry is the one that was not used for longest. */
  #queueOf(request: PaceRequest): PaceQueue {
    const name = bucketName(request);
    const queue = this.#queues.get(name) ?? new PaceQueue(request.kind, this.clock);
    this.#queues.delete(name);
    this.#queues.set(name, queue);
    if (this.#queues.size > MOST_BUCKETS) this.#forgetOldest();
    return queue;
  }

  #forgetOldest(): void {
    for (const [name, queue] of this.#queues) {
      queue.open();
      this.#queues.delete(name);
      return;
    }
  }
}
