import type { ResourceLayer, ResourceTables } from './resource.table.js';
import { servingVersion } from './resource-versions.js';
import { APPS } from './tables/apps.table.js';
import { CUSTOMERS } from './tables/customers.table.js';
import { FULFILLMENTS } from './tables/fulfillments.table.js';
import { INVENTORY } from './tables/inventory.table.js';
import { ONLINE_STORE } from './tables/online-store.table.js';
import { ORDERS } from './tables/orders.table.js';
import { PAYMENTS } from './tables/payments.table.js';
import { PRODUCTS } from './tables/products.table.js';
import { STORE } from './tables/store.table.js';
import { DELTAS } from './version-deltas.js';

const NEWEST: ResourceTables = {
  ...APPS,
  ...CUSTOMERS,
  ...FULFILLMENTS,
  ...INVENTORY,
  ...ONLINE_STORE,
  ...ORDERS,
  ...PAYMENTS,
  ...PRODUCTS,
  ...STORE,
};

/**
 * The tables that define the resources of a version, by name: those of the newest version, and the
 * differences of older versions on top.
 */
export function layersOf(version: string): Map<string, ResourceLayer[]> {
  const described = servingVersion(version);
  const tables = [
    NEWEST,
    ...DELTAS.filter(({ until }) => described <= until).map((delta) => delta.tables),
  ];
  const names = [...new Set(tables.flatMap((layer) => Object.keys(layer)))].sort();
  return new Map(names.map((name) => [name, tables.flatMap((layer) => layer[name] ?? [])]));
}
