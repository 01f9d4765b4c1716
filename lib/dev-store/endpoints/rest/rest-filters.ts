import type { StoredNode } from '../../state/nodes/node-store.js';
import { globalId } from '../../base/vendor.js';
import { listOf } from './rest.endpoint.js';

/** What filters look at of a node. */
type Filtered = Pick<StoredNode, 'number' | 'type' | 'fields' | 'createdAt' | 'updatedAt'>;

/** The parameters of a list that are compared with a value of the same name. */
const EQUAL = 'code name title handle email vendor product_type path target src author kind'.split(
  ' ',
);

/** The financial statuses that a filter stands for. */
const FINANCIAL: Readonly<Record<string, readonly string[]>> = {
  unpaid: ['pending', 'authorized', 'partially_paid'],
};

/**
 * Whether a node fits the filters of a list or a count: ids, times, statuses and equal values.
 * @param view the node as the response has it
 */
export function matchesFilters(
  { searchParams }: URL,
  view: (node: StoredNode) => Record<string, unknown>,
): (node: StoredNode) => boolean {
  const ids = listOf(searchParams.get('ids')).map(Number);
  const param = (name: string): string | null => searchParams.get(name);
  const isWithin = withinTimes(searchParams);
  const product = param('product_id');
  const equal = EQUAL.flatMap((name) => {
    const value = param(name);
    return value === null || value === 'any' ? [] : [[name, value] as const];
  });
  const statuses = listOf(param('status'));
  const financial = param('financial_status');
  const fulfillment = param('fulfillment_status');
  const seen =
    isWithin !== undefined || equal.length > 0 || financial !== null || fulfillment !== null;
  return (node) => {
    if (ids.length > 0 && !ids.includes(node.number)) return false;
    if (!hasStatus(node, statuses)) return false;
    if (product !== null && node.type === 'Collection' && !hasProduct(node, product)) return false;
    if (!seen) return true;
    const values = view(node);
    return (
      isWithin?.(values) !== false &&
      equal.every(([name, value]) => String(values[name]) === value) &&
      isFinancial(values['financial_status'], financial) &&
      isFulfillment(values['fulfillment_status'], fulfillment)
    );
  };
}

/**
 * Whether the times of an object, as the response has it, are within those of a list's filters, and
 * whether it is published when they say so; undefined when they say nothing of it.
 */
export function withinTimes(
  params: URLSearchParams,
): ((values: Readonly<Record<string, unknown>>) => boolean) | undefined {
  const times = ['created_at', 'updated_at', 'processed_at', 'published_at'].flatMap((name) => {
    const [from, to] = [timeOf(params.get(`${name}_min`)), timeOf(params.get(`${name}_max`))];
    return from === undefined && to === undefined ? [] : [{ name, from, to }];
  });
  const status = params.get('published_status') ?? 'any';
  if (times.length === 0 && status === 'any') return undefined;
  return (values) =>
    (status === 'any' || (values['published_at'] != null) === (status === 'published')) &&
    times.every(({ name, from, to }) => {
      const at = timeOf(values[name]) ?? NaN;
      return (from === undefined || at >= from) && (to === undefined || at <= to);
    });
}

/** Whether a product is in a collection. @param id of the product */
export function hasProduct({ fields }: Pick<Filtered, 'fields'>, id: string): boolean {
  return [fields['products'] ?? []].flat().includes(globalId('Product', id));
}

/** Orders are listed while they are open, unless another status is asked for. */
function hasStatus({ type, fields }: Filtered, statuses: readonly string[]): boolean {
  if (statuses.includes('any')) return true;
  if (type === 'Order') {
    const status = fields['cancelledAt'] ? 'cancelled' : fields['closedAt'] ? 'closed' : 'open';
    return (statuses.length > 0 ? statuses : ['open']).includes(status);
  }
  if (statuses.length === 0) return true;
  const own = fields['status'] ?? (type === 'GiftCard' && fields['disabledAt'] ? 'disabled' : null);
  return statuses.includes(
    String(own ?? (type === 'DraftOrder' ? 'open' : 'enabled')).toLowerCase(),
  );
}

function isFinancial(value: unknown, wanted: string | null): boolean {
  if (wanted === null || wanted === 'any') return true;
  return (FINANCIAL[wanted] ?? listOf(wanted)).includes(String(value));
}

function isFulfillment(value: unknown, wanted: string | null): boolean {
  switch (wanted) {
    case null:
    case 'any':
      return true;
    case 'shipped':
      return value === 'fulfilled';
    case 'unshipped':
      return value === null;
    case 'unfulfilled':
      return value === null || value === 'partial';
    default:
      return value === wanted;
  }
}

function timeOf(value: unknown): number | undefined {
  const time = value == null ? NaN : Date.parse(String(value));
  return Number.isNaN(time) ? undefined : time;
}
