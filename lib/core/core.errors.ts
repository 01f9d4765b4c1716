/**
 * The `code` of every error the toolkit throws. Codes are stable: new ones are added, and none
 * changes its meaning.
 */
export type ErrorCode =
  | 'ERR_APP_NOT_FOUND'
  | 'ERR_APP_PROXY_PROVIDER_MISSING'
  | 'ERR_ARGUMENT_MISSING'
  | 'ERR_BILLING'
  | 'ERR_BODY_DROPPED'
  | 'ERR_BODY_TIMEOUT'
  | 'ERR_BODY_TOO_LARGE'
  | 'ERR_BOOT_FAILED'
  | 'ERR_BOT_ACTIVITY'
  | 'ERR_BULK_OPERATION'
  | 'ERR_BULK_TRANSFER'
  | 'ERR_CLIENT_OPTIONS_INVALID'
  | 'ERR_COOKIE_NOT_FOUND'
  | 'ERR_DRIVER_MISSING'
  | 'ERR_FEATURE_DEPRECATED'
  | 'ERR_GRAPHQL_ACCESS_DENIED'
  | 'ERR_GRAPHQL_PAGINATION'
  | 'ERR_GRAPHQL_QUERY'
  | 'ERR_GRAPHQL_THROTTLED'
  | 'ERR_HMAC_INVALID'
  | 'ERR_HOOK_FAILED'
  | 'ERR_HOST_INVALID'
  | 'ERR_HTTP_ABORTED'
  | 'ERR_HTTP_ACCESS_DENIED'
  | 'ERR_HTTP_AUTHENTICATION'
  | 'ERR_HTTP_INTERNAL'
  | 'ERR_HTTP_MALFORMED_REPLY'
  | 'ERR_HTTP_MAX_RETRIES'
  | 'ERR_HTTP_REDIRECT'
  | 'ERR_HTTP_REQUEST'
  | 'ERR_HTTP_RESPONSE'
  | 'ERR_HTTP_RETRIABLE'
  | 'ERR_HTTP_THROTTLED'
  | 'ERR_HTTP_TIMEOUT'
  | 'ERR_LIFECYCLE_HANDLER_INVALID'
  | 'ERR_LOCK_TIMEOUT'
  | 'ERR_NO_SCOPES'
  | 'ERR_OAUTH_INVALID'
  | 'ERR_OPTIONS_INVALID'
  | 'ERR_PAGINATION_LOOP'
  | 'ERR_PLAN_REQUIRED'
  | 'ERR_PRIVATE_APP'
  | 'ERR_RAW_BODY_UNAVAILABLE'
  | 'ERR_REACT_MISSING'
  | 'ERR_REAUTHORIZATION_REQUIRED'
  | 'ERR_RENEWAL_NOT_KEPT'
  | 'ERR_REQUEST_INVALID'
  | 'ERR_RESPONSE_USED'
  | 'ERR_REST_RESOURCE'
  | 'ERR_REST_RESOURCE_UNMOUNTED'
  | 'ERR_RUN_TAKEN_OVER'
  | 'ERR_SAFE_COMPARE'
  | 'ERR_SERVER_ONLY'
  | 'ERR_SESSION_ENCRYPTION'
  | 'ERR_SESSION_EXPIRED'
  | 'ERR_SESSION_INVALID'
  | 'ERR_SESSION_NOT_FOUND'
  | 'ERR_SESSION_NOT_STORED'
  | 'ERR_SESSION_STORAGE'
  | 'ERR_SESSION_STORAGE_NOT_READY'
  | 'ERR_SESSION_TABLE_MISSING'
  | 'ERR_SESSION_TOKEN_INVALID'
  | 'ERR_SESSION_TOKEN_MISSING'
  | 'ERR_SHOP_INVALID'
  | 'ERR_SHUTTING_DOWN'
  | 'ERR_TOKEN_REPLY_INVALID'
  | 'ERR_USAGE'
  | 'ERR_USER_ERRORS'
  | 'ERR_WEBHOOK_DELIVERY_METHOD'
  | 'ERR_WEBHOOK_HANDLERS_FAILED'
  | 'ERR_WEBHOOK_HANDLER_INVALID'
  | 'ERR_WEBHOOK_HANDLER_TIMEOUT'
  | 'ERR_WEBHOOK_MESSAGE_INVALID'
  | 'ERR_WEBHOOK_PAYLOAD_INVALID'
  | 'ERR_WEBHOOK_PAYLOAD_MISMATCH'
  | 'ERR_WEBHOOK_QUEUE'
  | 'ERR_WEBHOOK_REFUSED';

/**
 * Base of every error the toolkit throws: a stable `code`, a message that says what failed and what
 * to do, never a secret.
 */
export abstract class PlatformError extends Error {
  /** Stable, machine-readable; safe to switch on. */
  abstract readonly code: ErrorCode;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A problem in the options an app was created with. */
export interface OptionProblem {
  /** Name of the option as the caller knows it, such as `apiKey` or `api.hostName`. */
  readonly option: string;
  readonly message: string;
}

/**
 * The options are incomplete or contradict each other; `problems` lists everything that is wrong,
 * not only the first thing.
 * @remedy Correct every option in `problems`.
 */
export class InvalidOptionsError extends PlatformError {
  readonly code = 'ERR_OPTIONS_INVALID';

