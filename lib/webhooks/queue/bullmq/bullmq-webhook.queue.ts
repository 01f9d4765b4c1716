import { isCommand } from '../../../core/command-mark.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';
import { stopwatch } from '../../../core/time/clock.js';
import type { VerifiedDelivery } from '../../deliveries/webhook-delivery.js';
import { logFieldsOf } from '../../handlers/webhook.dispatcher.js';
import { WebhookQueue } from '../webhook.queue.js';
import type {
  DeliveryOutcome,
  WebhookQueueDependencies,
  WebhookQueueFactory,
} from '../webhook.queue.js';
import { BodyCipher } from './body-cipher.js';
import { BullmqConnections, refuseUnready, within } from './bullmq.connection.js';
import { BullmqDeadLetters } from './bullmq-dead-letters.js';
import type { BullmqDriver, BullmqQueue, BullmqWorker } from './bullmq.driver.js';
import { resolveBullmqOptions } from './bullmq.options.js';
import type { BullmqQueueOptions, ResolvedBullmqOptions } from './bullmq.options.js';
import { jobIdOf, jobOptionsOf, toStored } from './delivery-job.js';
import { DeliveryWorker } from './delivery-worker.js';
import { depthOf, recentIn } from './bullmq-status.js';
import { Isolation } from './isolation.js';
import type { QueueDepth, RecentDelivery } from '../queue-status.js';
import type { Fetching } from './isolation.js';
import { ShopOrder } from './ordering/shop-order.js';

/** How long it may take to store a delivery, in milliseconds: the platform waits for 5 s. */
const STORE_LIMIT = 3_000;
/** The same of a call for dead letters. */
const CALL_LIMIT = 10_000;
/** Between attempts to open the worker, in milliseconds. */
const REOPEN_DELAY = 2_000;

/**
 * Keeps deliveries in BullMQ, over Redis or PostgreSQL: each is answered once it is stored, and
 * handled by any process of the app. BullMQ is loaded on first use.
 * @throws {InvalidOptionsError} naming every problem in the options
 * @see https://docs.bullmq.io
 */
export function bullmqQueue(options: BullmqQueueOptions): WebhookQueueFactory {
  const resolved = resolveBullmqOptions(options);
  const cipher = new BodyCipher(options.encryptionKeys);
  return { create: (dependencies) => new BullmqWebhookQueue(dependencies, resolved, cipher) };
}

class BullmqWebhookQueue extends WebhookQueue {
  override readonly deadLetters: BullmqDeadLetters;
  readonly #connections: BullmqConnections;
  readonly #closed = new AbortController();
  /** What could not be opened is opened again by the next call. */
  readonly #queue = new LazyPromise(() => this.#open());
  #opened: BullmqQueue | undefined;

  constructor(
    private readonly dependencies: WebhookQueueDependencies,
    private readonly options: ResolvedBullmqOptions,
    private readonly cipher: BodyCipher,
  ) {
    super();
    const { config, clock, logger } = dependencies;
    const name = options.name ?? `shopwright-${config.apiKey.replaceAll(':', '_')}`;
    this.#connections = new BullmqConnections({ clock, logger, options, name });
    this.deadLetters = new BullmqDeadLetters((work) => this.#call(work));
  }

  async enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome> {
    const { clock, logger } = this.dependencies;
    try {
      const waited = stopwatch(clock);
      // A delivery that is refused must not be kept until the queue is open.
      const open = await within(clock, STORE_LIMIT, this.#queue.get());
      refuseUnready(this.options.target);
      await within(clock, STORE_LIMIT - waited(), this.#store(open, delivery));
      return { kind: 'accepted', reason: 'queued' };
    } catch (error) {
      logger.error('A delivery could not be stored in the queue', {
        ...logFieldsOf(delivery.facts),
        error,
      });
      return { kind: 'unavailable', reason: 'queue_unavailable' };
    }
  }

  override depth(): Promise<QueueDepth> {
    return this.#call(depthOf);
  }

  override recent(limit: number): Promise<RecentDelivery[]> {
    return this.#call((queue) => recentIn(queue, limit));
  }

  override begin(): void {
    // A command ends in a moment, and may run another version of the app.
    if (isCommand()) return;
    // The first delivery need not wait for it; what fails is told with the delivery that needs it.
    this.#queue.get().catch(() => {});
    if (this.options.worker) void this.#startWorker();
  }

  override async close(): Promise<void> {
    this.#closed.abort();
    await this.#connections.close();
  }

  #call<T>(work: (queue: BullmqQueue) => Promise<T>): Promise<T> {
    return within(
      this.dependencies.clock,
      CALL_LIMIT,
      this.#queue.get().then(({ queue }) => work(queue)),
    );
  }

  async #store({ queue, order }: OpenQueue, delivery: VerifiedDelivery): Promise<void> {
    const { config, clock } = this.dependencies;
    const { facts } = delivery;
    const id = jobIdOf(config.apiKey, facts);
    await order?.join(id, facts, clock.now().getTime());
    const stored = toStored(delivery, id, this.cipher);
    await queue.add(facts.topic, stored, jobOptionsOf(id, this.options.backoff));
  }

  async #open(): Promise<OpenQueue> {
    const { ordering, target } = this.options;
    const queue = (this.#opened ??= await this.#connections.openQueue());
    const terms = { queue, storeLimit: STORE_LIMIT };
    return { queue, order: ordering && (await ShopOrder.over(target, terms)) };
  }

  /** Until it could be opened, or the app is closed. */
  async #startWorker(): Promise<void> {
    const { clock, logger, inFlight } = this.dependencies;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        const fetching = new WorkerFetching();
        // What is handled in order cannot be handled without.
        const order = this.options.ordering && (await this.#queue.get()).order;
        const worker = await this.#connections.openWorker((driver) =>
          this.#processor(driver, fetching, order),
        );
        fetching.worker = worker;
        inFlight.onDrain(() => fetching.end());
        return await worker.run();
      } catch (error) {
        if (signal.aborted) return;
        logger.error('The worker of the webhook queue could not be started; it is tried again', {
          error,
        });
        await clock.sleep(REOPEN_DELAY, signal).catch(() => {});
      }
    }
  }

  #processor(
    driver: BullmqDriver,
    fetching: Fetching,
    order: ShopOrder | undefined,
  ): DeliveryWorker['work'] {
    const { clock, logger, inFlight, processor } = this.dependencies;
    const { attempts, onDeadLetter } = this.options;
    const { cipher } = this;
    const worker = new DeliveryWorker({
      ...{ clock, logger, inFlight, processor, cipher, order, attempts, onDeadLetter },
      errors: driver,
      isolation: new Isolation(clock, fetching),
    });
    return (job, token) => worker.work(job, token);
  }
}

/** A queue that can be reached, and the order in which it is worked, if there is one. */
interface OpenQueue {
  readonly queue: BullmqQueue;
  readonly order: ShopOrder | undefined;
}

/** Whether a worker takes anything more; from the begin of a shutdown on it does not. */
class WorkerFetching implements Fetching {
  worker: BullmqWorker | undefined;
  #hasEnded = false;

  pause(): void {
    void this.worker?.pause(true);
  }

  resume(): void {
    if (!this.#hasEnded) void this.worker?.resume();
  }

  end(): void {
    this.#hasEnded = true;
    this.pause();
  }
}
