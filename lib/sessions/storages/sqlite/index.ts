/**
 * Sessions in a SQLite file. Needs the optional dependency `libsql`.
 * @module shopwright/sessions/sqlite
 */
export { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
export {
  SqliteSessionStorage,
  SqliteSessionStorage as SQLiteSessionStorage,
} from './sqlite-session.storage.js';
export type {
  SqliteSessionStorageOptions,
  SqliteSessionStorageOptions as SQLiteSessionStorageOptions,
} from './sqlite-session.storage.js';
