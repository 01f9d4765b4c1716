import type { PlatformConfig } from '../config/platform-config.js';
import type { Decision, HeaderList } from '../decision.js';
import { sanitizeShop } from '../shop-domain.js';
import { QUERY } from '../vendor.js';
import {
  CSP,
  frameAncestors,
  frameAncestorsOfHelper,
  policyOfPage,
} from './content-security-policy.js';
import { errorPage } from './own-pages.js';

/** An incoming request as every host presents it. */
export interface InboundRequest {
  /** Upper-case. */
  readonly method: string;
  /** On the app's own origin: the `Host` header is never believed. */
  readonly url: URL;
  /** That of `url`, which need not be parsed for it. */
  readonly path: string;
  /** The first value of a header, by any spelling of its name. */
  header(name: string): string | undefined;
  /**
   * The body as it was sent. May be called more than once.
   * @param isHandedOn whether others get the request afterwards, such as a body parser of the app:
   * then it has ended before they do
   * @throws {BodyTooLargeError} beyond the configured limit
   * @throws {RawBodyUnavailableError} when only a parsed form is left
   */
  rawBody(isHandedOn?: boolean): Promise<Buffer>;
}

/** The URL of a request on the app's origin, from the request target as it came over the wire. */
export function inboundUrl(target: string | undefined, origin: string): URL {
  const path = target?.startsWith('/') ? target : '/';
  // Concatenated, not resolved: `//elsewhere.example/` must stay a path.
  return new URL(origin + path);
}

/** A path that no URL parser would change. */
const PLAIN_PATH = /^\/(?:[\w-]+\/)*[\w-]*(?=\?|$)/;

/** The path of {@link inboundUrl}. */
export function inboundPath(target: string | undefined, origin: string): string {
  return PLAIN_PATH.exec(target ?? '/')?.[0] ?? inboundUrl(target, origin).pathname;
}

/**
 * The shop a request names: its canonical domain, `null` when it is malformed or named twice,
 * `undefined` when none is named.
 */
export function queryShop(request: InboundRequest): string | null | undefined {
  const [shop, ...others] = request.url.searchParams.getAll(QUERY.shop);
  if (!shop) return undefined;
  return others.length > 0 ? null : sanitizeShop(shop);
}

/** True for a page that is loaded inside the admin: by its address, or as the browser says. */
export function isFramed(request: InboundRequest): boolean {
  return request.url.searchParams.get(QUERY.embedded) === '1' || isInFrame(request);
}

/** True for a page that the browser loads into a frame. */
export function isInFrame(request: InboundRequest): boolean {
  const destination = request.header('sec-fetch-dest');
  return destination === 'iframe' || destination === 'frame';
}

/**
 * True for a page load (top level or in a frame), false for a `fetch`, an XHR or an API client.
 * What the browser itself says counts most.
 */
export function wantsDocument(request: InboundRequest): boolean {
  const destination = request.header('sec-fetch-dest');
  if (destination !== undefined)
    return destination === 'document' || destination === 'iframe' || destination === 'frame';
  // A bearer token only: a browser sends `Basic` along with every page of a site behind a password.
  if (
    /^bearer\b/i.test(request.header('authorization') ?? '') ||
    request.header('x-requested-with') !== undefined
  )
    return false;
  // A web `Request` made by hand says nothing about what it accepts; whatever goes over a wire
  // does.
  const accept = request.header('accept') ?? 'text/html';
  return (request.method === 'GET' || request.method === 'HEAD') && accept.includes('text/html');
}

/** A whole HTTP reply, ready for any host to send. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
  /** True when the body is a page of the toolkit, and neither a refusal nor what the app made. */
  readonly isOwnPage?: boolean | undefined;
}

/** The headers of a response that is being made, of any host. */
interface HeaderTarget {
  get(name: string): string | null | undefined;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
}

/**
 * Puts headers on a response that may have some already: cookies are added, a
 * `Content-Security-Policy` is merged, any other header is replaced. Names arrive in lower case.
 */
export function mergeHeaders(target: HeaderTarget, headers: HeaderList = []): void {
  for (const [spelling, value] of headers) {
    const name = spelling.toLowerCase();
    if (name === 'set-cookie') target.append(name, value);
    else if (name === CSP) target.set(name, policyOfPage(target.get(name), value));
    else target.set(name, value);
  }
}

/**
 * A decision as an HTTP reply: JSON with a reason for API requests, a small page for a browser.
 * Each page says who may frame it.
 * @param sessionShop of the session, once there is one @default the shop the request names
 */
export function replyTo(
  request: InboundRequest,
  decision: Decision,
  config: PlatformConfig,
  sessionShop?: string | null,
): Reply {
  const shopOf = (): string | null =>
    sessionShop === undefined ? (queryShop(request) ?? null) : sessionShop;
  const own = 'headers' in decision ? (decision.headers ?? []) : [];
  switch (decision.kind) {
    case 'accepted':
      return { status: decision.status ?? 200, headers: [], body: '' };
    case 'redirect':
      return {
        status: 302,
        headers: [
          ['location', locationOf(decision.location, config)],
          ['cache-control', 'no-store'],
          ...own,
        ],
        body: '',
      };
    case 'document': {
      const defaults: HeaderList = [HTML, [CSP, frameAncestors(config, shopOf())]];
      const missing = defaults.filter(([name]) => !own.some(([other]) => other === name));
      return {
        status: decision.status ?? 200,
        headers: [...missing, ['cache-control', 'no-store'], ...own],
        body: decision.html,
        isOwnPage: decision.isOfApp !== true,
      };
    }
    case 'denied': {
      const asPage = wantsDocument(request);
      const body = asPage
        ? errorPage(decision.status, decision.message)
        : JSON.stringify({
            ...decision.details,
            error: decision.reason,
            message: decision.message,
          });
      const type: HeaderList = asPage
        ? [HTML, [CSP, frameAncestorsOfHelper(config, shopOf())]]
        : [JSON_TYPE];
      return {
        status: decision.status,
        headers: [...type, ['cache-control', 'no-store'], ...own],
        body,
      };
    }
  }
}

const HTML = ['content-type', 'text/html; charset=utf-8'] as const;
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8'] as const;

/** As a whole below a base path, which a router would put in front of a path. */
function locationOf(target: string, config: PlatformConfig): string {
  const isPath = target.startsWith('/');
  return isPath && config.conventions.basePath !== '' ? config.appPath(target) : target;
}
