import { PlatformError } from '../core/core.errors.js';

/** The command line was called wrongly. */
export class UsageError extends PlatformError {
  readonly code = 'ERR_USAGE';
}

/** A module was named that exports no app. */
export class AppNotFoundError extends PlatformError {
  readonly code = 'ERR_APP_NOT_FOUND';
}
