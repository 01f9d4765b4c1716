/**
 * Base of every error the toolkit throws: a stable `code`, a message that says what failed and what
 * to do, never a secret.
 */
export abstract class PlatformError extends Error {
  /** Stable, machine-readable; safe to switch on. */
  abstract readonly code: string;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** One thing that is wrong with the options an app was created with. */
export interface OptionProblem {
  /** Name of the option as the caller knows it, such as `apiKey` or `api.hostName`. */
  readonly option: string;
  readonly message: string;
}

/**
 * The options are incomplete or contradict each other; `problems` lists everything that is wrong,
 * not only the first thing.
 */
export class InvalidOptionsError extends PlatformError {
  readonly code = 'ERR_OPTIONS_INVALID';

  constructor(readonly problems: readonly OptionProblem[]) {
    super(
      `The app cannot be configured:\n${problems.map(({ option, message }) => `  - ${option}: ${message}`).join('\n')}`,
    );
  }
}

/** The value is not the domain of a shop. */
export class InvalidShopError extends PlatformError {
  readonly code = 'ERR_SHOP_INVALID';
}

/** The value is not a `host` parameter as the admin sends it. */
export class InvalidHostError extends PlatformError {
  readonly code = 'ERR_HOST_INVALID';
}

/**
 * A signature is missing, malformed, outside its time window, or made with no secret of this app.
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

/** A session token was refused. The message names the reason, never the token. */
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

/** No session token came with a request that needs one. */
export class MissingJwtTokenError extends PlatformError {
  readonly code = 'ERR_SESSION_TOKEN_MISSING';
}

/** Two values of different types were compared as secrets. */
export class SafeCompareError extends PlatformError {
  readonly code = 'ERR_SAFE_COMPARE';
}

/** A call lacks an argument it cannot do without. */
export class MissingRequiredArgument extends PlatformError {
  readonly code = 'ERR_ARGUMENT_MISSING';
}

/** The request body cannot be verified: it exists only in a parsed form, or could not be read. */
export class RawBodyUnavailableError extends PlatformError {
  readonly code = 'ERR_RAW_BODY_UNAVAILABLE';

  constructor(
    message: string,
    /**
     * Machine-readable: `already_read` and `answered` are for the app to mend, `went_away` is the
     * client's doing.
     */
    readonly reason: 'already_read' | 'answered' | 'went_away' = 'already_read',
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The request body is longer than the configured limit. */
export class BodyTooLargeError extends PlatformError {
  readonly code = 'ERR_BODY_TOO_LARGE';
}

/** The request body did not arrive in time. */
export class BodyTimeoutError extends PlatformError {
  readonly code = 'ERR_BODY_TIMEOUT';
}

/** The app is shutting down: the work was not begun, or is no longer waited for. */
export class ShuttingDownError extends PlatformError {
  readonly code = 'ERR_SHUTTING_DOWN';
}

/**
 * The bytes of the request body were dropped, so that all bodies together stay within their limit
 * of memory. To be sent again later.
 */
export class BodyDroppedError extends PlatformError {
  readonly code = 'ERR_BODY_DROPPED';
}

/** The container behind a facade could not be built; `cause` says why. */
export class BootError extends PlatformError {
  readonly code = 'ERR_BOOT_FAILED';
}
