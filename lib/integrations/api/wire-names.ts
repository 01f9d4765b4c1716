import { EVENT_HEADERS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';

// The names that apps know from the platform's own library, and the texts they stand for.

/** Headers of the platform, as its documentation spells them. */
export enum ShopifyHeader {
  AccessToken = 'X-Shopify-Access-Token',
  ApiVersion = 'X-Shopify-API-Version',
  Domain = 'X-Shopify-Shop-Domain',
  Hmac = 'X-Shopify-Hmac-Sha256',
  Topic = 'X-Shopify-Topic',
  WebhookId = 'X-Shopify-Webhook-Id',
  Name = 'X-Shopify-Name',
  TriggeredAt = 'X-Shopify-Triggered-At',
  EventId = 'X-Shopify-Event-Id',
  StorefrontPrivateToken = 'Shopify-Storefront-Private-Token',
  StorefrontSDKVariant = 'X-SDK-Variant',
  StorefrontSDKVersion = 'X-SDK-Version',
}

/** Headers of a delivery of the events family. */
export const ShopifyEventsHeader = {
  Hmac: EVENT_HEADERS.hmac,
  Topic: EVENT_HEADERS.topic,
  Domain: EVENT_HEADERS.domain,
  ApiVersion: EVENT_HEADERS.apiVersion,
  WebhookId: EVENT_HEADERS.webhookId,
  Handle: EVENT_HEADERS.handle,
  Action: EVENT_HEADERS.action,
  TriggeredAt: EVENT_HEADERS.triggeredAt,
} as const;

/** The two families of deliveries. */
export const WebhookType = { Webhooks: 'webhooks', Events: 'events' } as const;

/** The headers of each family of deliveries. */
export const WEBHOOK_HEADER_NAMES = {
  webhooks: WEBHOOK_HEADER_TITLES,
  events: EVENT_HEADERS,
} as const;

/** What was done for a topic. */
export const WebhookOperation = { Create: 'create', Update: 'update', Delete: 'delete' } as const;
export type WebhookOperation = (typeof WebhookOperation)[keyof typeof WebhookOperation];

/** Which requests are signed over their body. */
export const HmacValidationType = {
  Flow: 'flow',
  Webhook: 'webhook',
  FulfillmentService: 'fulfillment_service',
} as const;
export type HmacValidationType = (typeof HmacValidationType)[keyof typeof HmacValidationType];

/** Why a signed body must not be believed. */
export const ValidationErrorReason = {
  MissingBody: 'missing_body',
  InvalidHmac: 'invalid_hmac',
  MissingHmac: 'missing_hmac',
} as const;

/** Why a delivery must not be believed. */
export const WebhookValidationErrorReason = {
  ...ValidationErrorReason,
  MissingHeaders: 'missing_headers',
  InvalidShop: 'invalid_shop',
} as const;

/** The interfaces of a shop's admin. */
export enum ClientType {
  Rest = 'rest',
  Graphql = 'graphql',
}

/** Content types of requests. */
export enum DataType {
  JSON = 'application/json',
  GraphQL = 'application/graphql',
  URLEncoded = 'application/x-www-form-urlencoded',
}

/** Methods of HTTP. */
export enum Method {
  Get = 'GET',
  Post = 'POST',
  Put = 'PUT',
  Patch = 'PATCH',
  Delete = 'DELETE',
  Head = 'HEAD',
  Options = 'OPTIONS',
  Connect = 'CONNECT',
}
