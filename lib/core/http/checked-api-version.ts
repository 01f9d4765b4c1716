import { isApiVersion } from '../api-version.js';
import type { PlatformLogger } from '../logger.js';
import { InvalidRequestError } from './http.errors.js';

/**
 * Passes a version on that goes into a path.
 * @throws {InvalidRequestError} for what is no version
 */
export function checkedApiVersion(version: unknown): string {
  if (isApiVersion(version)) return version;
  throw new InvalidRequestError(
    `"${String(version)}" is no API version: pass one such as "2026-07".`,
  );
}

/**
 * The version of a session's client: its own if it names one, which is logged, else the app's.
 * @throws {InvalidRequestError} for what is no version
 */
export function versionFor(
  client: string,
  own: string | undefined,
  appVersion: string,
  logger: PlatformLogger,
): string {
  const version = checkedApiVersion(own ?? appVersion);
  if (own !== undefined)
    logger.debug(`${client} client overriding default API version ${appVersion} with ${version}`);
  return version;
}
