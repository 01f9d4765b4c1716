import { PlatformError } from '../core.errors.js';

/**
 * A `Response` that the app has made cannot be sent: its body is being read, or was.
 * @remedy Make a new `Response` for each request: the body of one that is kept can be sent once.
 */
export class ResponseUsedError extends PlatformError {
  readonly code = 'ERR_RESPONSE_USED';

  constructor(
    /** Where the response comes from, such as `hooks.afterAuth`. */
    readonly source: string,
  ) {
    super(
      `The response of ${source} cannot be sent: its body was read, or sent, before. Make a new Response for each request.`,
    );
  }
}
