/** What the entry points of all hosts of web requests export beside the host itself. */
export { boundary } from './app-boundary.js';
export type { Boundary, BoundaryElement, BoundaryHeadersArgs } from './boundary.js';
export { LoginErrorType } from '../../auth/login/login.js';
export type { LoginError } from '../../auth/login/login.js';
export type {
  UnauthenticatedAdminContext,
  UnauthenticatedMembers,
  UnauthenticatedStorefrontContext,
} from './web-unauthenticated.js';
export type {
  AppProxyContext,
  AppProxyContextWithSession,
  AppProxyContextWithoutSession,
  AuthenticateExtension,
  ExtensionContext,
  ExtensionContext as CheckoutContext,
  ExtensionContext as CustomerAccountContext,
  ExtensionContext as POSContext,
  LiquidResponseFunction,
  PosMember,
  PublicMembers,
} from './web-public.js';
export type { FlowContext, FulfillmentServiceContext } from './web-signed.js';
export type { LiquidInit } from '../../auth/public/liquid.js';
export type { ExtensionOptions } from '../../auth/public/extension.authenticator.js';
export type { StorefrontClient as StorefrontApiContext } from '../../graphql-client/storefront-graphql.client.js';
export type { StorefrontRequest as StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
export type { RedirectTarget } from '../../auth/admin/admin-redirect.js';
export type { RedirectFunction, RedirectInit } from './web-redirect.js';
export type * from './type-names.js';
export type { WebBilling } from './web-billing.js';
export type { EmbeddedAdminContext, StandaloneAdminContext } from './web-context.js';
export type { WebhooksPageOptions } from './web-webhooks-page.js';
export type {
  AuthenticateWebhook,
  WebhookContext,
  WebhookContextWithSession,
  WebhookContextWithoutSession,
} from './webhook-context.js';
export * from './web.errors.js';
