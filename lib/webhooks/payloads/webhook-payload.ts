import type { Untyped } from '../../core/json.js';
import type {
  AppSubscriptionPayload,
  ApproachingCapPayload,
  BulkOperationPayload,
  OneTimePurchasePayload,
  ScopesUpdatePayload,
} from './app-payload.js';
import type { CustomerPayload, DeletedCustomerPayload } from './customer-payload.js';
import type {
  DeletedInventoryItemPayload,
  DisconnectedInventoryLevelPayload,
  InventoryItemPayload,
  InventoryLevelPayload,
} from './inventory-payload.js';
import type { FulfillmentPayload, OrderPayload } from './order-payload.js';
import type {
  CustomerDataRequestPayload,
  CustomerRedactPayload,
  ShopRedactPayload,
} from './privacy-payload.js';
import type {
  CollectionPayload,
  DeletedCollectionPayload,
  ProductPayload,
} from './product-payload.js';
import type { ShopPayload } from './shop-payload.js';

/** What is left of something that was deleted. */
export interface DeletedPayload {
  readonly id: number;
}

/**
 * The payloads whose shape is known, by topic, as version 2026-10 documents them; other versions
 * may lack a field or have more. A subscription with `includeFields` delivers only those.
 * @see https://shopify.dev/docs/api/webhooks
 */
export interface WebhookPayloads {
  readonly APP_PURCHASES_ONE_TIME_UPDATE: OneTimePurchasePayload;
  readonly APP_SCOPES_UPDATE: ScopesUpdatePayload;
  readonly APP_SUBSCRIPTIONS_APPROACHING_CAPPED_AMOUNT: ApproachingCapPayload;
  readonly APP_SUBSCRIPTIONS_UPDATE: AppSubscriptionPayload;
  readonly APP_UNINSTALLED: ShopPayload;
  readonly BULK_OPERATIONS_FINISH: BulkOperationPayload;
  readonly COLLECTIONS_CREATE: CollectionPayload;
  readonly COLLECTIONS_DELETE: DeletedCollectionPayload;
  readonly COLLECTIONS_UPDATE: CollectionPayload;
  readonly CUSTOMERS_CREATE: CustomerPayload;
  readonly CUSTOMERS_DATA_REQUEST: CustomerDataRequestPayload;
  readonly CUSTOMERS_DELETE: DeletedCustomerPayload;
  readonly CUSTOMERS_DISABLE: CustomerPayload;
  readonly CUSTOMERS_ENABLE: CustomerPayload;
  readonly CUSTOMERS_REDACT: CustomerRedactPayload;
  readonly CUSTOMERS_UPDATE: CustomerPayload;
  readonly FULFILLMENTS_CREATE: FulfillmentPayload;
  readonly FULFILLMENTS_UPDATE: FulfillmentPayload;
  readonly INVENTORY_ITEMS_CREATE: InventoryItemPayload;
  readonly INVENTORY_ITEMS_DELETE: DeletedInventoryItemPayload;
  readonly INVENTORY_ITEMS_UPDATE: InventoryItemPayload;
  readonly INVENTORY_LEVELS_CONNECT: InventoryLevelPayload;
  readonly INVENTORY_LEVELS_DISCONNECT: DisconnectedInventoryLevelPayload;
  readonly INVENTORY_LEVELS_UPDATE: InventoryLevelPayload;
  readonly ORDERS_CANCELLED: OrderPayload;
  readonly ORDERS_CREATE: OrderPayload;
  readonly ORDERS_DELETE: DeletedPayload;
  readonly ORDERS_FULFILLED: OrderPayload;
  readonly ORDERS_PAID: OrderPayload;
  readonly ORDERS_PARTIALLY_FULFILLED: OrderPayload;
  readonly ORDERS_UPDATED: OrderPayload;
  readonly PRODUCTS_CREATE: ProductPayload;
  readonly PRODUCTS_DELETE: DeletedPayload;
  readonly PRODUCTS_UPDATE: ProductPayload;
  readonly SHOP_REDACT: ShopRedactPayload;
  readonly SHOP_UPDATE: ShopPayload;
}

/**
 * The payload of a topic, given as a constant; of several, one of theirs. Nothing checks it while
 * the app runs: the `schema` of a handler does.
 * @example
 * onProduct(@Payload() product: WebhookPayload<'PRODUCTS_CREATE'>) {}
 */
export type WebhookPayload<Topic extends string> = Topic extends keyof WebhookPayloads
  ? WebhookPayloads[Topic]
  : Untyped;

/** What a delivery's type argument says of its payload: it is a topic, or the payload's type. */
export type PayloadOf<T> = IsAny<T> extends true ? T : T extends string ? WebhookPayload<T> : T;

/** The topic of a delivery whose type argument names one. */
export type TopicOf<T> = IsAny<T> extends true ? string : T extends string ? T : string;

type IsAny<T> = 0 extends 1 & T ? true : false;
