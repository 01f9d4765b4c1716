import type { Clock } from '../clock.js';
import type { PaceKind, PaceRequest, Priority, Settlement, Ticket } from './pacer.js';
import { PaceBucket } from './pace.bucket.js';

/** While calls of both kinds wait, one background call goes after this many interactive ones: a fifth of all calls is theirs. */
export const INTERACTIVE_IN_A_ROW = 4;

interface Waiter {
  readonly cost: number;
  readonly priority: Priority;
  readonly admit: () => void;
}

/** Who waits for one bucket. First come, first served within a priority; a timer runs only while somebody waits. */
export class PaceQueue {
  readonly #bucket: PaceBucket;
  readonly #lines: Readonly<Record<Priority, Set<Waiter>>> = { interactive: new Set(), background: new Set() };
  #inARow = 0;
  #alarm: { readonly at: number; cancel(): void } | undefined;
  #isOpen = false;

  constructor(
    kind: PaceKind,
    private readonly clock: Clock,
  ) {
    this.#bucket = new PaceBucket(kind, this.#now());
  }

  /** @throws the signal's reason when it is aborted while the call waits */
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
          resolve(this.#ticket(cost));
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

  #admit(): void {
    for (let waiter = this.#next(); waiter; waiter = this.#next()) {
      const wait = this.#isOpen ? 0 : this.#bucket.timeUntil(waiter.cost, this.#now());
      if (wait > 0) return this.#wakeAfter(wait);
      this.#lines[waiter.priority].delete(waiter);
      this.#inARow = waiter.priority === 'background' || this.#lines.background.size === 0 ? 0 : this.#inARow + 1;
      waiter.admit();
    }
    this.#alarm?.cancel();
  }

  #next(): Waiter | undefined {
    const [interactive] = this.#lines.interactive;
    const [background] = this.#lines.background;
    return background && (!interactive || this.#inARow >= INTERACTIVE_IN_A_ROW) ? background : interactive;
  }

  #ticket(cost: number): Ticket {
    let draw = this.#isOpen ? undefined : this.#bucket.draw(cost, this.#now());
    return {
      settle: (told?: Settlement) => {
        if (!draw) return;
        this.#bucket.settle(draw, this.#now(), told);
        draw = undefined;
        this.#admit();
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
    this.clock.sleep(ms, cancelled.signal).then(
      () => {
        if (this.#alarm === alarm) this.#alarm = undefined;
        this.#admit();
      },
      () => {},
    );
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
