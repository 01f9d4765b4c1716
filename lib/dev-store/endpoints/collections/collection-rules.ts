import { globalId, idOf } from '../../base/vendor.js';
import { availableOf } from '../../state/inventory/inventory-level.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { Product, ProductVariant } from '../../state/products/product.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';

/** The part of a shop that says what is in its collections. */
export interface CollectionShop {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
}

/** A rule of a smart collection. */
interface CollectionRule {
  readonly column: string;
  readonly relation: string;
  readonly condition: string;
}

/** What a rule looks at: texts without case, numbers as such. */
type Column = (product: Product, variant: ProductVariant) => readonly unknown[];

const COLUMNS: Readonly<Record<string, Column>> = {
  TAG: ({ tags }) => tags,
  TITLE: ({ title }) => [title],
  TYPE: ({ productType }) => [productType],
  VENDOR: ({ vendor }) => [vendor],
  VARIANT_TITLE: (_, { title }) => [title],
  VARIANT_PRICE: (_, { price }) => [Number(price)],
  VARIANT_COMPARE_AT_PRICE: (_, { compareAtPrice }) =>
    compareAtPrice === null ? [] : [Number(compareAtPrice)],
  VARIANT_INVENTORY: (_, variant) => [availableOf(variant)],
  VARIANT_WEIGHT: (_, { weight }) => [weight.value],
  IS_PRICE_REDUCED: (_, { price, compareAtPrice }) =>
    compareAtPrice !== null && Number(compareAtPrice) > Number(price) ? ['reduced'] : [],
};

/** How a value is compared with the condition of a rule. */
const RELATIONS: Readonly<Record<string, (value: unknown, condition: string) => boolean>> = {
  EQUALS: isEqual,
  CONTAINS: (value, condition) => textOf(value).includes(textOf(condition)),
  STARTS_WITH: (value, condition) => textOf(value).startsWith(textOf(condition)),
  ENDS_WITH: (value, condition) => textOf(value).endsWith(textOf(condition)),
  GREATER_THAN: (value, condition) => Number(value) > Number(condition),
  LESS_THAN: (value, condition) => Number(value) < Number(condition),
};

/** The global ids of the products of a collection, in the order in which it shows them. */
export function productsOf(shop: CollectionShop, id: string, sortKey?: unknown): string[] {
  const { ruleSet, sortOrder, products } = shop.nodes.fieldsOf(id);
  const chosen = ruleSet
    ? shop.catalog.all().filter((product) => fits(product, ruleSet))
    : (Array.isArray(products) ? products : []).flatMap(
        (one: string) => shop.catalog.find(idOf('Product', one) ?? NaN) ?? [],
      );
  const order = ORDERS[orderOf(sortKey, sortOrder)];
  const sorted = order ? [...chosen].sort(order) : chosen;
  return sorted.map((product) => globalId('Product', product.id));
}

/**
 * Whether a product is in a collection, which looks at no other product.
 * @param id the product's, as a global id
 */
export function isIn(shop: CollectionShop, collection: string, id: string): boolean {
  const { ruleSet, products } = shop.nodes.fieldsOf(collection);
  const product = shop.catalog.find(idOf('Product', id) ?? NaN);
  if (!product) return false;
  return ruleSet ? fits(product, ruleSet) : Array.isArray(products) && products.includes(id);
}

/** Whether a product fits the rules of a smart collection, as one of its variants does. */
function fits(product: Product, ruleSet: unknown): boolean {
  const { rules = [], appliedDisjunctively } = ruleSet as {
    readonly rules?: readonly CollectionRule[];
    readonly appliedDisjunctively?: boolean;
  };
  const met = ({ column, relation, condition }: CollectionRule, one: ProductVariant): boolean => {
    const values = COLUMNS[column]?.(product, one) ?? [];
    if (relation === 'IS_SET') return values.length > 0;
    if (relation === 'IS_NOT_SET') return values.length === 0;
    const positive = relation.replace(/^NOT_/, '');
    const isMet = values.some((value) => RELATIONS[positive]?.(value, condition));
    return positive === relation ? isMet : !isMet;
  };
  return product.variants.some((variant) =>
    appliedDisjunctively
      ? rules.some((rule) => met(rule, variant))
      : rules.every((rule) => met(rule, variant)),
  );
}

function isEqual(value: unknown, condition: string): boolean {
  return typeof value === 'number'
    ? value === Number(condition)
    : textOf(value) === textOf(condition);
}

function textOf(value: unknown): string {
  return String(value).toLowerCase();
}

/** The order that is asked for, in the words of `CollectionSortOrder`. */
function orderOf(sortKey: unknown, sortOrder: unknown): string {
  const asked: Readonly<Record<string, string>> = {
    TITLE: 'ALPHA_ASC',
    PRICE: 'PRICE_ASC',
    CREATED: 'CREATED',
    ID: 'ID',
    MANUAL: 'MANUAL',
    BEST_SELLING: 'BEST_SELLING',
  };
  return asked[String(sortKey)] ?? String(sortOrder);
}

type Order = (one: Product, other: Product) => number;

const byTitle: Order = (one, other) => one.title.localeCompare(other.title, 'en');
const byPrice: Order = (one, other) => lowest(one) - lowest(other);
const byAge: Order = (one, other) => one.createdAt.getTime() - other.createdAt.getTime();

const ORDERS: Readonly<Record<string, Order>> = {
  ALPHA_ASC: byTitle,
  ALPHA_DESC: (one, other) => byTitle(other, one),
  PRICE_ASC: byPrice,
  PRICE_DESC: (one, other) => byPrice(other, one),
  CREATED: byAge,
  CREATED_DESC: (one, other) => byAge(other, one),
  ID: (one, other) => one.id - other.id,
};

function lowest({ variants }: Product): number {
  return Math.min(...variants.map(({ price }) => Number(price)));
}
