import {
  jsonReply,
  StoreReplyError,
  type StoreReply,
  type StoreRequest,
} from '../../http/store-request.js';
import { limitOf, selectFields } from './rest.endpoint.js';

/** What a list is a page of. */
interface RestList<T> {
  /** The key of the list in the response. */
  readonly key: string;
  /** Every object, in the order of the list. */
  readonly all: readonly T[];
  /** Whether an object fits the filters in an address. */
  readonly filter: (filters: URL) => (item: T) => boolean;
  /** An object as the response has it. */
  readonly view: (item: T) => Record<string, unknown>;
  /** The origin of the shop. */
  readonly origin: string;
}

/** The parameters that are about the page and not about what is in it. */
const OF_PAGES: ReadonlySet<string> = new Set([
  'limit',
  'fields',
  'page_info',
  'since_id',
  'order',
]);

/**
 * One page of a list; the `Link` header leads to its neighbours, whose addresses keep the filters
 * in `page_info`.
 * @see https://shopify.dev/docs/api/usage/pagination-rest
 */
export function pageReply<T extends { readonly id: number }>(
  { url }: StoreRequest,
  { key, all, filter, view, origin }: RestList<T>,
): StoreReply {
  const limit = limitOf(url);
  const position = pagePosition(url);
  const filters = position?.filters ?? url;
  const sinceId = sinceIdOf(url);
  const found = all.filter(filter(filters)).filter((item) => item.id > sinceId);
  const start = position
    ? startOf(
        found.map(({ id }) => id),
        position,
        limit,
      )
    : 0;
  const page = found.slice(start, start + limit);
  const base = new URL(url.pathname, origin);
  base.searchParams.set('limit', String(limit));
  const fields = url.searchParams.get('fields');
  if (fields) base.searchParams.set('fields', fields);
  const links = [
    start > 0 && page[0] ? pageLink(base, filters, 'before', page[0].id) : undefined,
    start + limit < found.length
      ? pageLink(base, filters, 'after', (page.at(-1) as T).id)
      : undefined,
  ].filter((link) => link !== undefined);
  const list = page.map((item) => selectFields(view(item), url));
  return jsonReply(200, { [key]: list }, links.length > 0 ? { Link: links.join(', ') } : {});
}

/** Where a page begins; an object that was deleted since keeps its place among the ids. */
function startOf(ids: readonly number[], { side, id }: PagePosition, limit: number): number {
  const isDescending = (ids[0] ?? 0) > (ids.at(-1) ?? 0);
  const isBehind = (other: number): boolean => (isDescending ? other < id : other > id);
  const at = ids.findIndex((other) => isBehind(other) || (side === 'before' && other === id));
  const end = at < 0 ? ids.length : at;
  return side === 'after' ? end : Math.max(0, end - limit);
}

function sinceIdOf({ searchParams }: URL): number {
  const text = searchParams.get('since_id') ?? '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw refusal('since_id', 'expected Integer to be a positive number');
}

/** The content of `page_info`: the position of a page, and the filters of the first request. */
interface PagePosition {
  readonly side: 'after' | 'before';
  readonly id: number;
  readonly filters: URL;
}

function pagePosition(url: URL): PagePosition | undefined {
  const text = url.searchParams.get('page_info');
  if (text === null) return undefined;
  const [side, id, search] = Buffer.from(text, 'base64url').toString().split(' ');
  if ((side === 'after' || side === 'before') && id && /^\d{1,15}$/.test(id))
    return { side, id: Number(id), filters: new URL(`?${search ?? ''}`, url.origin) };
  throw refusal('page_info', 'Invalid value.');
}

function pageLink(base: URL, filters: URL, side: 'after' | 'before', id: number): string {
  const kept = new URLSearchParams(
    [...filters.searchParams].filter(([name]) => !OF_PAGES.has(name)),
  );
  const target = new URL(base);
  target.searchParams.set('page_info', Buffer.from(`${side} ${id} ${kept}`).toString('base64url'));
  return `<${target.href}>; rel="${side === 'after' ? 'next' : 'previous'}"`;
}

function refusal(field: string, message: string): StoreReplyError {
  return new StoreReplyError(jsonReply(400, { errors: { [field]: message } }));
}
