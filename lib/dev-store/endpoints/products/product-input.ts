import type { ProductInput } from '../../state/products/product.js';

/** A product in the input of a mutation. */
export interface ProductFields {
  readonly id?: string | null;
  readonly title?: string | null;
  readonly descriptionHtml?: string | null;
  readonly vendor?: string | null;
  readonly productType?: string | null;
  readonly handle?: string | null;
  readonly status?: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED' | null;
  readonly tags?: string[] | null;
  /** The id of a category of the taxonomy of products. */
  readonly category?: string | null;
}

/** The fields that are set: null in the input means "no change". */
export function productInput(fields: ProductFields): ProductInput {
  const input: ProductInput = {};
  if (fields.title != null) input.title = fields.title;
  if (fields.descriptionHtml != null) input.descriptionHtml = fields.descriptionHtml;
  if (fields.vendor != null) input.vendor = fields.vendor;
  if (fields.productType != null) input.productType = fields.productType;
  if (fields.handle != null) input.handle = fields.handle;
  if (fields.tags != null) input.tags = fields.tags;
  if (fields.status != null)
    input.status = fields.status.toLowerCase() as Lowercase<NonNullable<ProductFields['status']>>;
  return input;
}
