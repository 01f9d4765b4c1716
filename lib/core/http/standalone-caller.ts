import { isAccessToken } from '../api-session.js';
import { systemClock } from '../time/clock.js';
import { createPacer, isPacingOption, nameByToken } from '../pacing/pacing-option.js';
import type { PacingOption } from '../pacing/pacing-option.js';
import { ApiCaller } from './api-caller.js';
import { asFetch } from './custom-fetch.js';
import type { CustomFetchApi } from './custom-fetch.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';
import { HttpTransport } from './http-transport.js';
import { checkedRetries } from './retry.js';

/**
 * Waited between the attempts of a standalone client when the platform names no time, in
 * milliseconds.
 */
export const STANDALONE_RETRY_WAIT = 1000;

/** What the clients that stand alone have in common. */
export interface StandaloneCallerOptions {
  readonly customFetchApi?: CustomFetchApi | undefined;
  /** @default nobody waits */
  readonly pacing?: PacingOption | undefined;
  /** Attempts after the first. */
  readonly retries: number;
  /** Names the app toward a pacer that is shared, as a hash. */
  readonly accessToken?: string | undefined;
}

/**
 * The caller of a client that stands alone: no timeout, and no pace unless one is asked for.
 * @throws {InvalidClientOptionsError} when the pacing is none
 * @throws {InvalidRequestError} when the retries are out of range
 */
export function standaloneCaller(
  client: ClientName,
  { customFetchApi, pacing = false, retries, accessToken = '' }: StandaloneCallerOptions,
): ApiCaller {
  if (!isPacingOption(pacing)) {
    throw new InvalidClientOptionsError(
      client,
      'the pacing is invalid: it must be "memory", { redis: a URL or a client, app?: a name } or false.',
    );
  }
  const transport = new HttpTransport({
    fetch: customFetchApi && asFetch(customFetchApi),
    clock: systemClock,
  });
  const pacer = createPacer(pacing, systemClock, undefined, () => nameByToken(accessToken));
  return new ApiCaller({ transport, pacer, app: 'standalone', retries: checkedRetries(retries) });
}

/** @throws {InvalidClientOptionsError} where everybody could read the access token */
export function refuseBrowser(client: ClientName, isTesting: boolean | undefined): void {
  if (typeof window === 'undefined' || isTesting) return;
  throw new InvalidClientOptionsError(
    client,
    'this client should not be used in the browser: it would show the access token to everyone.',
  );
}

/** @throws {InvalidClientOptionsError} for what cannot travel as an access token */
export function refuseNoToken(client: ClientName, accessToken: unknown): void {
  if (isAccessToken(accessToken)) return;
  throw new InvalidClientOptionsError(
    client,
    'an access token must be provided: printable characters without spaces.',
  );
}
