import { PlatformError } from '../core/core.errors.js';

/** The arguments of the command line are invalid. */
export class UsageError extends PlatformError {
  readonly code = 'ERR_USAGE';
}

/** The named module exports no app. */
export class AppNotFoundError extends PlatformError {
  readonly code = 'ERR_APP_NOT_FOUND';
}
