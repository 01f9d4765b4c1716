/**
 * Names of which at most one holder exists at a time, in all processes that share the lock. A port
 * of three small steps; use {@link withLock} to wait for a name and to keep it while work goes on.
 *
 * A hold ends by itself `leaseMs` after it was last renewed, so that it outlives neither a crash
 * nor a process that stands still.
 */
export abstract class Lock {
  /**
   * Takes `name` for `leaseMs` milliseconds. Answers at once: false when another holder has it.
   * @param holder unique to this hold
   */
  abstract take(name: string, holder: string, leaseMs: number): Promise<boolean>;
  /**
   * The hold now ends `leaseMs` milliseconds from now. False, without effect, when it is no longer
   * the holder's.
   */
  abstract renew(name: string, holder: string, leaseMs: number): Promise<boolean>;
  /** Gives `name` back. Without effect when it is no longer the holder's. */
  abstract release(name: string, holder: string): Promise<void>;
}
