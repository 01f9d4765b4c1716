/**
 * A product, with all its fields. Dates are ISO 8601, prices decimal numbers as text.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface ProductPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly title: string;
  readonly body_html: string | null;
  readonly handle: string;
  readonly vendor: string;
  readonly product_type: string;
  /** `active`, `archived`, `draft` or `unlisted`. */
  readonly status: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly template_suffix: string | null;
  /** `web` or `global`. */
  readonly published_scope: string;
  readonly published_at: string | null;
  readonly created_at: string | null;
  readonly updated_at: string;
  /** At most 100; {@link ProductPayload.variant_gids} names all of them. */
  readonly variants: readonly ProductVariantPayload[];
  readonly options: readonly ProductOptionPayload[];
  readonly images: readonly ProductImagePayload[];
  readonly image: ProductImagePayload | null;
  readonly media: readonly ProductMediaPayload[];
  readonly variant_gids: readonly {
    readonly admin_graphql_api_id: string;
    readonly updated_at: string;
  }[];
  readonly has_variants_that_requires_components: boolean;
  readonly category: {
    readonly admin_graphql_api_id: string;
    readonly name: string;
    readonly full_name: string;
  } | null;
}

/** A variant of a product. */
export interface ProductVariantPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly product_id: number;
  readonly title: string;
  readonly price: string;
  readonly compare_at_price: string | null;
  readonly sku: string | null;
  readonly barcode: string | null;
  readonly position: number;
  /** `deny` or `continue`. */
  readonly inventory_policy: string;
  readonly inventory_item_id: number | null;
  readonly inventory_quantity: number;
  readonly old_inventory_quantity: number;
  readonly option1: string | null;
  readonly option2: string | null;
  readonly option3: string | null;
  readonly taxable: boolean;
  readonly image_id: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An option of a product, such as its size. */
export interface ProductOptionPayload {
  readonly id: number;
  readonly product_id: number;
  readonly name: string;
  readonly position: number;
  readonly values: readonly string[];
}

/** An image of a product; measures in pixels. */
export interface ProductImagePayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly product_id: number;
  readonly position: number;
  readonly alt: string | null;
  readonly width: number;
  readonly height: number;
  readonly src: string;
  readonly variant_ids: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}

/** An image, a video or a model of a product; measures in pixels. */
export interface ProductMediaPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly product_id: number;
  readonly position: number;
  readonly alt: string | null;
  /** Such as `READY`. */
  readonly status: string;
  /** Such as `IMAGE`. */
  readonly media_content_type: string;
  readonly preview_image: {
    readonly width: number;
    readonly height: number;
    readonly src: string;
    readonly status: string;
  } | null;
  readonly variant_ids: readonly number[];
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * A collection. Its products are not named.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface CollectionPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly handle: string;
  readonly title: string;
  readonly body_html: string | null;
  readonly sort_order: string | null;
  readonly template_suffix: string | null;
  readonly published_scope: string;
  readonly published_at: string | null;
  readonly updated_at: string;
}

/** A collection that was deleted. */
export type DeletedCollectionPayload = Pick<
  CollectionPayload,
  'id' | 'admin_graphql_api_id' | 'published_scope'
>;
