import { stopwatch } from '../time/clock.js';
import { LONGEST_TIMER } from '../time/plain-clock.js';
import type { Clock } from '../time/clock.js';
import { PaceBucket, checkedCost } from './pace-bucket.js';
import type { Draw } from './pace-bucket.js';
import { FREE_TICKET, INTERACTIVE_IN_A_ROW, Pacer } from './pacer.js';
import type { PaceKind, PaceRequest, Priority, Settlement, Ticket } from './pacer.js';

/**
 * The number of shops that are remembered at least; at most it is twice as many. The bucket of a
 * forgotten shop is learnt again from its next reply.
 */
const SHOPS = 5000;

/** The queues of one shop, by app. */
type ShopQueues = Map<string, { -readonly [kind in PaceKind]?: PaceQueue }>;

/**
 * Paces the calls of this process. An app has two buckets in each shop. Their levels are assumed
 * until the first reply, estimated between replies and corrected by each reply. Interactive calls
 * are sent first; while calls of both kinds wait, every fifth call is a background call.
 */
export class MemoryPacer extends Pacer {
  /**
   * Two generations of shops: those called since the last change of generation, and those before.
   */
  #recent = new Map<string, ShopQueues>();
  #older = new Map<string, ShopQueues>();
  #isClosed = false;

  constructor(private readonly clock: Clock) {
    super();
  }

  override reserveNow(request: PaceRequest): Ticket | undefined {
    if (request.signal?.aborted) return undefined;
    return this.#isClosed
      ? FREE_TICKET
      : this.#queueOf(request).enterNow(checkedCost(request.cost));
  }

  override async reserve(request: PaceRequest): Promise<Ticket> {
    request.signal?.throwIfAborted();
    return this.reserveNow(request) ?? this.#queueOf(request).enter(request);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    for (const shops of [this.#recent, this.#older]) {
      openAll(shops);
      shops.clear();
    }
  }

  #queueOf({ app, shop, kind }: PaceRequest): PaceQueue {
    const apps = this.#recent.get(shop) ?? this.#refresh(shop);
    let queues = apps.get(app);
    if (!queues) apps.set(app, (queues = {}));
    return (queues[kind] ??= new PaceQueue(kind, this.clock));
  }

  #refresh(shop: string): ShopQueues {
    const queues: ShopQueues = this.#older.get(shop) ?? new Map();
    this.#older.delete(shop);
    this.#recent.set(shop, queues);
    if (this.#recent.size < SHOPS) return queues;
    openAll(this.#older);
    [this.#older, this.#recent] = [this.#recent, new Map()];
    return queues;
  }
}

function openAll(shops: ReadonlyMap<string, ShopQueues>): void {
  for (const apps of shops.values()) {
    for (const { rest, graphql } of apps.values()) {
      rest?.open();
      graphql?.open();
    }
  }
}

interface Waiter {
  readonly cost: number;
  readonly priority: Priority;
  readonly admit: () => void;
}

/**
 * The calls that wait for one bucket: first come, first served within a priority. A timer runs only
 * while a call waits.
 */
class PaceQueue {
  readonly #now: () => number;
  readonly #bucket: PaceBucket;
  readonly #lines: Readonly<Record<Priority, Set<Waiter>>> = {
    interactive: new Set(),
    background: new Set(),
  };
  #inARow = 0;
  #timer: { readonly at: number; cancel(): void } | undefined;
  #isOpen = false;

  constructor(
    kind: PaceKind,
    private readonly clock: Clock,
  ) {
    this.#now = stopwatch(clock);
    this.#bucket = new PaceBucket(kind, this.#now());
  }

  /** A ticket, if the bucket has enough and no other call waits for it. */
  enterNow(cost: number): Ticket | undefined {
    if (this.#isOpen) return FREE_TICKET;
    if (!this.#isEmpty) return undefined;
    const now = this.#now();
    if (this.#bucket.timeUntil(cost, now) > 0) return undefined;
    this.#inARow = 0;
    return this.#ticket(cost, now);
  }

  /**
   * Resolves with a ticket as soon as the call may be sent.
   * @throws the signal's reason when it is aborted while the call waits
   */
  enter({ cost, priority = 'interactive', signal }: PaceRequest): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#lines[priority].delete(waiter);
        reject(signal?.reason);
        // The next call may cost less.
        this.#admit();
      };
      const waiter: Waiter = {
        cost,
        priority,
        admit: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#isOpen ? FREE_TICKET : this.#ticket(cost, this.#now()));
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#lines[priority].add(waiter);
      this.#admit();
    });
  }

  /** Lets every call through from now on. */
  open(): void {
    this.#isOpen = true;
    this.#admit();
  }

  get #isEmpty(): boolean {
    return this.#lines.interactive.size === 0 && this.#lines.background.size === 0;
  }

  #admit(): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next()) {
      const wait = this.#isOpen ? 0 : this.#bucket.timeUntil(waiter.cost, this.#now());
      if (wait > 0) return this.#wakeAfter(wait);
      this.#lines[waiter.priority].delete(waiter);
      this.#inARow =
        waiter.priority === 'background' || this.#lines.background.size === 0
          ? 0
          : this.#inARow + 1;
      waiter.admit();
    }
    this.#timer?.cancel();
  }

  #next(): Waiter | undefined {
    const [interactive] = this.#lines.interactive;
    const [background] = this.#lines.background;
    return background && (!interactive || this.#inARow >= INTERACTIVE_IN_A_ROW)
      ? background
      : interactive;
  }

  #ticket(cost: number, now: number): Ticket {
    let draw: Draw | undefined = this.#bucket.draw(cost, now);
    return {
      settle: (told?: Settlement) => {
        if (!draw) return;
        this.#bucket.settle(draw, this.#now(), told);
        draw = undefined;
        if (!this.#isEmpty) this.#admit();
      },
    };
  }

  /** The queue looks again whenever it wakes, so a timer that fires early does no harm. */
  #wakeAfter(ms: number): void {
    const at = this.#now() + ms;
    if (this.#timer && this.#timer.at <= at) return;
    this.#timer?.cancel();
    if (ms === Infinity) return;
    const cancelled = new AbortController();
    const timer = {
      at,
      cancel: () => {
        this.#timer = undefined;
        cancelled.abort();
      },
    };
    this.#timer = timer;
    this.clock.sleep(Math.min(ms, LONGEST_TIMER), cancelled.signal).then(
      () => {
        if (this.#timer === timer) this.#timer = undefined;
        this.#admit();
      },
      () => {},
    );
  }
}
