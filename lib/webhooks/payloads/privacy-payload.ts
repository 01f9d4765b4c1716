/**
 * The data of a whole shop is to be erased.
 * @see https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance
 */
export interface ShopRedactPayload {
  readonly shop_id: number;
  readonly shop_domain: string;
}

/** A request about the data of one customer. */
interface CustomerRequest extends ShopRedactPayload {
  /** Email address and telephone number are absent or `null` where the shop knows none. */
  readonly customer: {
    readonly id: number;
    readonly email?: string | null;
    readonly phone?: string | null;
  };
}

/**
 * The data of a customer is to be erased, and that of these orders.
 * @see https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance
 */
export interface CustomerRedactPayload extends CustomerRequest {
  readonly orders_to_redact: readonly number[];
}

/**
 * A customer asks for their data, and that of these orders.
 * @see https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance
 */
export interface CustomerDataRequestPayload extends CustomerRequest {
  readonly orders_requested: readonly number[];
  readonly data_request: { readonly id: number };
}
