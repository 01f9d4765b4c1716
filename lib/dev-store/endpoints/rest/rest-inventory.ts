import { isoTime } from '../../base/iso-time.js';
import { globalId } from '../../base/vendor.js';
import { jsonOf, jsonReply, type StoreReply, type StoreRequest } from '../../http/store-request.js';
import type { InventoryLevel } from '../../state/inventory/inventory-level.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import { payload } from '../inventory/inventory-changes.js';
import { inventoryRoot } from '../inventory/inventory.resolvers.js';
import { levelId, locationNumber } from '../inventory/level-ids.js';
import { mutated, refusedFor } from './rest-mutations.js';
import { pageReply } from './rest-pages.js';
import {
  listOf,
  notFound,
  rootOf,
  selectFields,
  unprocessable,
  type RestBody,
  type RestCall,
  type RestEndpoint,
} from './rest.endpoint.js';

interface Stocked {
  readonly id: number;
  readonly product: Product;
  readonly variant: ProductVariant;
}

interface Level extends Stocked {
  readonly level: InventoryLevel;
}

/** An item at a location that need not have it yet. */
interface Place extends Stocked {
  readonly ids: { readonly inventoryItemId: string; readonly locationId: string };
}

/** The items of the variants, and what there is of them at which location. */
export const REST_INVENTORY: readonly RestEndpoint[] = [
  {
    method: 'GET',
    pattern: /^inventory_items$/,
    scope: 'read_inventory',
    answer: (call, request) => {
      const ids = listOf(request.url.searchParams.get('ids')).map(Number);
      if (ids.length === 0) return unprocessable([{ field: 'ids', message: "can't be blank" }]);
      return pageReply<Stocked>(request, {
        ...{ key: 'inventory_items', all: itemsOf(call), origin: call.shop.origin },
        ...{ filter: () => (item) => ids.includes(item.id), view: itemView },
      });
    },
  },
  {
    method: 'GET',
    pattern: /^inventory_items\/(\d{1,15})$/,
    scope: 'read_inventory',
    answer: (call, { url }, id) => {
      const item = itemOf(call, id);
      return item
        ? jsonReply(200, { inventory_item: selectFields(itemView(item), url) })
        : notFound();
    },
  },
  {
    method: 'PUT',
    pattern: /^inventory_items\/(\d{1,15})$/,
    scope: 'write_inventory',
    answer: updateItem,
  },
  {
    method: 'GET',
    pattern: /^inventory_levels$/,
    scope: 'read_inventory',
    answer: (call, request) => {
      const { searchParams } = request.url;
      const names = ['inventory_item_ids', 'location_ids', 'page_info'];
      return names.some((name) => searchParams.has(name))
        ? levelsReply(call, request)
        : refusedFor('Specify inventory_item_ids or location_ids');
    },
  },
  {
    method: 'GET',
    pattern: /^locations\/(\d{1,15})\/inventory_levels$/,
    scope: 'read_inventory',
    answer: (call, request, id) =>
      call.shop.nodes.find(globalId('Location', id)) ? levelsReply(call, request, id) : notFound(),
  },
  {
    method: 'DELETE',
    pattern: /^inventory_levels$/,
    scope: 'write_inventory',
    answer: (call, { url: { searchParams } }) => {
      const level = levelOf(call, Object.fromEntries(searchParams));
      if (!level) return notFound();
      const inventoryLevelId = levelId(level.variant, level.level);
      change(call, 'inventoryDeactivate', { inventoryLevelId });
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    pattern: /^inventory_levels\/adjust$/,
    scope: 'write_inventory',
    answer: atCountedPlace('available_adjustment', (call, ids, delta) => {
      const changes = [{ ...ids, delta, changeFromQuantity: null }];
      change(call, 'inventoryAdjustQuantities', {
        input: { reason: 'correction', name: 'available', changes },
      });
    }),
  },
  {
    method: 'POST',
    pattern: /^inventory_levels\/connect$/,
    scope: 'write_inventory',
    answer: atPlace(201, (call, { ids }) => change(call, 'inventoryActivate', ids)),
  },
  {
    method: 'POST',
    pattern: /^inventory_levels\/set$/,
    scope: 'write_inventory',
    answer: atCountedPlace('available', (call, ids, quantity) => {
      change(call, 'inventoryActivate', ids);
      const quantities = [{ ...ids, quantity, changeFromQuantity: null }];
      change(call, 'inventorySetQuantities', {
        input: { reason: 'correction', name: 'available', ignoreCompareQuantity: true, quantities },
      });
    }),
  },
];

const UNTRACKED = 'Inventory item does not have inventory tracking enabled';

/** Acts on the level that a body names, and answers with it, unless `act` refuses. */
function atPlace(
  status: number,
  act: (call: RestCall, place: Place, body: RestBody) => StoreReply | void,
): RestEndpoint['answer'] {
  return (call, request) => {
    const body = jsonOf(request);
    const place = placeOf(call, body);
    return place ? (act(call, place, body) ?? levelReply(call, status, body)) : notFound();
  };
}

/** The same with a quantity of an item that is tracked. */
function atCountedPlace(
  name: string,
  act: (call: RestCall, ids: Place['ids'], quantity: number) => void,
): RestEndpoint['answer'] {
  return atPlace(200, (call, { variant, ids }, body) => {
    if (!variant.tracked) return refusedFor(UNTRACKED);
    const quantity = Number(body[name] ?? NaN);
    if (!Number.isInteger(quantity)) return missing(name);
    return act(call, ids, quantity);
  });
}

function change(call: RestCall, mutation: string, args: object): void {
  mutated(inventoryRoot(call.writer()), mutation, args, (errors) =>
    refusedFor(...errors.map(({ message }) => message)),
  );
}

function updateItem(call: RestCall, request: StoreRequest, id: number): StoreReply {
  if (!itemOf(call, id)) return notFound();
  const body = rootOf(jsonOf(request), 'inventory_item');
  const given = (name: string, field: string): object =>
    name in body ? { [field]: body[name] } : {};
  const { cost } = body;
  if (cost != null && !Number.isFinite(Number(cost)))
    return unprocessable([{ field: 'cost', message: 'is not a number' }]);
  const text = (name: string, field: string): object =>
    body[name] == null || typeof body[name] === 'string' ? given(name, field) : {};
  const flag = (name: string, field: string): object =>
    typeof body[name] === 'boolean' ? given(name, field) : {};
  mutated(inventoryRoot(call.writer()), 'inventoryItemUpdate', {
    id: globalId('InventoryItem', id),
    input: {
      ...text('sku', 'sku'),
      ...('cost' in body ? { cost: cost == null ? null : Number(cost).toFixed(2) } : {}),
      ...flag('tracked', 'tracked'),
      ...flag('requires_shipping', 'requiresShipping'),
      ...text('country_code_of_origin', 'countryCodeOfOrigin'),
      ...text('province_code_of_origin', 'provinceCodeOfOrigin'),
      ...text('harmonized_system_code', 'harmonizedSystemCode'),
    },
  });
  const item = itemOf(call, id);
  return item ? jsonReply(200, { inventory_item: itemView(item) }) : notFound();
}

/** Levels in the order of their items; their numbers count them. */
function levelsReply(call: RestCall, request: StoreRequest, locationId?: number): StoreReply {
  const all = itemsOf(call)
    .flatMap((item) => activeOf(item))
    .map((one, index): Level => ({ ...one, id: index + 1 }));
  return pageReply<Level>(request, {
    ...{ key: 'inventory_levels', all, origin: call.shop.origin, view: levelView },
    filter: ({ searchParams }) => {
      const [items, locations] = ['inventory_item_ids', 'location_ids'].map((name) =>
        listOf(searchParams.get(name)).map(Number),
      ) as [number[], number[]];
      const from = Date.parse(searchParams.get('updated_at_min') ?? '');
      return ({ variant, level }) =>
        (items.length === 0 || items.includes(variant.id)) &&
        (locations.length === 0 || locations.includes(locationNumber(level))) &&
        (locationId === undefined || locationNumber(level) === locationId) &&
        !(level.updatedAt.getTime() < from);
    },
  });
}

function levelReply(call: RestCall, status: number, body: RestBody): StoreReply {
  const level = levelOf(call, body);
  return level ? jsonReply(status, { inventory_level: levelView(level) }) : notFound();
}

function levelView({ variant, level }: Level): Record<string, unknown> {
  const view = { ...payload(variant, level) } as Record<string, unknown>;
  return { ...view, available: variant.tracked ? view['available'] : null };
}

function levelOf(call: RestCall, body: RestBody): Level | undefined {
  const item = itemOf(call, Number(body['inventory_item_id']));
  const location = Number(body['location_id']);
  return item && activeOf(item).find(({ level }) => locationNumber(level) === location);
}

function activeOf(item: Stocked): Level[] {
  return item.variant.levels
    .filter(({ isActive }) => isActive)
    .map((level) => ({ ...item, level }));
}

/** The item and the location that a body names, when both are there. */
function placeOf(call: RestCall, body: RestBody): Place | undefined {
  const item = itemOf(call, Number(body['inventory_item_id']));
  const locationId = globalId('Location', Number(body['location_id']));
  if (!item || !call.shop.nodes.find(locationId)) return undefined;
  return { ...item, ids: { inventoryItemId: globalId('InventoryItem', item.id), locationId } };
}

function itemsOf({ shop }: RestCall): Stocked[] {
  return shop.catalog
    .all()
    .flatMap((product) => product.variants.map((variant) => ({ id: variant.id, product, variant })))
    .sort((a, b) => a.id - b.id);
}

function itemOf(call: RestCall, id: number): Stocked | undefined {
  return itemsOf(call).find((item) => item.id === id);
}

function itemView({ variant }: Stocked): Record<string, unknown> {
  return {
    id: variant.id,
    sku: variant.sku,
    created_at: isoTime(variant.createdAt),
    updated_at: isoTime(variant.updatedAt),
    requires_shipping: variant.requiresShipping,
    cost: variant.cost,
    country_code_of_origin: variant.countryCodeOfOrigin,
    province_code_of_origin: variant.provinceCodeOfOrigin,
    harmonized_system_code: variant.harmonizedSystemCode,
    tracked: variant.tracked,
    country_harmonized_system_codes: [],
    admin_graphql_api_id: globalId('InventoryItem', variant.id),
  };
}

function missing(name: string): StoreReply {
  return jsonReply(400, { errors: { [name]: 'Required parameter missing or invalid' } });
}
