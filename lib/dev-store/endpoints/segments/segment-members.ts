import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { nodeValue } from '../nodes/node-search.js';
import { ordersSummary } from '../payloads/customer-payload.js';
import { parseSegmentQuery, type SegmentTest } from './segment-query.js';

/** Where the values of a customer come from. */
interface Source {
  readonly nodes: NodeStore;
  /** The orders of a customer, oldest first. */
  readonly ordersOf: (id: string) => readonly StoredNode[];
}

/** The values of a customer that the filters of segments are about. */
const VALUES: Readonly<Record<string, (node: StoredNode, source: Source) => unknown>> = {
  amount_spent: ({ id, fields }, { ordersOf }) =>
    fieldsIn(fields['amountSpent'])['amount'] ?? ordersSummary(ordersOf(id)).spent,
  customer_account_status: (node) => nodeValue(node, 'state'),
  customer_added_date: (node) => dateOf(node, 'createdAt'),
  customer_countries: (node, { nodes }) => addressValues(node, nodes, 'countryCode'),
  customer_cities: (node, { nodes }) => addressValues(node, nodes, 'city'),
  customer_email_domain: ({ fields }) =>
    typeof fields['email'] === 'string' ? fields['email'].split('@').at(-1) : null,
  customer_language: (node) => nodeValue(node, 'locale'),
  customer_tags: ({ fields }) => fields['tags'],
  email_subscription_status: ({ fields }) =>
    fieldsIn(fields['emailMarketingConsent'])['marketingState'] ??
    (fields['email'] ? 'NOT_SUBSCRIBED' : null),
  last_order_date: ({ id }, { ordersOf }) => dateOf(ordersOf(id).at(-1)),
  first_order_date: ({ id }, { ordersOf }) => dateOf(ordersOf(id)[0]),
  number_of_orders: ({ id, fields }, { ordersOf }) =>
    fields['numberOfOrders'] ?? ordersOf(id).length,
  sms_subscription_status: ({ fields }) =>
    fieldsIn(fields['smsMarketingConsent'])['marketingState'] ??
    (fields['phone'] ? 'NOT_SUBSCRIBED' : null),
};

/**
 * Finds the customers in segments: returns which of some customers a query finds. Filters that the
 * store has no values for find none.
 */
export function segmentFinder(
  nodes: NodeStore,
  now: Date,
): (query: string, customers: readonly StoredNode[]) => StoredNode[] {
  let orders: ReadonlyMap<string, readonly StoredNode[]> | undefined;
  const ordersOf = (id: string): readonly StoredNode[] =>
    (orders ??= ordersByName(nodes)).get(id) ?? [];
  return (query, customers) => {
    const { matches } = parseSegmentQuery(query);
    return customers.filter((node) =>
      matches(({ filter, ...test }) => {
        const valueOf = Object.hasOwn(VALUES, filter) ? VALUES[filter] : undefined;
        const value = valueOf?.(node, { nodes, ordersOf });
        const values = (Array.isArray(value) ? value : [value]).filter(
          (one) => one != null && one !== '',
        );
        return valueOf !== undefined && passes(test, values, now);
      }),
    );
  };
}

/** The orders by each id that one of their fields names, in the order of their creation. */
function ordersByName(nodes: NodeStore): ReadonlyMap<string, readonly StoredNode[]> {
  const found = new Map<string, StoredNode[]>();
  for (const order of nodes.all(['Order']))
    for (const name of new Set(Object.values(order.fields).flat()))
      if (typeof name === 'string') {
        const same = found.get(name);
        if (same) same.push(order);
        else found.set(name, [order]);
      }
  return found;
}

function passes(
  { operator, values }: Omit<SegmentTest, 'filter'>,
  own: readonly unknown[],
  now: Date,
): boolean {
  const given = values.map((value) => dateText(value, now));
  const [first = '', second = ''] = given;
  const any = (order: (compared: number) => boolean, to = first): boolean =>
    own.some((one) => order(compared(String(one), to)));
  switch (operator) {
    case 'IS NULL':
      return own.length === 0;
    case 'IS NOT NULL':
      return own.length > 0;
    case '=':
    case 'CONTAINS':
      return any((order) => order === 0);
    case '!=':
    case 'NOT CONTAINS':
      return !any((order) => order === 0);
    case '>':
      return any((order) => order > 0);
    case '>=':
      return any((order) => order >= 0);
    case '<':
      return any((order) => order < 0);
    case '<=':
      return any((order) => order <= 0);
    case 'BETWEEN':
      return any((order) => order >= 0) && any((order) => order <= 0, second);
    case 'IN':
    case 'NOT IN':
      return given.some((value) => any((order) => order === 0, value)) === (operator === 'IN');
    default:
      return false;
  }
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,9})?$/;
const DAY = /^\d{4}-\d\d-\d\d/;

/** Numbers by their size, dates by their day, other texts whatever the case of their letters. */
function compared(one: string, other: string): number {
  if (NUMBER.test(one) && NUMBER.test(other)) return Number(one) - Number(other);
  if (DAY.test(one) && DAY.test(other)) return compareTexts(one.slice(0, 10), other.slice(0, 10));
  return compareTexts(one.toLowerCase(), other.toLowerCase());
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

const NAMED_DAYS: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', -1],
]);

/** The day of a date such as `-30d` or `today`; any other text, or date of none, as it is. */
function dateText(text: string, now: Date): string {
  const [, count, unit] = /^(-?\d{1,6})([dwmy])$/.exec(text) ?? [];
  const named = NAMED_DAYS.get(text);
  if (unit === undefined && named === undefined) return text;
  const day = new Date(now);
  const by = Number(count ?? named);
  if (unit === 'y') day.setUTCFullYear(day.getUTCFullYear() + by);
  else if (unit === 'm') day.setUTCMonth(day.getUTCMonth() + by);
  else day.setUTCDate(day.getUTCDate() + by * (unit === 'w' ? 7 : 1));
  return Number.isNaN(day.getTime()) ? text : day.toISOString();
}

function dateOf(node: StoredNode | undefined, name = 'processedAt'): unknown {
  const date = node && nodeValue(node, name);
  return date instanceof Date ? date.toISOString() : date;
}

function addressValues({ fields }: StoredNode, nodes: NodeStore, name: string): unknown[] {
  const addresses = Array.isArray(fields['addresses']) ? fields['addresses'] : [];
  return addresses.map(
    (one) => (typeof one === 'string' ? nodes.fieldsOf(one) : fieldsIn(one))[name],
  );
}

function fieldsIn(value: unknown): NodeFields {
  return Object(value ?? {}) as NodeFields;
}
