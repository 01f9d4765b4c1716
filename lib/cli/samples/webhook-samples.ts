import type { WebhookPayloads } from '../../webhooks/payloads/webhook-payload.js';
import {
  appSubscriptionSample,
  approachingCapSample,
  bulkOperationSample,
  customerRedactSample,
  dataRequestSample,
  oneTimePurchaseSample,
  scopesSample,
  shopRedactSample,
} from './app-samples.js';
import { customerSample } from './customer-samples.js';
import { fulfillmentSample, orderIn, orderSample } from './order-samples.js';
import { collectionSample, productSample } from './product-samples.js';
import { UPDATED, globalId } from './sample-values.js';
import { inventoryItemSample, shopSample } from './shop-samples.js';

const { id, admin_graphql_api_id } = inventoryItemSample;
const disconnected = { inventory_item_id: id, location_id: 655441491 };
const inventoryLevel = {
  ...disconnected,
  admin_graphql_api_id: globalId('InventoryLevel', `655441491?inventory_item_id=${id}`),
  available: 75,
  updated_at: UPDATED,
};
const fulfilled = orderIn({ fulfillment_status: 'fulfilled', fulfillments: [fulfillmentSample] });

/** A payload for each topic whose shape is known; the compiler keeps the list complete. */
const SAMPLES: {
  readonly [Topic in keyof WebhookPayloads]: (shop: string) => WebhookPayloads[Topic];
} = {
  APP_PURCHASES_ONE_TIME_UPDATE: () => oneTimePurchaseSample,
  APP_SCOPES_UPDATE: () => scopesSample,
  APP_SUBSCRIPTIONS_APPROACHING_CAPPED_AMOUNT: () => approachingCapSample,
  APP_SUBSCRIPTIONS_UPDATE: () => appSubscriptionSample,
  APP_UNINSTALLED: shopSample,
  BULK_OPERATIONS_FINISH: () => bulkOperationSample,
  COLLECTIONS_CREATE: () => collectionSample,
  COLLECTIONS_DELETE: () => ({
    id: collectionSample.id,
    admin_graphql_api_id: collectionSample.admin_graphql_api_id,
    published_scope: collectionSample.published_scope,
  }),
  COLLECTIONS_UPDATE: () => collectionSample,
  CUSTOMERS_CREATE: () => customerSample,
  CUSTOMERS_DATA_REQUEST: dataRequestSample,
  CUSTOMERS_DELETE: () => ({
    id: customerSample.id,
    admin_graphql_api_id: customerSample.admin_graphql_api_id,
    tax_exemptions: customerSample.tax_exemptions,
  }),
  CUSTOMERS_DISABLE: () => customerSample,
  CUSTOMERS_ENABLE: () => ({ ...customerSample, state: 'enabled' }),
  CUSTOMERS_REDACT: customerRedactSample,
  CUSTOMERS_UPDATE: () => customerSample,
  FULFILLMENTS_CREATE: () => fulfillmentSample,
  FULFILLMENTS_UPDATE: () => ({ ...fulfillmentSample, shipment_status: 'in_transit' }),
  INVENTORY_ITEMS_CREATE: () => inventoryItemSample,
  INVENTORY_ITEMS_DELETE: () => ({
    id,
    admin_graphql_api_id,
    country_code_of_origin: inventoryItemSample.country_code_of_origin,
    province_code_of_origin: inventoryItemSample.province_code_of_origin,
    harmonized_system_code: inventoryItemSample.harmonized_system_code,
    country_harmonized_system_codes: inventoryItemSample.country_harmonized_system_codes,
  }),
  INVENTORY_ITEMS_UPDATE: () => inventoryItemSample,
  INVENTORY_LEVELS_CONNECT: () => inventoryLevel,
  INVENTORY_LEVELS_DISCONNECT: () => disconnected,
  INVENTORY_LEVELS_UPDATE: () => inventoryLevel,
  ORDERS_CANCELLED: () => orderIn({ cancelled_at: UPDATED, cancel_reason: 'customer' }),
  ORDERS_CREATE: () => orderSample,
  ORDERS_DELETE: () => ({ id: orderSample.id }),
  ORDERS_FULFILLED: () => fulfilled,
  ORDERS_PAID: () => orderSample,
  ORDERS_PARTIALLY_FULFILLED: () => orderIn({ ...fulfilled, fulfillment_status: 'partial' }),
  ORDERS_UPDATED: () => orderSample,
  PRODUCTS_CREATE: () => productSample,
  PRODUCTS_DELETE: () => ({ id: productSample.id }),
  PRODUCTS_UPDATE: () => productSample,
  SHOP_REDACT: shopRedactSample,
  SHOP_UPDATE: shopSample,
};

/**
 * A payload as the platform delivers it for a topic, given as a constant; `undefined` for a topic
 * whose payload is not known.
 * @param shop the domain that the payload names
 */
export function webhookSample(topic: string, shop: string): object | undefined {
  return Object.hasOwn(SAMPLES, topic) ? SAMPLES[topic as keyof WebhookPayloads](shop) : undefined;
}
