import type { Clock } from '../../../core/time/clock.js';
import { SessionStorage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import { closeAfter } from '../connection/in-flight-calls.js';
import { LazyPromise } from '../../../core/concurrency/lazy-promise.js';

/** How many expired sessions are deleted at a time. */
const DELETED_AT_ONCE = 1_000;

/**
 * A storage that keeps sessions as rows of a table. It is opened, and its tables are brought to
 * their current shape, on first use; what fails then is tried again by the next call.
 */
export abstract class TableSessionStorage<Connection> extends SessionStorage {
  readonly #migrated = new LazyPromise(() => this.migrate());
  #closings = 0;
  #closing: Promise<void> | undefined;

  constructor(private readonly clock: Clock) {
    super();
  }

  /** Resolves when the database is reached and the tables are there; opens it if need be. */
  get ready(): Promise<void> {
    return this.open().then(() => {});
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  /**
   * In parts, so that others wait no longer than for one of them. What is left when the storage is
   * closed is left to the next call.
   */
  override async deleteExpiredSessions(moment: Date): Promise<number> {
    const closings = this.#closings;
    let count = 0;
    do {
      const deleted = await this.deleteExpired(moment, DELETED_AT_ONCE);
      count += deleted;
      if (deleted < DELETED_AT_ONCE) return count;
      await this.clock.sleep(0);
    } while (closings === this.#closings);
    return count;
  }

  /**
   * Makes nothing: `ready` does. @throws {SessionStorageError} that names each migration, column
   * and key that is missing
   */
  override async verify(): Promise<void> {
    const missing = await this.missing();
    if (missing.length === 0) return;
    throw new SessionStorageError(
      `${this.place} lacks ${missing.join(', ')}. Migrations are applied on first use: await storage.ready.`,
    );
  }

  /**
   * Closes what was opened here, not what was given, after what is under way; names that were
   * locked are free. It waits for five seconds at most, and lets go of it then: what is not
   * answered yet ends by itself, and opens it anew if it has more to ask. So does a later call.
   */
  override close(): Promise<void> {
    this.#closings++;
    const release = (): Promise<void> => {
      // From here on there is something else to close.
      this.#closing = undefined;
      void this.#migrated.forget();
      return this.release();
    };
    this.#closing ??= closeAfter(this.#answered(), release, this.clock);
    return this.#closing;
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /** The way to tables of the current shape. */
  protected open(): Promise<Connection> {
    return this.#migrated.get();
  }

  async #answered(): Promise<void> {
    await this.#migrated.made();
    await this.settled();
  }

  /** Resolves when what was asked for by now has been sent. */
  protected async settled(): Promise<void> {}

  /** For messages, such as `The table sessions`. */
  protected abstract get place(): string;
  /** Opens the database and brings the tables to their current shape. */
  protected abstract migrate(): Promise<Connection>;
  /** What keeps the tables from being used, in words; nothing when they have their shape. */
  protected abstract missing(): Promise<readonly string[]>;
  /** Deletes at most so many online sessions that expired before `moment`. */
  protected abstract deleteExpired(moment: Date, limit: number): Promise<number>;
  /**
   * Lets go of connections and files at once, and closes them after the calls that use them: who
   * calls from now on opens others.
   */
  protected abstract release(): Promise<void>;
}
