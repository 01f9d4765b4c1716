import { setTimer } from '../../../core/time/clock.js';
import type { Clock } from '../../../core/time/clock.js';

/** How long what runs alone waits for others to end, in milliseconds: handlers may never return. */
const PATIENCE = 30_000;

/** What is fetched from the queue, by this process. */
export interface Fetching {
  pause(): void;
  resume(): void;
}

/** Lets one delivery be handled while no other is, in this process. */
export class Isolation {
  #running = 0;
  #isTaken = false;
  #onIdle: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly fetching: Fetching,
  ) {}

  /** True while something runs alone, or waits for that: nothing else must begin. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Runs `work` beside others. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  /** Runs `work` once the others have ended, or do not end; nothing is fetched meanwhile. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.#isTaken = true;
    this.fetching.pause();
    try {
      if (this.#running > 0) await this.#idle();
      return await work();
    } finally {
      this.#isTaken = false;
      this.fetching.resume();
    }
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = setTimer(this.clock, PATIENCE, resolve);
      this.#onIdle = () => {
        cancel();
        resolve();
      };
    });
  }
}
