import type { StoredNode } from '../../state/nodes/node-store.js';
import { listOf } from './rest.endpoint.js';

/** What filters look at of a node. */
type Filtered = Pick<StoredNode, 'number' | 'type' | 'fields' | 'createdAt' | 'updatedAt'>;

/** The parameters of a list that are compared with a value of the same name. */
const EQUAL =
  'code name title handle email vendor product_type path target src author published_status kind'.split(
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
  const times = ['created_at', 'updated_at', 'processed_at'].flatMap((name) => {
    const [from, to] = [timeOf(param(`${name}_min`)), timeOf(param(`${name}_max`))];
    return from === undefined && to === undefined ? [] : [{ name, from, to }];
  });
  const equal = EQUAL.flatMap((name) => {
    const value = param(name);
    return value === null || value === 'any' ? [] : [[name, value] as const];
  });
  const statuses = listOf(param('status'));
  const financial = param('financial_status');
  const fulfillment = param('fulfillment_status');
  const seen = times.length + equal.length > 0 || financial !== null || fulfillment !== null;
  return (node) => {
    if (ids.length > 0 && !ids.includes(node.number)) return false;
    if (!hasStatus(node, statuses)) return false;
    if (!seen) return true;
    const values = view(node);
    return (
      times.every(({ name, from, to }) => {
        const at = timeOf(values[name]) ?? NaN;
        return (from === undefined || at >= from) && (to === undefined || at <= to);
      }) &&
      equal.every(([name, value]) => String(values[name]) === value) &&
      isFinancial(values['financial_status'], financial) &&
      isFulfillment(values['fulfillment_status'], fulfillment)
    );
  };
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
