/**
 * An inventory item.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface InventoryItemPayload extends DeletedInventoryItemPayload {
  readonly sku: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly requires_shipping: boolean;
  /** A decimal number as text, in the currency of the shop. */
  readonly cost: string | null;
  readonly tracked: boolean;
  readonly weight_value: number;
  /** `g`, `kg`, `oz` or `lb`. */
  readonly weight_unit: string;
}

/** An inventory item that was deleted. */
export interface DeletedInventoryItemPayload {
  readonly id: number;
  readonly admin_graphql_api_id: string;
  readonly country_code_of_origin: string | null;
  readonly province_code_of_origin: string | null;
  readonly harmonized_system_code: string | null;
  readonly country_harmonized_system_codes: readonly {
    readonly harmonized_system_code: string;
    readonly country_code: string;
  }[];
}

/**
 * How much of an inventory item a location has.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface InventoryLevelPayload extends DisconnectedInventoryLevelPayload {
  readonly admin_graphql_api_id: string;
  /** `null` when the item is not tracked. */
  readonly available: number | null;
  readonly updated_at: string;
}

/** An inventory item that a location no longer stocks. */
export interface DisconnectedInventoryLevelPayload {
  readonly inventory_item_id: number;
  readonly location_id: number;
}
