/** A product's status, in the spelling of the REST API. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export const PRODUCT_STATUSES = ['active', 'archived', 'draft', 'unlisted'] as const;

/** One variant of a product. */
export interface ProductVariant {
  id: number;
  title: string;
  /** Decimal text in the shop's currency, e.g. `19.00`. */
  price: string;
  sku: string | null;
  barcode: string | null;
  position: number;
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
  variants: ProductVariant[];
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
  /** Replaces all variants. */
  variants?: readonly VariantInput[];
}

/** The properties of a variant; on an update, those that change. */
export interface VariantInput {
  title?: string;
  price?: string;
  sku?: string | null;
  barcode?: string | null;
}

/** A change of one variant of a product. */
export interface VariantChange extends Pick<VariantInput, 'price' | 'sku' | 'barcode'> {
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
  field: 'title' | 'handle' | 'status' | 'price';
  message: string;
}

/** The changed product, or why nothing changed. */
export type ProductChange =
  { product: Product; problems?: never } | { product?: never; problems: FieldProblem[] };
