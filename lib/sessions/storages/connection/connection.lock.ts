import type { Clock } from '../../../core/time/clock.js';
import { Lock } from '../../coordination/lock.js';
import type { SessionStorageError } from '../../sessions.errors.js';

interface Hold {
  readonly holder: string;
  readonly leaseMs: number;
  /** Epoch milliseconds of this machine's clock. */
  readonly until: number;
}

/**
 * A lock whose names the server keeps for one connection, and gives back when it ends. The
 * connection may lock its own names again and again: who holds which within this process is known
 * here.
 */
export abstract class ConnectionLock extends Lock {
  readonly #holds = new Map<string, Hold>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  /**
   * Counts lost connections: with one go the turns that wait for it, instead of each waiting for
   * the server in vain.
   */
  #losses = 0;
  #lastLoss: SessionStorageError | undefined;

  /** @param errorFor what a failure to do something is thrown as */
  constructor(
    private readonly errorFor: (what: string, error: unknown) => SessionStorageError,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Locks a name on the server unless another connection has it, after giving back others. */
  protected abstract tryLock(name: string, ended: readonly string[]): Promise<boolean>;
  /** Gives names back to the server; a sign of life when there are none. */
  protected abstract unlock(names: readonly string[]): Promise<void>;
  /** No name is held any more. */
  protected abstract rest(): Promise<void>;
  /** Ends the connection, if there is one. */
  protected abstract disconnect(): void;

  async take(name: string, holder: string, leaseMs: number): Promise<boolean> {
    if (this.#holdOf(name)) return false;
    return this.#inTurn('take a lock', async () => {
      if (this.#holdOf(name)) return false;
      const ended = this.#forgetEnded();
      this.#hold(name, holder, leaseMs);
      if (await this.tryLock(name, ended)) return true;
      this.#holds.delete(name);
      if (this.#holds.size === 0) await this.rest();
      return false;
    });
  }

  async renew(name: string, holder: string, leaseMs: number): Promise<boolean> {
    const renewed = this.#inTurn('renew a lock', async () => {
      if (this.#holdOf(name)?.holder !== holder) return false;
      this.#hold(name, holder, leaseMs);
      await this.unlock(this.#forgetEnded());
      return true;
    });
    // What was held over a connection is lost with it.
    return renewed.catch(() => false);
  }

  async release(name: string, holder: string): Promise<void> {
    const released = this.#inTurn('release a lock', async () => {
      if (this.#holdOf(name)?.holder !== holder) return;
      this.#holds.delete(name);
      await this.unlock([...this.#forgetEnded(), name]);
      if (this.#holds.size === 0) await this.rest();
    });
    await released.catch(() => {});
  }

  /** Gives every name back. */
  close(): void {
    this.lose(new Error('the storage was closed'));
  }

  /**
   * Milliseconds of the longest lease among what is held: for so long the server may hear nothing.
   */
  protected get longestLease(): number | undefined {
    return this.#holds.size > 0
      ? Math.max(...[...this.#holds.values()].map(({ leaseMs }) => leaseMs))
      : undefined;
  }

  /**
   * Connects for the turn that asks. @throws when the lock was closed meanwhile: then `end` has
   * been called with what was opened
   */
  protected async connected<T>(
    connect: () => Promise<T>,
    end: (connection: T) => void,
  ): Promise<T> {
    const losses = this.#losses;
    const connection = await connect();
    if (losses === this.#losses) return connection;
    end(connection);
    throw this.#lastLoss;
  }

  /** The server has ended the connection, or it broke. */
  protected lose(error: unknown): void {
    this.#losses++;
    this.#lastLoss = this.errorFor('keep a lock', error);
    this.#holds.clear();
    this.disconnect();
  }

  #holdOf(name: string): Hold | undefined {
    const hold = this.#holds.get(name);
    return hold && hold.until > this.#now() ? hold : undefined;
  }

  #hold(name: string, holder: string, leaseMs: number): void {
    this.#holds.set(name, { holder, leaseMs, until: this.#now() + leaseMs });
  }

  /** Answers with the names that their holders have neither renewed nor released. */
  #forgetEnded(): string[] {
    const ended = [...this.#holds.keys()].filter((name) => !this.#holdOf(name));
    for (const name of ended) this.#holds.delete(name);
    return ended;
  }

  /** One after the other: what is sent depends on what is held by then. */
  #inTurn<T>(what: string, work: () => Promise<T>): Promise<T> {
    const losses = this.#losses;
    const turn = this.#lastTurn.then(async () => {
      if (losses !== this.#losses) throw this.#lastLoss;
      try {
        return await work();
      } catch (error) {
        const failure = this.errorFor(what, error);
        // With the connection that broke its statement fails, too: one loss, and turns that wait
        // since then are for the next connection.
        if (losses === this.#losses) this.lose(failure);
        throw failure;
      }
    });
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  #now(): number {
    return this.clock.now().getTime();
  }
}
