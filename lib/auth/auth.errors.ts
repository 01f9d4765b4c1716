import { PlatformError } from '../core/core.errors.js';

/**
 * An app created in the admin of one store has a fixed token: there is no OAuth grant for it.
 * @remedy Remove the call, or the option `distribution`: such an app uses `adminApiAccessToken`.
 */
export class PrivateAppError extends PlatformError {
  readonly code = 'ERR_PRIVATE_APP';
}

/**
 * An OAuth callback does not belong to a grant that this app began.
 * @remedy Begin the grant again from the app's own address; `reason` says what was wrong with this
 * one.
 */
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

/**
 * An OAuth callback was requested by a crawler, as the preview of a link is.
 * @remedy Answer with 410. Nothing is wrong: the merchant's own browser comes as well.
 */
export class BotActivityDetected extends PlatformError {
  readonly code = 'ERR_BOT_ACTIVITY';
}

/**
 * The browser sent no valid `state` cookie with an OAuth callback.
 * @remedy Begin the grant again. If it repeats, `appUrl` is not the address that the browser began
 * at, or a proxy drops cookies.
 */
export class CookieNotFound extends PlatformError {
  readonly code = 'ERR_COOKIE_NOT_FOUND';
}

/**
 * The token endpoint replied with success, but without a usable token.
 * @remedy Look for a proxy or a `fetch` of the app's own that answers in the platform's place;
 * else try again.
 */
export class InvalidTokenReplyError extends PlatformError {
  readonly code = 'ERR_TOKEN_REPLY_INVALID';
}

/**
 * The platform no longer renews a shop's token until somebody of the shop opens the app.
 * @remedy Skip the shop until somebody of it opens the app; `onReauthorizationNeeded` can tell
 * them.
 */
export class ReauthorizationRequiredError extends PlatformError {
  readonly code = 'ERR_REAUTHORIZATION_REQUIRED';

  constructor(
    readonly shop: string,
    options?: { cause?: unknown },
  ) {
    super(
      `The access of the app to ${shop} has ended: somebody of the shop has to open the app.`,
      options,
    );
  }
}

/**
 * A session has expired, and there is nothing to renew it with.
 * @remedy Skip the work until its user, or anybody of the shop, opens the app.
 */
export class SessionExpiredError extends PlatformError {
  readonly code = 'ERR_SESSION_EXPIRED';

  constructor(readonly shop: string) {
    super(
      `A session of ${shop} has expired and cannot be renewed from here: its user, or anybody of the shop, has to open the app.`,
    );
  }
}

/**
 * Scopes were to be revoked, and none was named.
 * @remedy Name the scopes to give back.
 */
export class NoScopesError extends PlatformError {
  readonly code = 'ERR_NO_SCOPES';

  constructor() {
    super('No scopes provided: name those the app gives back.');
  }
}

/**
 * The session storage said that it did not store a session.
 * @remedy Have `storeSession` of the storage return true once it has stored, and log why it did
 * not.
 */
export class SessionNotStoredError extends PlatformError {
  readonly code = 'ERR_SESSION_NOT_STORED';

  constructor(readonly shop: string) {
    super(`The session storage did not keep a session of ${shop}.`);
  }
}

/**
 * Tokens were to be migrated that the session storage could not keep renewed afterwards.
 * @remedy Have the storage keep `refreshToken`, `refreshTokenExpires` and `expires`. Nothing was
 * migrated.
 */
export class RenewalNotKeptError extends PlatformError {
  readonly code = 'ERR_RENEWAL_NOT_KEPT';
}
