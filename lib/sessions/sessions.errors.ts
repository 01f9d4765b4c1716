import { PlatformError } from '../core/core.errors.js';
import type { ErrorCode } from '../core/core.errors.js';

/**
 * What was read from a storage is no session.
 * @remedy Look at what wrote the session: it lacks what a session has, such as its shop or its
 * token.
 */
export class InvalidSession extends PlatformError {
  readonly code = 'ERR_SESSION_INVALID';
}

/**
 * The storage cannot be reached, opened or written; `cause` holds the driver's error.
 * @remedy See `cause`: the server is away, or refuses the app. No restart is needed once it is
 * back.
 */
export class SessionStorageError extends PlatformError {
  readonly code: ErrorCode = 'ERR_SESSION_STORAGE';
}

/**
 * The storage's driver is an optional dependency and is not installed.
 * @remedy Install the package that the message names.
 */
export class MissingDriverError extends SessionStorageError {
  override readonly code = 'ERR_DRIVER_MISSING';
}

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

/**
 * A stored token cannot be decrypted with the keys there are. The message names the key's id, never
 * a key or a token.
 * @remedy Put the key that the message names back into `keys`. Never delete the sessions.
 */
export class SessionEncryptionError extends PlatformError {
  readonly code = 'ERR_SESSION_ENCRYPTION';
}

/**
 * The shop has no session: it has not installed the app, or has uninstalled it.
 * @remedy Skip the shop: it has no app any more, or none yet.
 */
export class SessionNotFoundError extends PlatformError {
  readonly code = 'ERR_SESSION_NOT_FOUND';
}

/**
 * A lock was not given in time, or was lost while it was held.
 * @remedy Try again. If it repeats, a hook takes longer than it may, or the server of the lock is
 * slow.
 */
export class LockTimeoutError extends PlatformError {
  readonly code = 'ERR_LOCK_TIMEOUT';
}
