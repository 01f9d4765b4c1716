import type { AccessToken, ApiTarget } from '../api-session.js';
import { isApiVersion } from '../api-version.js';
import type { PlatformLogger } from '../logger.js';
import { ADMIN_API_PATH, HEADERS, STOREFRONT_API_PATH, STOREFRONT_HEADERS } from '../vendor.js';
import { VERSION } from '../version.js';
import { LONGEST_TIMER } from '../time/plain-clock.js';
import { InvalidRequestError, titleOf } from './http.errors.js';

const MOST_RETRIES = 3;

/** Headers of a call; a list is sent as one header with the values separated by commas. */
export type HeaderOptions = Readonly<
  Record<string, string | number | readonly string[] | undefined>
>;

/** Where the GraphQL calls of one shop go and what they carry. `console.log` shows no token. */
export interface GraphqlEndpoint {
  readonly shop: string;
  url(apiVersion: string): string;
  /** All headers of a call; those that prove who calls cannot be replaced. */
  headers(own?: HeaderOptions): Record<string, string>;
  /** The token that can be replaced when the platform refuses it. @default there is none */
  readonly token?: AccessToken | undefined;
}

/** The Admin GraphQL interface of a shop. */
export function adminEndpoint(
  { shop, origin, token }: ApiTarget,
  userAgent: string,
): GraphqlEndpoint {
  return {
    shop,
    url: (apiVersion) => `${origin}${ADMIN_API_PATH}/${apiVersion}/graphql.json`,
    headers: (own) => apiHeaders(own, token.current, userAgent),
    token,
  };
}

/** The shop that a Storefront client calls, and what it proves itself with. */
interface StorefrontTarget extends Pick<ApiTarget, 'shop' | 'origin'> {
  /** Asked for with each call, which ends with what it throws. */
  readonly accessToken: () => string;
  /** A private token stays on the server, a public one may be seen by buyers. */
  readonly tokenKind: 'private' | 'public';
  /** Named to the platform as the source of the calls. */
  readonly clientName?: string | undefined;
  /** Address of the buyer a server calls for. */
  readonly buyerIp?: string | undefined;
}

/** The Storefront interface of a shop. */
export function storefrontEndpoint({
  shop,
  origin,
  accessToken,
  tokenKind,
  clientName,
  buyerIp,
}: StorefrontTarget): GraphqlEndpoint {
  const defaults = {
    'content-type': 'application/json',
    [STOREFRONT_HEADERS.sdkVariant]: 'shopwright',
    [STOREFRONT_HEADERS.sdkVersion]: VERSION,
    ...(clientName && { [STOREFRONT_HEADERS.sdkVariantSource]: clientName }),
    ...(buyerIp && { [STOREFRONT_HEADERS.buyerIp]: buyerIp }),
  };
  const token =
    tokenKind === 'private' ? HEADERS.storefrontPrivateToken : HEADERS.storefrontPublicToken;
  return {
    shop,
    url: (apiVersion) => `${origin}${STOREFRONT_API_PATH}/${apiVersion}/graphql.json`,
    headers: (own) => ({
      ...defaults,
      ...ownHeaders(own),
      accept: 'application/json',
      [token]: accessToken(),
    }),
  };
}

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

/** The headers the caller adds, names in lower case. `null` adds none, as from untyped code. */
export function ownHeaders(own: HeaderOptions | null | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!own) return headers;
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && value !== null)
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}

/** The body of a GraphQL call. @throws {InvalidRequestError} as {@link jsonText} does */
export function graphqlBody(query: string, variables: unknown): string {
  return jsonText({ query, variables: variables ?? undefined }, 'variables', variables);
}

/**
 * What a call sends as JSON.
 * @param name of what the caller has given, for the error, which shows no value
 * @param given when it is not all that is sent
 * @throws {InvalidRequestError} for a BigInt, for what holds itself, is too long or nests too deep,
 * and for what cannot be read
 */
export function jsonText(value: unknown, name: string, given = value): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // The cause says what is wrong, such as a BigInt or a circle.
    throw new InvalidRequestError(
      `The call cannot be made: JSON has no form for ${unwritable(given, name)}; see "cause".`,
      { cause },
    );
  }
}

/** Names the first members that cannot be written; there may be as many as rows. */
function unwritable(given: unknown, name: string): string {
  const held = Object(given) as Readonly<Record<string, unknown>>;
  const names: string[] = [];
  for (const member of Object.keys(held)) {
    try {
      JSON.stringify(held[member]);
    } catch {
      if (names.length === 3) return `${names.join(', ')} and others`;
      names.push(`${name}.${member}`);
    }
  }
  return names.join(', ') || name;
}

/** The words of header names that are not spelled as words are. */
const ABBREVIATIONS = /\b(?:Sdk|Ip)\b/g;

/**
 * Headers whose names are in lower case, for code that reads them by name: spelled as in `given`,
 * the others as the platform's documentation spells them.
 */
export function spelledHeaders(
  headers: Readonly<Record<string, string>>,
  given: object = {},
): Record<string, string> {
  const spelling = new Map(Object.keys(given).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      spelling.get(name) ?? titleOf(name).replace(ABBREVIATIONS, (word) => word.toUpperCase()),
      value,
    ]),
  );
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
 * `null` and an empty text name none.
 * @throws {InvalidRequestError} for anything that is not a version
 */
export function versionFor(
  client: string,
  own: string | null | undefined,
  appVersion: string,
  logger: PlatformLogger,
): string {
  if (!own) return appVersion;
  const version = checkedApiVersion(own);
  logger.debug(`${client} client overriding default API version ${appVersion} with ${version}`);
  return version;
}

/** How often a call may be sent. Untyped code says `null` for nothing. */
interface Attempts {
  /** After the first. */
  readonly retries?: number | null | undefined;
  /** In all. */
  readonly tries?: number | null | undefined;
}

/**
 * The retries a call asks for, be it as such or as attempts in all; `undefined` when it says
 * neither.
 * @throws {InvalidRequestError} when it says both, or a number that is out of range
 */
export function retriesIn({ retries, tries }: Attempts): number | undefined {
  const isNamed = retries !== undefined && retries !== null;
  if (tries === undefined || tries === null) return isNamed ? checkedRetries(retries) : undefined;
  if (isNamed)
    throw new InvalidRequestError(
      '"retries" and "tries" say the same in two ways: pass one of them.',
    );
  return checkedCount('tries', tries, 1) - 1;
}

/**
 * Passes a number of retries on, 0 to 3.
 * @throws {InvalidRequestError} for anything else
 */
export function checkedRetries(retries: unknown): number {
  return checkedCount('retries', retries, 0);
}

function checkedCount(name: string, count: unknown, least: number): number {
  const most = least + MOST_RETRIES;
  if (Number.isInteger(count) && Number(count) >= least && Number(count) <= most)
    return Number(count);
  throw new InvalidRequestError(
    `The "${name}" value (${String(count)}) is invalid: it must be a whole number from ${least} to ${most}.`,
  );
}

/**
 * Passes an allowance of time on, in milliseconds; `Infinity` is none.
 * @throws {InvalidRequestError} for what is no time, not positive, or longer than 24 days
 */
export function checkedLimit(name: string, ms: number | undefined): number | undefined {
  if (ms === undefined || ms === Infinity) return undefined;
  if (typeof ms === 'number' && ms > 0 && ms <= LONGEST_TIMER) return ms;
  throw new InvalidRequestError(
    `The "${name}" value (${String(ms)}) is invalid: it must be a positive number of milliseconds, or Infinity.`,
  );
}
