import { LONGEST_TIMER, stopwatch } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { FREE_TICKET } from './pacer.js';
import type { PaceKind, PaceRequest, Priority, Settlement, Ticket } from './pacer.js';
import { PaceBucket } from './pace-bucket.js';
import type { Draw } from './pace-bucket.js';

/**
 * While calls of both kinds wait, one background call goes after this many interactive ones: a
 * fifth of all calls is theirs.
 */
export const INTERACTIVE_IN_A_ROW = 4;

interface Waiter {
  readonly cost: number;
  readonly priority: Priority;
  readonly admit: () => void;
}

/**
 * Who waits for one bucket. First come, first served within a priority; a timer runs only while
 * somebody waits.
 */
export class PaceQueue {
  readonly #now: () => number;
  readonly #bucket: PaceBucket;
  readonly #lines: Readonly<Record<Priority, Set<Waiter>>> = {
    interactive: new Set(),
    background: new Set(),
  };
  #inARow = 0;
  #alarm: { readonly at: number; cancel(): void } | undefined;
  #isOpen = false;

  constructor(
    kind: PaceKind,
    private readonly clock: Clock,
  ) {
    this.#now = stopwatch(clock);
    this.#bucket = new PaceBucket(kind, this.#now());
  }

  /** A place, if there is room and nobody waits for it. */
  enterNow(cost: number): Ticket | undefined {
    if (this.#isOpen) return FREE_TICKET;
    if (!this.#isEmpty) return undefined;
    const now = this.#now();
    if (this.#bucket.timeUntil(cost, now) > 0) return undefined;
    this.#inARow = 0;
    return this.#ticket(cost, now);
  }

  /**
   * A place as soon as there is one.
   * @throws the signal's reason when it is aborted while the call waits
   */
  enter({ cost, priority = 'interactive', signal }: PaceRequest): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#lines[priority].delete(waiter);
        reject(signal?.reason);
        // The next one may ask for less.
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

  /** Lets everybody through from now on. */
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
    this.#alarm?.cancel();
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

  /** An alarm that rings too early does no harm: whoever it wakes looks again. */
  #wakeAfter(ms: number): void {
    const at = this.#now() + ms;
    if (this.#alarm && this.#alarm.at <= at) return;
    this.#alarm?.cancel();
    if (ms === Infinity) return;
    const cancelled = new AbortController();
    const alarm = {
      at,
      cancel: () => {
        this.#alarm = undefined;
        cancelled.abort();
      },
    };
    this.#alarm = alarm;
    this.clock.sleep(Math.min(ms, LONGEST_TIMER), cancelled.signal).then(
      () => {
        if (this.#alarm === alarm) this.#alarm = undefined;
        this.#admit();
      },
      () => {},
    );
  }
}
