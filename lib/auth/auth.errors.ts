import { PlatformError } from '../core/core.errors.js';

/** An app created in the admin of one store has a fixed token: there is no OAuth grant for it. */
export class PrivateAppError extends PlatformError {
  readonly code = 'ERR_PRIVATE_APP';
}

/** The end of an OAuth grant does not belong to a beginning of ours. */
export class InvalidOAuthError extends PlatformError {
  readonly code = 'ERR_OAUTH_INVALID';

  constructor(
    message: string,
    readonly reason: 'state_mismatch' | 'state_spent' | 'code_missing',
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The browser brought no valid `state` cookie to the end of an OAuth grant. */
export class CookieNotFound extends PlatformError {
  readonly code = 'ERR_COOKIE_NOT_FOUND';
}

/** The token endpoint answered with a success that holds no usable token. */
export class InvalidTokenReplyError extends PlatformError {
  readonly code = 'ERR_TOKEN_REPLY_INVALID';
}
