import { sanitizeShop } from '../shop-domain.js';
import { QUERY } from '../vendor.js';

/** An incoming request as every host presents it. */
export interface InboundRequest {
  /** Upper-case. */
  readonly method: string;
  /** On the app's own origin: the `Host` header is never believed. */
  readonly url: URL;
  /** The first value of a header, by any spelling of its name. */
  header(name: string): string | undefined;
  /**
   * The body as it was sent. May be called more than once.
   * @throws {BodyTooLargeError} beyond the configured limit
   * @throws {RawBodyUnavailableError} when only a parsed form is left
   */
  rawBody(): Promise<Buffer>;
}

/** The URL of a request on the app's origin, from the request target as it came over the wire. */
export function inboundUrl(target: string | undefined, origin: string): URL {
  const path = target?.startsWith('/') ? target : '/';
  // Concatenated, not resolved: `//elsewhere.example/` must stay a path.
  return new URL(origin + path);
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

/** True for a page that is loaded inside the admin. */
export function isFramed(request: InboundRequest): boolean {
  const destination = request.header('sec-fetch-dest');
  return (
    request.url.searchParams.get(QUERY.embedded) === '1' ||
    destination === 'iframe' ||
    destination === 'frame'
  );
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
