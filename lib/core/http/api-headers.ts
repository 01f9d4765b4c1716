import { HEADERS } from '../vendor.js';

/** Headers of a call; a list is sent as one header with the values separated by commas. */
export type HeaderOptions = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * What an API call carries, names in lower case. The caller may replace the content type and put its own agent in front of ours,
 * but not change what is accepted or the token.
 */
export function apiHeaders(own: HeaderOptions | undefined, accessToken: string, userAgent: string): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json', ...ownHeaders(own) };
  const callersAgent = headers['user-agent'];
  return {
    ...headers,
    accept: 'application/json',
    [HEADERS.accessToken]: accessToken,
    'user-agent': callersAgent ? `${callersAgent} | ${userAgent}` : userAgent,
  };
}

/** What the caller adds, names in lower case. */
export function ownHeaders(own: HeaderOptions | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(own ?? {})) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}
