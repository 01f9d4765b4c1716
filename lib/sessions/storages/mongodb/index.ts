/**
 * Sessions in a MongoDB database. Needs the optional dependency `mongodb`.
 * @module shopwright/sessions/mongodb
 */
export { MissingDriverError, SessionStorageError } from '../../sessions.errors.js';
export { MongoDBSessionStorage } from './mongodb-session.storage.js';
export type { MongoClientLike } from './mongodb-session.storage.js';
export type { MongoDBSessionStorageOptions } from './mongodb.options.js';
