import { isApiVersion } from '../api-version.js';
import { InvalidRequestError } from './http.errors.js';

/**
 * Passes a version on that goes into a path.
 * @throws {InvalidRequestError} for what is no version
 */
export function checkedApiVersion(version: unknown): string {
  if (isApiVersion(version)) return version;
  throw new InvalidRequestError(`"${String(version)}" is no API version: pass one such as "2026-07".`);
}
