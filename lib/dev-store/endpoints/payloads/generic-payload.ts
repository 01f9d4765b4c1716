import type { NodeFields, StoredNode } from '../../state/nodes/node-store.js';
import { nodeValue, snakeCase } from '../nodes/node-search.js';
import { addressPayload } from './customer-payload.js';
import {
  amountText,
  moneySet,
  numberOrNull,
  timeText,
  type PayloadShop,
  type RestObject,
} from './payload-values.js';
import { RESOURCE_SHAPES } from './resource-shapes.table.js';

/** How deep the nodes that a node names are repeated in its payload. */
const DEEPEST = 2;

/** What the store keeps for itself. */
const UNWRITTEN: ReadonlySet<string> = new Set(['__typename', 'appKey']);

/** The attributes whose values the REST API writes in lower case. */
const LOWER_CASE: ReadonlySet<string> = new Set([
  'status',
  'role',
  'kind',
  'state',
  'event',
  'display_scope',
]);

/**
 * A node of a type without rules of its own in REST responses and webhook payloads: its values in
 * the spelling of that API, with the attributes that it always has.
 */
export function genericPayload(node: StoredNode, shop: PayloadShop): RestObject {
  const { id, number, type, createdAt, updatedAt } = node;
  const shape = RESOURCE_SHAPES[type];
  const times = shape?.times ?? 'created_at updated_at';
  const own = {
    id: number,
    admin_graphql_api_id: id,
    ...(times.includes('created') ? { created_at: timeText(createdAt) } : {}),
    ...(times.includes('updated') ? { updated_at: timeText(updatedAt) } : {}),
  };
  const fields = type === 'Location' ? flatLocation(node.fields, shop) : node.fields;
  if (!shape) return { ...own, ...restFields(fields, shop, DEEPEST) };
  const { renamed = {}, usual = {} } = shape;
  const given = { shopId: shop.id, handle: nodeValue(node, 'handle'), ...fields };
  const written = restFields(given, shop, DEEPEST);
  const values = shape.names.split(' ').map((name): [string, unknown] => {
    const field = renamed[name];
    const value = (field && written[snakeCase(field)]) ?? written[name] ?? usual[name];
    return [name, name === 'sort_order' ? dashed(value) : (value ?? null)];
  });
  return { ...own, ...Object.fromEntries(values) };
}

/** Values in the spelling of the REST API: ids become numbers, tags one text. */
function restFields(fields: Readonly<NodeFields>, shop: PayloadShop, depth: number): RestObject {
  const written: RestObject = {};
  for (const [field, value] of Object.entries(fields)) {
    const name = snakeCase(field);
    if (value === undefined || UNWRITTEN.has(field)) continue;
    if (typeof value === 'string' && value.startsWith('gid://'))
      written[name.endsWith('_id') || name === 'id' ? name : `${name}_id`] = numberOrNull(value);
    else if (name === 'tags' && Array.isArray(value)) written[name] = value.join(', ');
    else if (LOWER_CASE.has(name) && typeof value === 'string') written[name] = value.toLowerCase();
    else written[name] = restValue(value, shop, depth);
  }
  return written;
}

function restValue(value: unknown, shop: PayloadShop, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => restValue(one, shop, depth));
  if (value instanceof Date) return timeText(value);
  if (typeof value === 'string' && value.startsWith('gid://')) {
    const node = depth > 0 ? shop.nodes.find(value) : undefined;
    return node
      ? { id: node.number, ...restFields(node.fields, shop, depth - 1) }
      : (numberOrNull(value) ?? value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if ('shopMoney' in value) return moneySet(value, shop.currency);
  if ('amount' in value && 'currencyCode' in value) return amountText(value);
  return restFields(value as NodeFields, shop, depth);
}

/** The address of a location is part of it. */
function flatLocation({ address, ...fields }: Readonly<NodeFields>, shop: PayloadShop): NodeFields {
  const { country, country_code, province_code, ...rest } = addressPayload(address, shop);
  const { address1, address2, city, zip, province, phone } = rest;
  return {
    ...{ address1, address2, city, zip, province, phone },
    ...{ country: country_code, countryCode: country_code, countryName: country },
    ...{ provinceCode: province_code },
    ...fields,
  };
}

function dashed(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase().replaceAll('_', '-') : value;
}
