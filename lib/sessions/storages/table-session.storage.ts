import { SessionStorage } from '../session.storage.js';
import { SessionStorageError } from '../sessions.errors.js';
import { SharedAttempt } from './shared-attempt.js';

/**
 * A storage that keeps sessions as rows of a table. It is opened, and its tables are brought to their current shape, on first use; what fails
 * then is tried again by the next call.
 */
export abstract class TableSessionStorage<Connection> extends SessionStorage {
  readonly #migrated = new SharedAttempt(() => this.migrate());

  /** Resolves when the database is reached and the tables are there; opens it if need be. */
  get ready(): Promise<void> {
    return this.open().then(() => {});
  }

  deleteSession(id: string): Promise<boolean> {
    return this.deleteSessions([id]);
  }

  /** Makes nothing: `ready` does. @throws {SessionStorageError} that names each migration, column and key that is missing */
  override async verify(): Promise<void> {
    const missing = await this.missing();
    if (missing.length === 0) return;
    throw new SessionStorageError(`${this.place} lacks ${missing.join(', ')}. Migrations are applied on first use: await storage.ready.`);
  }

  /** Closes what was opened here, not what was given; names that were locked are free. A later call opens it again. */
  override async close(): Promise<void> {
    this.#migrated.forget();
    await this.release();
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /** The way to tables of the current shape. */
  protected open(): Promise<Connection> {
    return this.#migrated.get();
  }

  /** For messages, such as `The table sessions`. */
  protected abstract get place(): string;
  /** Opens the database and brings the tables to their current shape. */
  protected abstract migrate(): Promise<Connection>;
  /** What keeps the tables from being used, in words; nothing when they have their shape. */
  protected abstract missing(): Promise<readonly string[]>;
  /** Lets go of connections and files. */
  protected abstract release(): Promise<void>;
}
