import { countryName } from '../../base/country-names.js';
import type { EventLog } from '../../base/event-log.js';
import { isoTime } from '../../base/iso-time.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';

/** The part of a shop that payloads are made from. */
export interface PayloadShop extends ShopIdentity {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
}

/** The part of a shop that notifies its apps of changes. */
export interface NotifyingShop extends PayloadShop {
  readonly log: EventLog;
  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void;
}

/** An object of the REST API: names in snake case, ids as numbers. */
export type RestObject = Record<string, unknown>;

/** The values of a node, or of an object in one. */
export function valuesOf(value: unknown, { nodes }: PayloadShop): Readonly<NodeFields> {
  if (typeof value === 'string') return nodes.fieldsOf(value);
  return (Object(value) ?? {}) as Readonly<NodeFields>;
}

/** A list, or none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A decimal text with two digits, of an amount in any of the forms in which nodes have one. */
export function amountText(value: unknown): string {
  const { shopMoney = value } = Object(value ?? 0) as { shopMoney?: unknown };
  const { amount = shopMoney } = Object(shopMoney ?? 0) as { amount?: unknown };
  const number = Number(amount);
  return (Number.isFinite(number) ? number : 0).toFixed(2);
}

/** An amount in the currency of the shop and in that of the customer, which are the same here. */
export function moneySet(value: unknown, currency: string): RestObject {
  const money = { amount: amountText(value), currency_code: currency };
  return { shop_money: money, presentment_money: { ...money } };
}

/** A time as both APIs write it; null when there is none. */
export function timeText(value: unknown): string | null {
  if (value == null) return null;
  const date = value instanceof Date ? value : new Date(String(value));
  return Number.isNaN(date.getTime()) ? null : isoTime(date);
}

/** The value of an enum, as the REST API writes it; null when there is none. */
export function lowerCase(value: unknown): string | null {
  return typeof value === 'string' ? value.toLowerCase() : null;
}

/** A text; null when there is none. */
export function textOrNull(value: unknown): string | null {
  return value == null || value === '' ? null : String(value);
}

/** Tags, separated by commas. */
export function tagsText(value: unknown): string {
  return listOf(value).map(String).join(', ');
}

/** The number in a global id; null when there is none. */
export function numberOrNull(id: unknown): number | null {
  const digits =
    typeof id === 'string' ? /^gid:\/\/\w+\/\w+\/(\d{1,15})$/.exec(id)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

/** The variant with a global id, and its product. */
export function catalogVariant(
  { catalog }: PayloadShop,
  id: unknown,
): { readonly product: Product; readonly variant: ProductVariant } | undefined {
  return catalog.variant(numberOrNull(id));
}

/** What apps and customers add to orders: names and values. */
export function attributesOf(value: unknown): RestObject[] {
  return listOf(value).map((one) => {
    const { key, name = key, value: text } = Object(one) as NodeFields;
    return { name, value: text ?? null };
  });
}

/** The name of a country in English, e.g. `Ireland`; undefined for what is no code. */
export function nameOfCountry(code: unknown): string | undefined {
  if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(code)) return undefined;
  const name = countryName(code);
  return name === code ? undefined : name;
}
