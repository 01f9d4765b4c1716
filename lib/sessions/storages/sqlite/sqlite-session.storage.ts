import { EngineSessionStorage } from '../connection/engine-session.storage.js';
import type { SqlStorageOptions } from '../sql/sql-engine.js';
import { sqliteEngine } from './sqlite-engine.js';

/** Options of {@link SqliteSessionStorage}. */
export type SqliteSessionStorageOptions = SqlStorageOptions;

/**
 * Keeps sessions in one SQLite file, which several processes of one machine may share. Needs the
 * optional dependency `libsql`. The file is opened anew after it could not be read or written, so
 * that a disk that was read-only is used once it can be written. Times are kept in whole seconds.
 * @example new SqliteSessionStorage('data/sessions.db')
 */
export class SqliteSessionStorage extends EngineSessionStorage {
  /** @param filename path of the file, or `:memory:` */
  constructor(filename: string, options: SqliteSessionStorageOptions = {}) {
    super(sqliteEngine(filename, options));
  }
}
