import type { InventoryLevel } from '../inventory/inventory-level.js';

/** A product's status, in the spelling of the REST API. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export const PRODUCT_STATUSES = ['active', 'archived', 'draft', 'unlisted'] as const;

/** What the variants of a product differ in, such as their size. */
export interface ProductOption {
  readonly id: number;
  name: string;
  values: Array<{ readonly id: number; name: string }>;
}

/** What an app sets of a variant, and of its inventory item. */
export interface VariantSettings {
  /** Decimal text in the shop's currency, e.g. `19.00`. */
  price: string;
  compareAtPrice: string | null;
  sku: string | null;
  barcode: string | null;
  taxable: boolean;
  /** Whether it is sold when none is left. */
  inventoryPolicy: 'DENY' | 'CONTINUE';
  /** Whether its quantities are kept. */
  tracked: boolean;
  requiresShipping: boolean;
  /** Decimal text, like the price. */
  cost: string | null;
  weight: { readonly value: number; readonly unit: string };
  harmonizedSystemCode: string | null;
  countryCodeOfOrigin: string | null;
  provinceCodeOfOrigin: string | null;
}

/** One variant of a product. */
export interface ProductVariant extends VariantSettings {
  id: number;
  /** The names of its option values, as in `Red / Small`. */
  title: string;
  /** The names of its option values, in the order of the product's options. */
  optionValues: string[];
  position: number;
  /** What there is of it, by location. */
  levels: InventoryLevel[];
  createdAt: Date;
  updatedAt: Date;
}

/** A product of a simulated shop. */
export interface Product {
  id: number;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  handle: string;
  status: ProductStatus;
  tags: string[];
  createdAt: Date;
  updatedAt: Date;
  /** Since when it is on the online store; null while it is not. */
  readonly publishedAt: string | null;
  /** In their order; one called `Title` when the product has none. */
  options: ProductOption[];
  variants: ProductVariant[];
}

/** A variant with its product. */
export interface CatalogVariant {
  readonly id: number;
  readonly product: Product;
  readonly variant: ProductVariant;
}

/** The properties of a product; on an update, those that change. */
export interface ProductInput {
  title?: string;
  descriptionHtml?: string;
  vendor?: string;
  productType?: string;
  handle?: string;
  status?: ProductStatus;
  tags?: readonly string[];
  /** Of a new product, whose only variant has the first value of each. */
  options?: readonly OptionInput[];
  /** Replaces all variants, but those of which it has the ids. */
  variants?: readonly VariantInput[];
}

/** An option of a product in an input. */
export interface OptionInput {
  readonly name: string;
  readonly values: readonly string[];
}

/** The properties of a variant; on an update, those that change. */
export interface VariantInput extends Partial<VariantSettings> {
  /** That of the variant which it changes. */
  id?: number;
  /** The value of the only option. */
  title?: string;
  /** One for each option. */
  optionValues?: readonly string[];
}

/** A change of one variant of a product. */
export interface VariantChange extends VariantInput {
  id: number;
}

/** A product of a new shop; `price`, `sku` and `barcode` are those of its only variant. */
export interface SeedProduct extends Omit<ProductInput, 'variants'> {
  title: string;
  price?: string;
  sku?: string;
  barcode?: string;
}

/** Why an input was refused: the field and the platform's message. */
export interface FieldProblem {
  field: 'title' | 'handle' | 'status' | 'price' | 'vendor' | 'product_type' | 'tags';
  message: string;
}

/** The changed product, or why nothing changed. */
export type ProductChange =
  { product: Product; problems?: never } | { product?: never; problems: FieldProblem[] };
