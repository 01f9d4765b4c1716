import { stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import type { PlatformLogger } from '../logger.js';
import { MemoryPacer } from './memory-pacer.js';
import { credible, checkedCost } from './pace-bucket.js';
import { FREE_TICKET, Pacer } from './pacer.js';
import type { PaceRequest, Priority, Settlement, Ticket } from './pacer.js';
import { RedisConnection } from '../redis/redis.connection.js';
import type { RedisClientLike } from '../redis/redis.driver.js';
import { PACE_SCRIPT } from './redis.script.js';
import type { PaceCommand } from './redis.script.js';

/** Milliseconds. */
const TIMEOUTS = { connection: 5000, answer: 1000 };
/** How long a lost server is not tried again, in milliseconds. */
const RETRY_INTERVAL = 1000;

/** What a {@link RedisPacer} works with. */
interface RedisPacerOptions {
  /** A URL (`redis://…`), or a client of the app, which the pacer does not close. */
  readonly redis: string | RedisClientLike;
  readonly clock: Clock;
  /**
   * Names the app's buckets in place of the app in a call; a function is called once.
   * @default the app in the call
   */
  readonly app?: string | (() => Promise<string>) | undefined;
  /** Warns when Redis is lost, and reports when it is back. */
  readonly logger?: PlatformLogger | undefined;
}

interface Waiter {
  readonly priority: Priority;
  /** Ends the current sleep. */
  wake(): void;
}

/**
 * Paces the calls of every process that uses the same Redis: one bucket and one queue for all,
 * first come, first served. Needs the optional dependency `redis`. While the server cannot be
 * reached, each process logs one warning and paces its own calls.
 */
export class RedisPacer extends Pacer {
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #logger: PlatformLogger | undefined;
  readonly #connection: RedisConnection;
  readonly #fallback: MemoryPacer;
  readonly #app: RedisPacerOptions['app'];
  readonly #process = crypto.randomUUID();
  readonly #waiting = new Map<string, Set<Waiter>>();
  #named: string | undefined;
  #calls = 0;
  #lostUntil: number | undefined;
  #isClosed = false;

  constructor({ redis, clock, app, logger }: RedisPacerOptions) {
    super();
    this.#clock = clock;
    this.#now = stopwatch(clock);
    this.#logger = logger;
    this.#app = app;
    this.#connection = new RedisConnection(
      typeof redis === 'string' ? { kind: 'url', url: redis } : { kind: 'client', client: redis },
      { clock, timeouts: TIMEOUTS },
    );
    this.#fallback = new MemoryPacer(clock);
  }

  override async reserve(request: PaceRequest): Promise<Ticket> {
    request.signal?.throwIfAborted();
    checkedCost(request.cost);
    if (this.#lostUntil !== undefined && !this.#isClosed) {
      this.#lookForServer(request);
      return this.#fallback.reserve(request);
    }
    try {
      return await this.#queue(request);
    } catch (error) {
      request.signal?.throwIfAborted();
      this.#lose(error);
      return this.#fallback.reserve(request);
    }
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const waiters of this.#waiting.values()) for (const { wake } of waiters) wake();
    await this.#fallback.close();
    await this.#connection.close();
  }

  async #queue(request: PaceRequest): Promise<Ticket> {
    const { kind, cost, priority = 'interactive', signal } = request;
    const name = await this.#nameOf(request);
    const id = `${this.#process} ${++this.#calls}`;
    const waiter: Waiter = { priority, wake: () => {} };
    const onAbort = (): void => waiter.wake();
    signal?.addEventListener('abort', onAbort);
    try {
      while (!this.#isClosed) {
        const wait = await this.#send(name, { op: 'ask', id, kind, cost, priority });
        if (signal?.aborted || this.#isClosed) break;
        if (!(wait > 0)) return this.#ticket(name, id, request);
        this.#remember(name, waiter);
        await this.#sleep(waiter, wait);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#forget(name, waiter);
    }
    if (this.#isClosed) return FREE_TICKET;
    this.#send(name, { op: 'leave', id, kind }).catch((error: unknown) => this.#lose(error));
    throw signal?.reason;
  }

  async #nameOf(request: PaceRequest): Promise<string> {
    this.#named ??= typeof this.#app === 'function' ? await this.#app() : this.#app;
    // None of these can contain a space.
    return `${request.kind} ${this.#named ?? request.app} ${request.shop}`;
  }

  #ticket(name: string, id: string, { kind }: PaceRequest): Ticket {
    let isSettled = false;
    return {
      settle: (told?: Settlement) => {
        if (isSettled || this.#isClosed) return;
        isSettled = true;
        this.#send(name, { op: 'settle', id, kind, told: told && credible(told) }).then(
          () => this.#wakeFirst(name),
          (error: unknown) => this.#lose(error),
        );
      },
    };
  }

  /**
   * Resolves when the time is over or the waiter is woken: a reply may have refilled the bucket.
   */
  async #sleep(waiter: Waiter, ms: number): Promise<void> {
    const woken = new AbortController();
    waiter.wake = () => woken.abort();
    await this.#clock.sleep(ms, woken.signal).catch(() => {});
  }

  #remember(name: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiters.add(waiter));
  }

  #forget(name: string, waiter: Waiter): void {
    const waiters = this.#waiting.get(name);
    if (waiters?.delete(waiter) && waiters.size === 0) this.#waiting.delete(name);
  }

  #wakeFirst(name: string): void {
    const waiters = [...(this.#waiting.get(name) ?? [])];
    (waiters.find(({ priority }) => priority === 'interactive') ?? waiters[0])?.wake();
  }

  /** @throws the reason why no response came in time */
  async #send(name: string, command: PaceCommand): Promise<number> {
    const server = this.#connection.current ?? (await this.#connection.open());
    const key = `shopwright:pace:{${name}}`;
    return Number(await server.run(PACE_SCRIPT, [key], [JSON.stringify(command)]));
  }

  #lose(error: unknown): void {
    if (this.#isClosed) return;
    const isNews = this.#lostUntil === undefined;
    this.#lostUntil = this.#now() + RETRY_INTERVAL;
    if (isNews)
      this.#logger?.warn(
        'Redis cannot be used for pacing: until it can, each process paces its own calls.',
        { error },
      );
  }

  #lookForServer(request: PaceRequest): void {
    if (this.#now() < this.#lostUntil!) return;
    this.#lostUntil = this.#now() + RETRY_INTERVAL;
    this.#nameOf(request)
      .then((name) => this.#send(name, { op: 'leave', id: '', kind: request.kind }))
      .then(
        () => {
          this.#lostUntil = undefined;
          this.#logger?.info('Redis is back: calls are paced across processes again.');
        },
        () => {},
      );
  }
}
