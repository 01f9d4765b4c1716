import { ResponseUsedError } from './response.errors.js';

/**
 * True for a web `Response`, of whatever class: a runtime may have several, when `Response` was
 * replaced after one was kept, or a module runs in a realm of its own.
 */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, clone } = value as Partial<Response>;
  return (
    Object.prototype.toString.call(value) === '[object Response]' &&
    typeof status === 'number' &&
    typeof headers?.get === 'function' &&
    typeof clone === 'function'
  );
}

/** True when the body of a response is being read, or was: it can be neither sent nor copied. */
export function isUsed({ bodyUsed, body }: Response): boolean {
  return bodyUsed || body?.locked === true;
}

/** Responses without a body, as they were when they were thrown for the first time. */
const firstThrown = new WeakMap<Response, Response>();

/**
 * What a handler of the app has thrown; a {@link ResponseUsedError} in the place of a `Response`
 * that can no longer be sent. Routers and the middleware of the app write on a redirect that they
 * get, such as a cookie of one visitor: one that is thrown again is a copy of what it was at first.
 * @param source of what was thrown, such as `hooks.afterAuth`
 */
export function thrownBy(source: string, thrown: unknown): unknown {
  if (!isResponse(thrown)) return thrown;
  if (isUsed(thrown)) return new ResponseUsedError(source);
  // One with a body is copied whenever it is sent.
  if (thrown.body !== null) return thrown;
  const first = firstThrown.get(thrown);
  if (first) return first.clone();
  firstThrown.set(thrown, thrown.clone());
  return thrown;
}
