import { VERSION } from '../version.js';

/**
 * What the toolkit calls itself toward the platform:
 * `[<prefix> | ]shopwright/<version> | Node <version>`.
 */
export function userAgent({
  userAgentPrefix,
}: {
  readonly userAgentPrefix?: string | undefined;
}): string {
  const own = `shopwright/${VERSION} | Node ${process.version}`;
  return userAgentPrefix ? `${userAgentPrefix} | ${own}` : own;
}
