/** A product's visibility, as the REST interface spells it. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export const PRODUCT_STATUSES = ['active', 'archived', 'draft', 'unlisted'] as const;

/** One version of a product that can be bought. */
export interface ProductVariant {
  id: number;
  title: string;
  /** Decimal text in the shop's currency, e.g. `19.00`. */
  price: string;
  sku: string | null;
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

/** What a product is made of; on an update, what changes. */
export interface ProductInput {
  title?: string;
  descriptionHtml?: string;
  vendor?: string;
  productType?: string;
  handle?: string;
  status?: ProductStatus;
  tags?: readonly string[];
  /** Replaces all variants. */
  variants?: ReadonlyArray<{ title?: string; price?: string; sku?: string | null }>;
}

/** A product the shop opens with; `price` is that of its one variant. */
export interface SeedProduct extends Omit<ProductInput, 'variants'> {
  title: string;
  price?: string;
  sku?: string;
}

/** Why an input was refused: the field at fault and the platform's words for it. */
export interface FieldProblem {
  field: 'title' | 'handle' | 'status' | 'price';
  message: string;
}

/** Either the product as it now stands, or why nothing changed. */
export type ProductChange =
  { product: Product; problems?: never } | { product?: never; problems: FieldProblem[] };
