import type { GraphqlContext } from './graphql-execution.js';

/** The paging arguments of a connection. */
export interface ConnectionArgs {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
}

/** Paging arguments that contradict themselves or the platform's limits. */
class ConnectionArgsError extends Error {
  readonly extensions = { code: 'BAD_REQUEST' };
}

const MAX_PAGE_SIZE = 250;

/**
 * One page of a list as a GraphQL connection, or all of it; `toNode` turns an item into the object
 * that resolvers read.
 */
export function connection<T extends { id: number }>(
  items: readonly T[],
  args: ConnectionArgs,
  context: GraphqlContext,
  toNode: (item: T) => object,
): object {
  if (context.whole) return page(args.reverse ? [...items].reverse() : items, toNode, {});
  const size = pageSize(args);
  const ordered = args.reverse ? [...items].reverse() : items;
  const from = args.after ? boundary(ordered, args.after, 'after', args) : 0;
  const to = args.before ? boundary(ordered, args.before, 'before', args) : ordered.length;
  const range = ordered.slice(from, Math.max(from, to));
  const chosen =
    args.first != null ? range.slice(0, size) : range.slice(Math.max(0, range.length - size));
  const start = args.first != null ? from : from + range.length - chosen.length;
  return page(chosen, toNode, {
    hasPreviousPage: start > 0,
    hasNextPage: start + chosen.length < ordered.length,
  });
}

function page<T extends { id: number }>(
  items: readonly T[],
  toNode: (item: T) => object,
  {
    hasPreviousPage = false,
    hasNextPage = false,
  }: { hasPreviousPage?: boolean; hasNextPage?: boolean },
): object {
  const edges = items.map((item) => ({ cursor: cursorOf(item), node: toNode(item) }));
  return {
    edges,
    nodes: edges.map((edge) => edge.node),
    pageInfo: {
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
      hasPreviousPage,
      hasNextPage,
    },
  };
}

function pageSize({ first, last }: ConnectionArgs): number {
  if (first == null && last == null)
    throw new ConnectionArgsError('you must provide one of first or last');
  if (first != null && last != null)
    throw new ConnectionArgsError('providing both first and last is not supported');
  const size = first ?? last ?? 0;
  // A page of none is a page, too.
  if (size < 0)
    throw new ConnectionArgsError(`${first == null ? 'last' : 'first'} must be greater than 0`);
  if (size > MAX_PAGE_SIZE)
    throw new ConnectionArgsError(
      `${first == null ? 'last' : 'first'} cannot exceed ${MAX_PAGE_SIZE}`,
    );
  return size;
}

function cursorOf({ id }: { id: number }): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: String(id) })).toString('base64');
}

/**
 * The index a cursor cuts a list at. An item that was deleted since the cursor was issued keeps its
 * place among the ids.
 */
function boundary(
  items: ReadonlyArray<{ id: number }>,
  cursor: string,
  side: 'after' | 'before',
  { reverse }: ConnectionArgs,
): number {
  const id = idInside(cursor);
  const index = items.findIndex((item) => item.id === id);
  if (index < 0) return items.filter((item) => (reverse ? item.id > id : item.id < id)).length;
  return side === 'after' ? index + 1 : index;
}

/** What the items are sorted by is no more than a part of the platform's cursors here. */
function idInside(cursor: string): number {
  const text = Buffer.from(cursor, 'base64').toString();
  const id = /^\{"last_id":(\d{1,15})(?:,"last_value":[^{}]*)?\}$/.exec(text)?.[1];
  if (id === undefined) throw new ConnectionArgsError(`Invalid cursor: ${cursor}`);
  return Number(id);
}
