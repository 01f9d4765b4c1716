import type { PlatformLogger } from '../../../core/logger.js';
import type { Clock } from '../../../core/time/clock.js';
import { inTime, stopwatch } from '../../../core/time/clock.js';
import { WebhookQueueError } from '../../webhooks.errors.js';
import type {
  BullmqBackend,
  BullmqDriver,
  BullmqProcessor,
  BullmqQueue,
  BullmqWorker,
} from './bullmq.driver.js';
import { MOST_TIMES, loadDriver } from './bullmq.driver.js';
import type { QueueTarget, ResolvedBullmqOptions } from './bullmq.options.js';

/** How long a new connection may take, in milliseconds. */
const CONNECT_LIMIT = 2_500;
/** Between attempts of a worker to get on after its server was lost, in milliseconds. */
const RETRY_DELAY = 1_000;
const LONGEST_RECONNECT_DELAY = 2_000;
/**
 * How long to wait for a server when its connection is closed: until it is open, and until it is
 * closed. In milliseconds.
 */
const OPENED_LIMIT = 500;
const CLOSE_LIMIT = 1_000;
/** Between two lines about connections that fail, in milliseconds. */
const LOG_INTERVAL = 10_000;

/** What {@link BullmqConnections} depend on. */
interface BullmqConnectionsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly options: Pick<
    ResolvedBullmqOptions,
    'target' | 'prefix' | 'concurrency' | 'lockDuration'
  >;
  /** Of the queue. */
  readonly name: string;
}

/** Opens the queue and its worker as BullMQ has them for Redis and PostgreSQL. */
export class BullmqConnections {
  /** What is to be closed: also while it is being opened. */
  readonly #made = new Set<BullmqQueue | BullmqWorker>();
  #isClosed = false;
  #sinceLogged: (() => number) | undefined;

  constructor(private readonly dependencies: BullmqConnectionsDependencies) {}

  /**
   * The queue, once its server has been reached.
   * @throws {WebhookQueueError} when the driver is missing or the server cannot be used
   */
  openQueue(): Promise<BullmqQueue> {
    const { name, options } = this.dependencies;
    const settings = this.#settings({ forWorker: false });
    return this.#open(
      (driver) => new driver.Queue(name, settings, backendFor(options.target, driver)),
    );
  }

  /**
   * A worker that does not run yet.
   * @throws {WebhookQueueError} when the driver is missing or the server cannot be used
   */
  openWorker(processor: (driver: BullmqDriver) => BullmqProcessor): Promise<BullmqWorker> {
    const { name, options } = this.dependencies;
    const settings = {
      ...this.#settings({ forWorker: true }),
      autorun: false,
      concurrency: options.concurrency,
      lockDuration: options.lockDuration,
      stalledInterval: Math.round(options.lockDuration / 3),
      // Attempts in processes that ended are counted by the worker itself.
      maxStalledCount: MOST_TIMES,
      runRetryDelay: RETRY_DELAY,
    };
    return this.#open(
      (driver) =>
        new driver.Worker(name, processor(driver), settings, backendFor(options.target, driver)),
    );
  }

  /** Closes all that was opened, without waiting for a server that does not answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { clock, options } = this.dependencies;
    const isShared = options.target.kind === 'redis-client';
    const closings = [...this.#made].map(async (made) => {
      // What is closed while it is opened would leave a connection to PostgreSQL open.
      await within(clock, OPENED_LIMIT, made.waitUntilReady()).catch(() => {});
      await within(clock, CLOSE_LIMIT, made.close()).catch(() => {
        // It would disconnect the app's own client; the connection a worker blocks on is ours.
        const ended = isShared ? made.backend?.disconnectBlocking?.(false) : made.disconnect();
        ended?.catch(() => {});
      });
    });
    await Promise.all(closings);
  }

  /** One that could not be opened is thrown away: BullMQ would keep its failure for ever. */
  async #open<T extends BullmqQueue | BullmqWorker>(make: (driver: BullmqDriver) => T): Promise<T> {
    const driver = await loadDriver();
    if (this.#isClosed) throw new WebhookQueueError('The webhook queue is closed.');
    let made: T | undefined;
    try {
      made = make(driver);
      made.on('error', (error) => this.#log(error));
      this.#made.add(made);
      await made.waitUntilReady();
      return made;
    } catch (cause) {
      if (made) this.#made.delete(made);
      await made?.close().catch(() => {});
      throw new WebhookQueueError(
        'The server of the webhook queue cannot be used: `cause` says why. Check `connection` of bullmqQueue().',
        { cause },
      );
    }
  }

  #log(error: Error): void {
    const { clock, logger } = this.dependencies;
    if (this.#isClosed || (this.#sinceLogged && this.#sinceLogged() < LOG_INTERVAL)) return;
    this.#sinceLogged = stopwatch(clock);
    logger.warn('The connection of the webhook queue failed; it is opened again', { error });
  }

  #settings({ forWorker }: { readonly forWorker: boolean }): object {
    const { target, prefix } = this.dependencies.options;
    return {
      connection: connectionOf(target, forWorker),
      ...(prefix !== undefined && { prefix }),
    };
  }
}

/** None is Redis. */
function backendFor(
  { kind }: QueueTarget,
  { createPostgresBackend }: BullmqDriver,
): BullmqBackend | undefined {
  if (kind !== 'postgresql') return undefined;
  return (...parameters) => {
    const backend = createPostgresBackend(...parameters);
    // Without a listener, a connection that is lost during a migration would end the process; the
    // migration fails with the reason.
    backend.connection.pool.on('connect', (client) => client.on('error', () => {}));
    return backend;
  };
}

/**
 * A worker waits for a server that was lost. What is to be stored fails at once instead: the
 * platform delivers it again.
 */
function connectionOf(target: QueueTarget, forWorker: boolean): object {
  switch (target.kind) {
    case 'redis-client':
      return target.client;
    case 'postgresql':
      return { connectionTimeoutMillis: CONNECT_LIMIT, ...target.options };
    case 'redis':
      return {
        connectTimeout: CONNECT_LIMIT,
        retryStrategy: (times: number) => Math.min(times * 100, LONGEST_RECONNECT_DELAY),
        ...target.options,
        maxRetriesPerRequest: forWorker ? null : 0,
        enableOfflineQueue: forWorker,
      };
  }
}

/**
 * Refuses to store anything while the app's own client has lost its server: it would keep each body
 * in memory until the server is back.
 * @throws {WebhookQueueError} when the client is not ready
 */
export function refuseUnready(target: QueueTarget): void {
  if (target.kind !== 'redis-client') return;
  // `ioredis` has a status, `redis` says whether it is ready.
  const { status, isReady } = target.client as { status?: unknown; isReady?: unknown };
  if (isReady === false || (typeof status === 'string' && status !== 'ready'))
    throw new WebhookQueueError(
      'The Redis client of the app, which the webhook queue uses, has no connection to its server.',
    );
}

/**
 * Settles as `work` does, unless that takes longer than `ms` milliseconds: it goes on, and its
 * outcome is ignored.
 * @throws {WebhookQueueError} when the time is over
 */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  const late = (): Error =>
    new WebhookQueueError(`The webhook queue gave no answer within ${ms} ms.`);
  return inTime(clock, ms, work, late);
}
