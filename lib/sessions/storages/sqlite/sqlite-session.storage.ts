import type { Clock } from '../../../core/time/clock.js';
import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import type { SqlStorageOptions } from '../sql/sql-engine.js';
import { sqliteEngine } from './sqlite-engine.js';

export interface SqliteSessionStorageOptions extends SqlStorageOptions {
  /** Waits between attempts on a locked file, and ends leases. @default the system's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Keeps sessions in one SQLite file, which several processes of one machine may share. Needs the
 * optional dependency `libsql`.
 *
 * The file is opened, and brought to the current shape, on first use; what fails then is tried
 * again by the next call. It is opened anew after it could not be read or written, so that a disk
 * that was read-only is used once it can be written. Times are kept in whole seconds. Every method
 * throws {@link SessionStorageError} when the file cannot be used and {@link MissingDriverError}
 * without `libsql`.
 * @example new SqliteSessionStorage('data/sessions.db')
 */
export class SqliteSessionStorage extends EngineSessionStorage {
  /** @param filename path of the file, or `:memory:` */
  constructor(filename: string, options: SqliteSessionStorageOptions = {}) {
    super(sqliteEngine(filename, options));
  }
}
