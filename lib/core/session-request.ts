/** The request that a session was loaded for. */
export interface SessionRequest {
  /** The app that has granted it, as an identity. */
  readonly app?: object | undefined;
  /** Exchanged for a new access token when the platform rejects the current one. @default none */
  readonly sessionToken?: string | undefined;
  /**
   * Makes what a call throws when its token was rejected for good. @default `undefined`: an
   * `AuthenticationError`, from which {@link refusedRequestOf} tells the request
   */
  readonly whenRefused?: (() => unknown) | undefined;
}

/**
 * Not enumerable: a session token must never be stored, copied or printed. A `WeakMap` would make
 * the garbage of every request expensive to collect.
 */
const REQUEST = Symbol('request');

interface Attached {
  readonly [REQUEST]?: SessionRequest;
}

/** Has every client that is made with the session from now on work for a request. */
export function attachRequest(session: object, request: SessionRequest): void {
  const before = requestOf(session);
  if (before) Object.assign(before, request);
  else Object.defineProperty(session, REQUEST, { value: request });
}

/** The request that a session works for. */
export function requestOf(session: object): SessionRequest | undefined {
  return (session as Attached)[REQUEST];
}

/** The errors of calls whose token was rejected for good. */
const REFUSED = new WeakMap<object, SessionRequest>();

/** Notes that an error means the end of the token of a request. */
export function markRefused(error: object, request: SessionRequest): void {
  REFUSED.set(error, request);
}

/**
 * The request whose own token the platform has rejected for good; `undefined` for every other
 * error, such as that of another token of the same shop.
 */
export function refusedRequestOf(error: unknown): SessionRequest | undefined {
  return REFUSED.get(Object(error) as object);
}
