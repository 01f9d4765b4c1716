import { SessionStorage } from '../../session.storage.js';
import { SessionStorageError } from '../../sessions.errors.js';
import type { EngineConnection } from './engine.connection.js';

/**
 * A storage over an engine that is opened, and brought to the current shape, on first use; what
 * fails then is tried again by the next call.
 */
export abstract class EngineSessionStorage<Server, Engine = Server> extends SessionStorage {
  constructor(protected readonly connection: EngineConnection<Server, Engine>) {
    super();
  }

  /**
   * Resolves when the engine is reached and has everything it needs; opens it if need be. A failure
   * is not kept: the next call tries again.
   */
  get ready(): Promise<void> {
    return this.connection.open();
  }

  /**
   * Makes nothing: `ready` does. @throws {SessionStorageError} that names everything that is
   * missing, such as migrations
   */
  override async verify(): Promise<void> {
    const missing = await this.missing();
    if (missing.length === 0) return;
    throw new SessionStorageError(`${this.place} lacks ${missing.join(', ')}. ${this.remedy}`);
  }

  /**
   * Closes what was opened here, not what was given, after the calls in flight. It waits for five
   * seconds at most: what is not answered by then ends by itself. A later call opens it anew.
   */
  override close(): Promise<void> {
    return this.connection.close();
  }

  /** The same as {@link close}, by the name the official storages have. */
  disconnect(): Promise<void> {
    return this.close();
  }

  /** For messages, such as `The table sessions`. */
  protected abstract readonly place: string;
  /** What adds what is missing. */
  protected readonly remedy: string = 'Migrations are applied on first use: await storage.ready.';
  /** What is missing, in words. */
  protected abstract missing(): Promise<readonly string[]>;

  /** @param what it does, for the error that says so when it fails */
  protected run<T>(what: string, work: (engine: Engine) => T | Promise<T>): Promise<T> {
    return this.connection.run(what, work);
  }
}
