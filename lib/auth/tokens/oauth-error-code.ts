import { HttpResponseError } from '../../core/http/http.errors.js';

/** The statuses of a token endpoint's error response. */
const ERROR_STATUSES: ReadonlySet<number> = new Set([400, 401]);

/**
 * The `error` code with which the token endpoint has refused a request (RFC 6749, 5.2), such as
 * `invalid_grant`; `undefined` for any other error.
 */
export function oauthErrorCode(error: unknown): string | undefined {
  const body =
    error instanceof HttpResponseError && ERROR_STATUSES.has(error.status ?? 0)
      ? error.response.body
      : undefined;
  return typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    typeof body.error === 'string'
    ? body.error
    : undefined;
}
