/**
 * The access scopes that a shop has granted, before and after the change.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface ScopesUpdatePayload {
  readonly id: number;
  /** A global id. */
  readonly shop_id: string;
  readonly previous: readonly string[];
  readonly current: readonly string[];
  readonly updated_at: string;
}

/**
 * What the payloads about all charges of an app have in common.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface ChargePayload {
  readonly admin_graphql_api_id: string;
  readonly admin_graphql_api_shop_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * A subscription of a shop to the app that has changed.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface AppSubscriptionPayload {
  readonly app_subscription: ChargePayload & {
    /** Such as `ACTIVE`. */
    readonly status: string;
    readonly currency: string;
    /** A decimal number as text; `null` without usage pricing. */
    readonly capped_amount: string | null;
    /** A decimal number as text. */
    readonly price: string;
    /** `every_30_days` or `annual`. */
    readonly interval: string;
    readonly plan_handle: string | null;
  };
}

/**
 * A subscription whose usage has come near to its cap.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface ApproachingCapPayload {
  readonly app_subscription: ChargePayload & {
    readonly balance_used: number;
    /** A decimal number as text. */
    readonly capped_amount: string;
    readonly currency_code: string;
  };
}

/**
 * A one-time purchase that has changed.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface OneTimePurchasePayload {
  readonly app_purchase_one_time: ChargePayload & {
    /** Such as `ACTIVE`. */
    readonly status: string;
  };
}

/**
 * A bulk operation that has ended. The address of its result is asked for with its id.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface BulkOperationPayload {
  readonly admin_graphql_api_id: string;
  /** `completed`, `failed` or `canceled`. */
  readonly status: string;
  /** `query` or `mutation`. */
  readonly type: string;
  /** In lower case; `null` when it was completed. */
  readonly error_code: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
}
