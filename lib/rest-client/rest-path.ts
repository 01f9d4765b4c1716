import { InvalidRequestError } from '../core/http/http.errors.js';
import { ADMIN_API_PATH } from '../core/vendor.js';
import { searchString } from './search-params.js';
import type { SearchParams } from './search-params.js';

/**
 * `products/1`, or its segments (`['products', id]`), each of which is encoded. A text may also be
 * an absolute URL of the same store.
 */
export type RestPath = string | readonly (string | number | bigint)[];

/** What a call is addressed to, below the origin of the shop. */
export interface RestAddress {
  readonly path: RestPath;
  readonly apiVersion: string;
  readonly searchParams?: SearchParams | undefined;
}

// Characters that a URL parser drops, or takes for the end of the path.
const MISLEADING = /[\0- #\\]/g;
const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** The path as a text without its query: the name of a call in messages. */
export function pathText(path: RestPath): string {
  const text = typeof path === 'string' ? path : segmentsOf(path);
  const mark = text.indexOf('?');
  return mark < 0 ? text : text.slice(0, mark);
}

/**
 * The URL of a call. It is always below `origin`.
 * @param formatPaths complete `products` to `/admin/api/<version>/products.json`
 * @throws {InvalidRequestError} for an absolute URL of another origin, and for a path that climbs
 * (`..`)
 */
export function restUrl(
  origin: string,
  { path, apiVersion, searchParams }: RestAddress,
  formatPaths: boolean,
): string {
  const given = typeof path === 'string' ? withoutOrigin(path, origin) : segmentsOf(path);
  const mark = given.indexOf('?');
  const pathname = encoded(mark < 0 ? given : given.slice(0, mark));
  if (DOT_SEGMENT.test(pathname))
    throw new InvalidRequestError(
      `The path "${pathname}" is invalid: it must not contain "." or ".." segments.`,
    );
  const search = searchString(searchParams);
  const own = mark < 0 ? '' : encoded(given.slice(mark + 1));
  const query = own && search ? `${own}&${search}` : own || search;
  return `${origin}/${formatPaths ? formatted(pathname, apiVersion) : pathname.replace(/^\//, '')}${query && `?${query}`}`;
}

/** @throws {InvalidRequestError} for anything but segments, as `undefined` or `NaN` for an id */
function segmentsOf(segments: readonly (string | number | bigint)[]): string {
  if (!Array.isArray(segments) || !segments.every(isSegment))
    throw new InvalidRequestError(
      "A path is a text, as { path: 'products/1' }, or texts and numbers, as { path: ['products', id] }; this one has other parts, or is missing.",
    );
  return segments
    .map((segment) => encodeURIComponent(String(segment).replace(/\p{Surrogate}/gu, '\ufffd')))
    .join('/');
}

function isSegment(segment: unknown): boolean {
  return ['string', 'bigint'].includes(typeof segment) || Number.isFinite(segment);
}

function withoutOrigin(path: string, origin: string): string {
  if (!/^https?:\/\//i.test(path)) return path;
  const url = URL.canParse(path) ? new URL(path) : undefined;
  if (url?.origin === origin && !url.username && !url.password) return url.pathname + url.search;
  throw new InvalidRequestError(
    `An absolute URL must begin with ${origin}: the access token is sent nowhere else.`,
  );
}

function encoded(text: string): string {
  return text.replace(MISLEADING, encodeURIComponent);
}

function formatted(pathname: string, apiVersion: string): string {
  const bare = pathname.replace(/^\/+/, '');
  const full = /^admin(?:\/|$)/.test(bare)
    ? bare
    : `${ADMIN_API_PATH.slice(1)}/${apiVersion}/${bare}`;
  return full.endsWith('.json') ? full : `${full}.json`;
}
