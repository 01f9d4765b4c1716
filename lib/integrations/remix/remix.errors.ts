import { PlatformError } from '../../core/core.errors.js';

/** The shop has no session: it has not installed the app, or has uninstalled it. */
export class SessionNotFoundError extends PlatformError {
  readonly code = 'ERR_SESSION_NOT_FOUND';
}
