import { PlatformError } from '../core/core.errors.js';
import type { ErrorCode } from '../core/core.errors.js';

/** What was read from a storage is no session. */
export class InvalidSession extends PlatformError {
  readonly code = 'ERR_SESSION_INVALID';
}

/** The storage cannot be reached, opened or written; `cause` holds the driver's error. */
export class SessionStorageError extends PlatformError {
  readonly code: ErrorCode = 'ERR_SESSION_STORAGE';
}

/** The storage's driver is an optional dependency and is not installed. */
export class MissingDriverError extends SessionStorageError {
  override readonly code = 'ERR_DRIVER_MISSING';
}

/**
 * A stored token cannot be decrypted with the keys there are. The message names the key's id, never
 * a key or a token.
 */
export class SessionEncryptionError extends PlatformError {
  readonly code = 'ERR_SESSION_ENCRYPTION';
}

/** The shop has no session: it has not installed the app, or has uninstalled it. */
export class SessionNotFoundError extends PlatformError {
  readonly code = 'ERR_SESSION_NOT_FOUND';
}

/** A lock was not given in time, or was lost while it was held. */
export class LockTimeoutError extends PlatformError {
  readonly code = 'ERR_LOCK_TIMEOUT';
}
