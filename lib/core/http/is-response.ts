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

/**
 * What the app has thrown; a {@link ResponseUsedError} in the place of a `Response` that can no
 * longer be sent.
 * @param source of what was thrown, such as `hooks.afterAuth`
 */
export function unlessUsed(thrown: unknown, source: string): unknown {
  return isResponse(thrown) && isUsed(thrown) ? new ResponseUsedError(source) : thrown;
}
