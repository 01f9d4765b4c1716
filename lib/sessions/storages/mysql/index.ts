/**
 * Sessions in a MySQL or MariaDB database. Needs the optional dependency `mysql2`.
 * @module shopwright/sessions/mysql
 */
export { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
export { MySQLSessionStorage } from './mysql-session.storage.js';
export type { MySQLPoolLike, MySQLSessionStorageOptions } from './mysql-session.storage.js';