  constructor(readonly problems: readonly OptionProblem[]) {
    super(
      `The app cannot be configured:\n${problems.map(({ option, message }) => `  - ${option}: ${message}`).join('\n')}`,
    );
  }
}

/**
 * The value is not the domain of a shop.
 * @remedy Refuse the request, or ask for the domain of the shop, such as `example.myshopify.com`.
 */
export class InvalidShopError extends PlatformError {
  readonly code = 'ERR_SHOP_INVALID';
}

/**
 * The value is not a `host` parameter as the admin sends it.
 * @remedy Refuse the request: the admin did not send it.
 */
export class InvalidHostError extends PlatformError {
  readonly code = 'ERR_HOST_INVALID';
}

/**
 * A signature is missing, malformed, outside its time window, or not made with a secret of this
 * app.
 * @remedy Compare the secret with that of the app, and pass the old one during a rotation. A proxy
 * must not change queries or bodies, and the clock has to be right.
 */
export class InvalidHmacError extends PlatformError {
  readonly code = 'ERR_HMAC_INVALID';

  constructor(
    message: string,
    readonly reason: 'hmac_invalid' | 'timestamp_stale' = 'hmac_invalid',
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Why a session token is not accepted. */
export type InvalidJwtReason =
  | 'malformed'
  | 'algorithm'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'audience'
  | 'claims'
  | 'shop_mismatch';

/**
 * A session token was rejected. The message names the reason, never the token.
 * @remedy See `reason`. `signature` and `audience`: the secret or the client id is that of another
 * app. `expired` and `not_yet_valid`: the machine's clock is wrong, or the request took long.
 */
export class InvalidJwtError extends PlatformError {
  readonly code = 'ERR_SESSION_TOKEN_INVALID';

  constructor(
    message: string,
    readonly reason: InvalidJwtReason,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * A request that needs a session token came without one.
 * @remedy Send requests with the `fetch` of App Bridge, or the token in `Authorization`.
 */
export class MissingJwtTokenError extends PlatformError {
  readonly code = 'ERR_SESSION_TOKEN_MISSING';
}

/**
 * Two values of different types, or two that are missing, were compared as secrets.
 * @remedy Pass two texts, two lists or two records.
 */
export class SafeCompareError extends PlatformError {
  readonly code = 'ERR_SAFE_COMPARE';
}

/**
 * A required argument is missing.
 * @remedy Pass the argument that the message names.
 */
export class MissingRequiredArgument extends PlatformError {
  readonly code = 'ERR_ARGUMENT_MISSING';
}

/**
 * The request body cannot be verified: it exists only in a parsed form, or could not be read.
 * @remedy Mount the toolkit's routes in front of body parsers, or hand the bytes on as
 * `req.rawBody`. With the reason `went_away` there is nothing to do.
 */
export class RawBodyUnavailableError extends PlatformError {
  readonly code = 'ERR_RAW_BODY_UNAVAILABLE';

  constructor(
    message: string,
    /**
     * Machine-readable: the app has to fix `already_read` and `answered`; with `went_away` the
     * client disconnected.
     */
    readonly reason: 'already_read' | 'answered' | 'went_away' = 'already_read',
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * The request body is longer than the configured limit.
 * @remedy Raise `webhooks.bodyLimit` if a genuine delivery is that long, or subscribe with
 * `includeFields`.
 */
export class BodyTooLargeError extends PlatformError {
  readonly code = 'ERR_BODY_TOO_LARGE';
}

/**
 * The request body did not arrive in time.
 * @remedy Nothing for one: the client was too slow. If webhooks get it, let the proxy in front of
 * the app receive bodies whole before it passes them on.
 */
export class BodyTimeoutError extends PlatformError {
  readonly code = 'ERR_BODY_TIMEOUT';
}

/**
 * The app is shutting down: the work was not started, or is no longer awaited.
 * @remedy Try again in another process, or after the restart.
 */
export class ShuttingDownError extends PlatformError {
  readonly code = 'ERR_SHUTTING_DOWN';
}

/**
 * Another process has begun the run over all shops of the same name, and goes on with it: this one
 * has ended its part.
 * @remedy Start a run in one process at a time. The other process goes on with it.
 */
export class RunTakenOverError extends PlatformError {
  readonly code = 'ERR_RUN_TAKEN_OVER';

  constructor(readonly runName: string) {
    super(
      `The run "${runName}" was taken over by another process, which goes on with it: start a run in one process at a time.`,
    );
  }
}

/**
 * The bytes of the request body were dropped, because all bodies together exceeded their memory
 * limit. The request can be sent again later.
 * @remedy Nothing for one: the platform delivers again. If it repeats, raise
 * `webhooks.bodyMemoryLimit`, or keep large bodies out with a proxy.
 */
export class BodyDroppedError extends PlatformError {
  readonly code = 'ERR_BODY_DROPPED';
}

/**
 * The Nest container of an app could not be built; `cause` says why.
 * @remedy Mend what `cause` names in the modules of the app. Each request fails until then.
 */
export class BootError extends PlatformError {
  readonly code = 'ERR_BOOT_FAILED';
}

/**
 * What was announced as deprecated with `logger.deprecated` is gone in this release.
 * @remedy Use what the message names in its place.
 */
export class FeatureDeprecatedError extends PlatformError {
  readonly code = 'ERR_FEATURE_DEPRECATED';
}
