import { isApiVersion } from '../api-version.js';
import type { PlatformLogger } from '../logger.js';
import { HEADERS } from '../vendor.js';
import { VERSION } from '../version.js';
import { InvalidRequestError } from './http.errors.js';

/** Headers of a call; a list is sent as one header with the values separated by commas. */
export type HeaderOptions = Readonly<
  Record<string, string | number | readonly string[] | undefined>
>;

/**
 * The headers of an API request, names in lower case. The caller may replace the content type and
 * put its own agent in front of ours, but not change what is accepted or the token.
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

/** The headers the caller adds, names in lower case. */
export function ownHeaders(own: HeaderOptions | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (own === undefined) return headers;
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined)
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}

/**
 * The toolkit's `User-Agent` toward the platform:
 * `[<prefix> | ]shopwright/<version>[ | Node <version>]`.
 */
export function userAgent({
  userAgentPrefix,
}: {
  readonly userAgentPrefix?: string | undefined;
}): string {
  // Browsers have no `process`.
  const node = globalThis.process?.version;
  return [userAgentPrefix, `shopwright/${VERSION}`, node && `Node ${node}`]
    .filter(Boolean)
    .join(' | ');
}

/**
 * Checks a version before it goes into a path.
 * @throws {InvalidRequestError} for anything that is not a version
 */
export function checkedApiVersion(version: unknown): string {
  if (isApiVersion(version)) return version;
  throw new InvalidRequestError(
    `"${String(version)}" is no API version: pass one such as "2026-07".`,
  );
}

/**
 * The version of a session's client: its own if it names one, which is logged, else the app's.
 * @throws {InvalidRequestError} for anything that is not a version
 */
export function versionFor(
  client: string,
  own: string | undefined,
  appVersion: string,
  logger: PlatformLogger,
): string {
  if (own === undefined) return appVersion;
  const version = checkedApiVersion(own);
  logger.debug(`${client} client overriding default API version ${appVersion} with ${version}`);
  return version;
}
