import type { Clock } from '../../../lib/core/time/clock.js';
import type { BucketState } from '../../../lib/core/pacing/pacer.js';

export interface PlatformBucketOptions {
  readonly clock: Clock;
  readonly capacity: number;
  readonly restoreRate: number;
  /** How the platform makes whole units of what is left. @default Math.floor */
  readonly round?: ((units: number) => number) | undefined;
}

/** A leaky bucket on the platform's side: calls take what they cost, or are refused. */
export class PlatformBucket {
  taken = 0;
  refused = 0;
  capacity: number;
  restoreRate: number;
  readonly #clock: Clock;
  readonly #round: (units: number) => number;
  #level: number;
  #at: number;

  constructor({ clock, capacity, restoreRate, round = Math.floor }: PlatformBucketOptions) {
    this.#clock = clock;
    this.capacity = capacity;
    this.restoreRate = restoreRate;
    this.#round = round;
    this.#level = capacity;
    this.#at = clock.now().getTime();
  }

  take(cost: number): boolean {
    this.#restore();
    const fits = cost <= this.#level + 1e-9;
    if (fits) this.#level -= cost;
    if (fits) this.taken += cost;
    else this.refused++;
    return fits;
  }

  giveBack(cost: number): void {
    this.#restore();
    this.#level = Math.min(this.capacity, this.#level + cost);
  }

  /** What a reply tells. */
  get state(): Required<BucketState> {
    this.#restore();
    return {
      available: Math.min(this.capacity, this.#round(this.#level + 1e-9)),
      capacity: this.capacity,
      restoreRate: this.restoreRate,
    };
  }

  #restore(): void {
    const now = this.#clock.now().getTime();
    this.#level = Math.min(
      this.capacity,
      this.#level + ((now - this.#at) / 1000) * this.restoreRate,
    );
    this.#at = now;
  }
}
