import type {
  AppSubscriptionPayload,
  ApproachingCapPayload,
  BulkOperationPayload,
  OneTimePurchasePayload,
  ScopesUpdatePayload,
} from '../../webhooks/payloads/app-payload.js';
import type {
  CustomerDataRequestPayload,
  CustomerRedactPayload,
  ShopRedactPayload,
} from '../../webhooks/payloads/privacy-payload.js';
import { CREATED, CURRENCY, UPDATED, globalId } from './sample-values.js';
import { SHOP_ID } from './shop-samples.js';

const charge = {
  admin_graphql_api_shop_id: globalId('Shop', SHOP_ID),
  created_at: CREATED,
  updated_at: UPDATED,
};

/** Scopes that a shop has granted, one of them just now. */
export const scopesSample: ScopesUpdatePayload = {
  id: 12,
  shop_id: globalId('Shop', SHOP_ID),
  previous: ['read_products'],
  current: ['read_products', 'write_products'],
  updated_at: UPDATED,
};

/** A subscription to the app that was approved. */
export const appSubscriptionSample: AppSubscriptionPayload = {
  app_subscription: {
    ...charge,
    admin_graphql_api_id: globalId('AppSubscription', 1029266964),
    name: 'Pro',
    status: 'ACTIVE',
    currency: CURRENCY,
    capped_amount: null,
    price: '20.00',
    interval: 'every_30_days',
    plan_handle: null,
  },
};

/** A subscription that has used most of its cap. */
export const approachingCapSample: ApproachingCapPayload = {
  app_subscription: {
    ...charge,
    admin_graphql_api_id: globalId('AppSubscription', 1029266964),
    name: 'Pro',
    balance_used: 90,
    capped_amount: '100.00',
    currency_code: CURRENCY,
  },
};

/** A one-time purchase that was approved. */
export const oneTimePurchaseSample: OneTimePurchasePayload = {
  app_purchase_one_time: {
    ...charge,
    admin_graphql_api_id: globalId('AppPurchaseOneTime', 1017262346),
    name: 'Import',
    status: 'ACTIVE',
  },
};

/** A query in bulk that was completed. */
export const bulkOperationSample: BulkOperationPayload = {
  admin_graphql_api_id: globalId('BulkOperation', 147595010),
  status: 'completed',
  type: 'query',
  error_code: null,
  created_at: CREATED,
  completed_at: UPDATED,
};

/** A shop whose data is to be erased. */
export function shopRedactSample(domain: string): ShopRedactPayload {
  return { shop_id: SHOP_ID, shop_domain: domain };
}

const customer = { id: 191167, email: 'erin@example.com', phone: '+1 613 555 0100' };

/** A customer whose data is to be erased. */
export function customerRedactSample(domain: string): CustomerRedactPayload {
  return { ...shopRedactSample(domain), customer, orders_to_redact: [299938, 280263] };
}

/** A customer's request for their data. */
export function dataRequestSample(domain: string): CustomerDataRequestPayload {
  return {
    ...shopRedactSample(domain),
    customer,
    orders_requested: [299938, 280263],
    data_request: { id: 9999 },
  };
}
