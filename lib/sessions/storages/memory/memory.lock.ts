import type { Clock } from '../../../core/time/clock.js';
import { Lock } from '../../coordination/lock.js';

/**
 * Holds names in this process. Another process knows nothing of them. A name takes memory until it
 * is released.
 */
export class MemoryLock extends Lock {
  readonly #holds = new Map<string, { readonly holder: string; readonly until: number }>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    const hold = this.#holds.get(name);
    if (hold && hold.until > this.#now()) return false;
    this.#holds.set(name, { holder, until: this.#now() + leaseMs });
    return true;
  }

  async renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    if (!this.#isHeldBy(name, holder)) return false;
    this.#holds.set(name, { holder, until: this.#now() + leaseMs });
    return true;
  }

  async release(name: string, holder: string): Promise<void> {
    if (this.#holds.get(name)?.holder === holder) this.#holds.delete(name);
  }

  #isHeldBy(name: string, holder: string): boolean {
    const hold = this.#holds.get(name);
    return hold?.holder === holder && hold.until > this.#now();
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
