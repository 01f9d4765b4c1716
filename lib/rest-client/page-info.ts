import { ADMIN_API_PATH } from '../core/vendor.js';
import type { SearchParams } from './search-params.js';

/** Arguments of {@link RestClient.get} for another page. */
export interface PageInfoParams {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The position of a reply among the pages of a list. */
export interface PageInfo {
  /** The requested page size. */
  readonly limit: string;
  readonly fields?: string[];
  readonly previousPageUrl?: string;
  readonly nextPageUrl?: string;
  readonly prevPage?: PageInfoParams;
  readonly nextPage?: PageInfoParams;
}

const LINK = /<([^<>]+)>;\s*rel="(next|previous)"/g;

/**
 * Reads the previous and the next page from the `Link` header; only the limit when there are none.
 */
export function pageInfoOf(
  headers: Headers,
  query: SearchParams | undefined,
  defaultLimit: string,
): PageInfo {
  const limit = String(query?.['limit'] ?? defaultLimit);
  const header = headers.get('link');
  if (!header) return { limit };
  const links = [...header.matchAll(LINK)].flatMap(([, url = '', rel]) =>
    URL.canParse(url) ? [{ rel, url: new URL(url) }] : [],
  );
  const fields = links
    .map(({ url }) => url.searchParams.get('fields'))
    .find((list) => list !== null);
  const pages = links.filter(({ url }) => url.searchParams.has('page_info'));
  const previous = pages.find(({ rel }) => rel === 'previous')?.url;
  const next = pages.find(({ rel }) => rel === 'next')?.url;
  return {
    limit,
    ...(fields && { fields: fields.split(',') }),
    ...(previous && { previousPageUrl: previous.href, prevPage: paramsOf(previous) }),
    ...(next && { nextPageUrl: next.href, nextPage: paramsOf(next) }),
  };
}

function paramsOf(url: URL): PageInfoParams {
  const path = url.pathname
    .replace(new RegExp(`^${ADMIN_API_PATH}/[^/]+/`), '')
    .replace(/\.json$/, '');
  return { path, query: Object.fromEntries(url.searchParams) };
}
