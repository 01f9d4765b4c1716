import { SessionStorageError } from '../../sessions.errors.js';

/**
 * The table of the sessions cannot be read; `cause` holds the client's error. Usually its migration
 * has not been run. Or it lacks columns, which the message names.
 * @remedy Run the migration that adds the table, or the columns, that the message names.
 */
export class MissingSessionTableError extends SessionStorageError {
  override readonly code = 'ERR_SESSION_TABLE_MISSING';
}

/**
 * {@link PrismaSessionStorage.isReady} has found that the storage is not ready, and has not been
 * called again since it is.
 * @remedy Run the migration, and call `isReady()` again.
 */
export class MissingSessionStorageError extends SessionStorageError {
  override readonly code = 'ERR_SESSION_STORAGE_NOT_READY';
}
