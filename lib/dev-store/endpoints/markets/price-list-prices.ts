import { globalId, idOf } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import type { CatalogVariant } from '../../state/products/product.js';
import type { OwnField } from '../nodes/node-reader.js';

/** An amount of money, as inputs have it. */
export interface Money {
  readonly amount: string;
  readonly currencyCode: string;
}

/** A price of a variant that was set in a price list. */
export interface FixedPrice {
  readonly variantId: string;
  readonly price: Money;
  readonly compareAtPrice?: Money | null;
}

/** How many of a variant are sold at once. */
export interface QuantityRule {
  readonly variantId: string;
  readonly minimum: number;
  readonly maximum?: number | null;
  readonly increment: number;
}

/** What a price list says of variants, beyond its own fields. */
interface PriceListEntries {
  readonly fixedPrices: readonly FixedPrice[];
  readonly rules: readonly QuantityRule[];
}

/** The entries of a price list, from the fields of its node. */
export function entriesOf(fields: Readonly<NodeFields>): PriceListEntries {
  const { fixedPrices = [], rules = [] } = fields as Partial<PriceListEntries>;
  return { fixedPrices, rules };
}

/** What is said of a variant that is not there. */
export const NO_VARIANT = 'Product variant ID does not exist.';

/** A variant by its global id. */
export function variantOf(catalog: ProductCatalog, id: unknown): CatalogVariant | undefined {
  return catalog.variant(idOf('ProductVariant', String(id)));
}

/** Entries with those of others in place of those of the same variants. */
export function merged<T extends { readonly variantId: string }>(
  before: readonly T[],
  added: readonly T[],
): T[] {
  const all = new Map([...before, ...added].map((one) => [one.variantId, one]));
  return [...all.values()];
}

/** A price of a list, in the form of the schema. */
export function priceView(nodes: NodeStore, list: string, fixed: FixedPrice): NodeFields {
  const { variantId, price, compareAtPrice = null } = fixed;
  const quantityPriceBreaks = nodes
    .naming(list, ['QuantityPriceBreak'])
    .filter(({ fields }) => fields['variant'] === variantId)
    .map(({ id }) => id);
  return { originType: 'FIXED', variant: variantId, price, compareAtPrice, quantityPriceBreaks };
}

interface PriceArgs {
  readonly originType?: string | null;
  readonly query?: string | null;
}

/** The fields of price lists and catalogs that follow from others. */
export function marketFields(nodes: NodeStore, catalog: ProductCatalog): Record<string, OwnField> {
  const variants = (): CatalogVariant[] =>
    catalog
      .all()
      .flatMap((product) =>
        product.variants.map((variant) => ({ id: variant.id, product, variant })),
      );
  const variantId = ({ id }: CatalogVariant): string => globalId('ProductVariant', id);
  const prices = (list: string): NodeFields[] => {
    const { currency: currencyCode, parent, ...fields } = nodes.fieldsOf(list);
    const set = entriesOf(fields).fixedPrices;
    const { type, value = 0 } = Object(Object(parent).adjustment) as {
      readonly type?: string;
      readonly value?: number;
    };
    const factor = 1 + (type === 'PERCENTAGE_DECREASE' ? -value : value) / 100;
    const fixed = new Set(set.map((one) => one.variantId));
    const relative = variants()
      .filter((one) => !fixed.has(variantId(one)))
      .map((one) => ({
        originType: 'RELATIVE',
        variant: variantId(one),
        price: { amount: String(Number(one.variant.price) * factor), currencyCode },
      }));
    return [...set.map((one) => priceView(nodes, list, one)), ...relative];
  };
  /** Whether a price is of the variant, or the product, that a search names. */
  const isFound = ({ variant }: NodeFields, query: string | null | undefined): boolean => {
    const [, kind, number] = /\b(variant|product)_id:(\d+)/.exec(query ?? '') ?? [];
    if (!number) return true;
    const of = variantOf(catalog, variant);
    return Number(number) === (kind === 'variant' ? of?.id : of?.product.id);
  };
  const catalogOf = (id: string): string | null =>
    nodes.naming(id, CATALOGS).find(({ fields }) => fields['priceList'] === id)?.id ?? null;
  const wanted =
    (origin: unknown) =>
    (one: NodeFields): boolean =>
      origin == null || one['originType'] === origin;
  return {
    'PriceList.fixedPricesCount': (id) => entriesOf(nodes.fieldsOf(id)).fixedPrices.length,
    'PriceList.catalog': catalogOf,
    'PriceList.prices': (id, { originType, query }: PriceArgs) =>
      prices(id)
        .filter(wanted(originType))
        .filter((one) => isFound(one, query)),
    'PriceList.quantityRules': (id, { originType }: PriceArgs) => {
      const { rules } = entriesOf(nodes.fieldsOf(id));
      const set = new Set(rules.map((rule) => rule.variantId));
      const usual = variants()
        .map(variantId)
        .filter((variant) => !set.has(variant))
        .map((variant) => ruleView({ variantId: variant, minimum: 1, increment: 1 }, true));
      return [...rules.map((rule) => ruleView(rule)), ...usual].filter(wanted(originType));
    },
    'MarketCatalog.markets': (id) => {
      const { markets } = nodes.fieldsOf(id);
      const nameOf = (market: string): string => String(nodes.fieldsOf(market)['name']);
      return [...((markets ?? []) as string[])].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    },
    'Market.enabled': (id) => nodes.fieldsOf(id)['status'] === 'ACTIVE',
  };
}

/** A quantity rule in the form of the schema. */
export function ruleView(
  { variantId, minimum, maximum = null, increment }: QuantityRule,
  isDefault = false,
): NodeFields {
  const originType = isDefault ? 'RELATIVE' : 'FIXED';
  return { productVariant: variantId, minimum, maximum, increment, isDefault, originType };
}

/** The types of catalogs. */
export const CATALOGS = ['MarketCatalog', 'CompanyLocationCatalog', 'AppCatalog'];
