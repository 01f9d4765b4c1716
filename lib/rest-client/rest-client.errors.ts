import { PlatformError } from '../core/core.errors.js';

/** A client cannot be made with these options; the message names the option and its value, never the access token. */
export class InvalidClientOptionsError extends PlatformError {
  readonly code = 'ERR_CLIENT_OPTIONS_INVALID';

  constructor(problem: string) {
    super(`Admin API Client: ${problem}`);
  }
}
