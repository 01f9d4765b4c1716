import { ACCESS_TOKEN_RULE, isAccessToken } from '../api-session.js';
import { plainClock } from '../time/plain-clock.js';
import type { Pacer } from '../pacing/pacer.js';
import { shopIn, withoutTrailingSlashes } from '../shop-domain.js';
import { SHOP_DOMAINS } from '../vendor.js';
import { ApiCaller } from './api-caller.js';
import { checkedRetries } from './api-request.js';
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
    headers?: Record<string, string>;
    body?: string;
    signal?: AbortSignal;
    redirect?: FetchOption<'redirect'>;
    keepalive?: boolean;
  },
) => Promise<FetchedReply>;

/** The part of a `Response` that every `fetch` gives, whatever it makes of the body. */
export interface FetchedReply extends Pick<
  Response,
  'ok' | 'status' | 'statusText' | 'bodyUsed' | 'text'
> {
  readonly headers: {
    get(name: string): string | null;
    [Symbol.iterator](): Iterator<[string, string]>;
  };
  /** A web stream, a stream of Node's, or none. */
  readonly body?: unknown;
}

/**
 * Waited between the attempts of a standalone client when the platform names no time, in
 * milliseconds.
 */
export const STANDALONE_RETRY_WAIT = 1000;

/** What the clients that stand alone have in common. */
interface StandaloneCallerOptions {
  readonly customFetchApi?: CustomFetchApi | undefined;
  readonly pacer: Pacer;
  /** Attempts after the first. */
  readonly retries: number;
}

/**
 * The caller of a client that stands alone, without a timeout.
 * @throws {InvalidRequestError} when the retries are out of range
 */
export function standaloneCaller({
  customFetchApi,
  pacer,
  retries,
}: StandaloneCallerOptions): ApiCaller {
  // It is called with nothing but what its type names.
  const fetch = customFetchApi as unknown as typeof globalThis.fetch | undefined;
  const transport = new HttpTransport({ fetch, clock: plainClock });
  return new ApiCaller({
    transport,
    pacer,
    app: 'standalone',
    retries: checkedRetries(retries),
    isAsked: true,
  });
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
    `an access token must be provided: ${ACCESS_TOKEN_RULE}.`,
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
  const shop = shopIn(host);
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
