/**
 * Sessions in a PostgreSQL database. Needs the optional dependency `pg`.
 * @module shopwright/sessions/postgresql
 */
export { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
export { PostgreSQLSessionStorage } from './postgresql-session.storage.js';
export type {
  PostgreSQLPoolLike,
  PostgreSQLSessionStorageOptions,
} from './postgresql-session.storage.js';
