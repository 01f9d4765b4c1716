import { isAccessToken } from '../api-session.js';
import { systemClock } from '../time/clock.js';
import { createPacer, nameByToken } from '../pacing/pacer.factory.js';
import { isPacingOption } from '../pacing/pacing-option.js';
import type { PacingOption } from '../pacing/pacing-option.js';
import { sanitizeShop, withoutTrailingSlashes } from '../shop-domain.js';
import { SHOP_DOMAINS } from '../vendor.js';
import { ApiCaller } from './api-caller.js';
import { checkedRetries } from './call-limits.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';
import { HttpTransport } from './http-transport.js';

/**
 * What `fetch` takes, as both browsers and Node declare it: some names of its parts belong to
 * browsers alone.
 */
type FetchOption<Name extends keyof RequestInit> = NonNullable<RequestInit[Name]>;

/** The part of `fetch` that a client uses. */
export type CustomFetchApi = (
  url: string,
  init?: {
    method?: string;
    headers?: FetchOption<'headers'>;
    body?: string;
    signal?: AbortSignal;
    redirect?: FetchOption<'redirect'>;
  },
) => Promise<Response>;

/** The same as the `fetch` the transport calls. */
function asFetch(custom: CustomFetchApi): typeof globalThis.fetch {
  return async (url, { method, headers, body, signal, redirect } = {}) =>
    custom(String(url), {
      ...(method && { method }),
      ...(headers && { headers }),
      ...(typeof body === 'string' && { body }),
      ...(signal && { signal }),
      ...(redirect && { redirect }),
    });
}

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

interface StoreOptions {
  readonly storeDomain: string;
  readonly scheme?: 'https' | 'http' | undefined;
  readonly customFetchApi?: unknown;
}

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;

/**
 * Where a standalone client sends the access token: to a store, or over plain HTTP to this machine.
 * @throws {InvalidClientOptionsError} for everything else
 */
export function storeOrigin(
  client: ClientName,
  { storeDomain, scheme = 'https', customFetchApi }: StoreOptions,
): string {
  if (scheme !== 'https' && scheme !== 'http') {
    throw new InvalidClientOptionsError(
      client,
      `the scheme ("${String(scheme)}") is invalid: it must be "https" or "http".`,
    );
  }
  const host = hostIn(storeDomain);
  const shop = sanitizeShop(host);
  if (shop === null) {
    if (LOCAL.test(host) && scheme === 'http') return `http://${host}`;
    const hint = LOCAL.test(host)
      ? 'a store on this machine needs scheme "http"'
      : `expected a domain such as "my-shop.${SHOP_DOMAINS[0]}"`;
    throw new InvalidClientOptionsError(
      client,
      `a valid store domain must be provided ("${String(storeDomain)}" is none): ${hint}.`,
    );
  }
  if (scheme === 'http' && !customFetchApi) {
    throw new InvalidClientOptionsError(
      client,
      `scheme "http" would send the access token to ${shop} in clear text. Use "https", or pass a customFetchApi.`,
    );
  }
  return `${scheme}://${shop}`;
}

function hostIn(storeDomain: unknown): string {
  if (typeof storeDomain !== 'string') return '';
  const address = storeDomain.trim().toLowerCase();
  return address.includes('/')
    ? withoutTrailingSlashes(address.replace(/^https?:\/\//, ''))
    : address;
}
