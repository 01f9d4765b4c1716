import type { ApiTarget } from '../api-session.js';
import { HEADERS } from '../vendor.js';

/** Headers of a call; a list is sent as one header with the values separated by commas. */
export type HeaderOptions = Readonly<
  Record<string, string | number | readonly string[] | undefined>
>;

/**
 * What an API call carries, names in lower case. The caller may replace the content type and put
 * its own agent in front of ours, but not change what is accepted or the token.
 */
export function apiHeaders(
  own: HeaderOptions | undefined,
  accessToken: string,
  userAgent: string,
): Record<string, string> {
  const headers = ownHeaders(own);
  const callersAgent = headers['user-agent'];
  headers['content-type'] ??= 'application/json';
  headers['accept'] = 'application/json';
  headers[HEADERS.accessToken] = accessToken;
  headers['user-agent'] = callersAgent ? `${callersAgent} | ${userAgent}` : userAgent;
  return headers;
}

/**
 * The headers of a call whose token was refused, with another token; `undefined` when there is
 * none.
 */
export async function renewedHeaders(
  target: ApiTarget,
  sent: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const refused = sent[HEADERS.accessToken] ?? '';
  return (await target.renew?.(refused))
    ? { ...sent, [HEADERS.accessToken]: target.accessToken }
    : undefined;
}

/** What the caller adds, names in lower case. */
export function ownHeaders(own: HeaderOptions | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (own === undefined) return headers;
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined)
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}
