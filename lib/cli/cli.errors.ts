import { PlatformError } from '../core/core.errors.js';

/**
 * The arguments of the command line are invalid.
 * @remedy See `shopwright --help`.
 */
export class UsageError extends PlatformError {
  readonly code = 'ERR_USAGE';
}

/**
 * The named module exports no app.
 * @remedy Export the app from the module that the command was given, or name the export.
 */
export class AppNotFoundError extends PlatformError {
  readonly code = 'ERR_APP_NOT_FOUND';
}
