/**
 * The toolkit for NestJS apps: modules, decorators, guards and services, and every symbol that
 * needs no Nest besides.
 * @module shopwright
 */
export { HOSTS, PlatformModule } from './platform.module.js';
export type { PathOptions } from './core/config/config.options.js';
export type { PlatformExtras } from './platform/nest/platform-module.factory.js';
export { getPlatformOptionsToken } from './platform/nest/platform.module-definition.js';
export type {
  PlatformModuleAsyncOptions,
  PlatformModuleOptions,
  PlatformOptionsFactory,
} from './platform/nest/platform.module-definition.js';
export { InjectPlatform } from './platform/nest/inject-platform.decorator.js';
export type { PlatformOptions } from './platform/kernel/platform.options.js';
export { getPlatformToken } from './platform/nest/platform-tokens.js';
export { bind, typedToken } from './core/binding.js';
export type { Binding, Token, TypedToken } from './core/binding.js';
export type { PlatformPlugin, PlatformModules } from './core/nest/platform-plugin.js';

export { AuthenticatedSessionGuard } from './integrations/nest/session.guard.js';
export type { UnauthenticatedStrategy } from './integrations/nest/session.guard.js';
export {
  OnUnauthenticated,
  UseOfflineSession,
  UseOnlineSession,
} from './integrations/nest/session-routes.decorator.js';
export type { SessionRouteOptions } from './integrations/nest/session-routes.decorator.js';
export { PlanGuard, RequiresPlan } from './integrations/nest/plan.guard.js';
export type { RequiresPlanOptions } from './integrations/nest/plan.guard.js';
export { AppProxyGuard } from './integrations/nest/app-proxy.guard.js';
export {
  CheckoutGuard,
  CustomerAccountGuard,
  ExtensionGuard,
  PosGuard,
} from './integrations/nest/extension.guard.js';
export type { ExtensionGuardClass } from './integrations/nest/extension.guard.js';
export {
  BodyHmacGuard,
  FlowGuard,
  FulfillmentServiceGuard,
  QueryHmacGuard,
  SignedRequestGuard,
} from './integrations/nest/signed.guard.js';
export { TokenRefusedFilter } from './integrations/nest/token-refused.filter.js';
export { RequestGuard } from './integrations/nest/request.guard.js';
export { RefusedOperationException } from './integrations/nest/transport-exceptions.js';
export type { RefusedMessage } from './integrations/nest/transport-exceptions.js';
export { sessionTokenRequest } from './integrations/nest/guarded-request.js';
export type { GuardedRequest } from './integrations/nest/guarded-request.js';
export type { AppProxyContext, SignedContext } from './integrations/nest/signed-contexts.js';
export type { PlatformGuardClass } from './integrations/nest/named-guard.js';
export type { ExtensionOptions, ExtensionSurface } from './auth/public/extension.authenticator.js';
export type { LiquidInit } from './auth/public/liquid.js';
export type { ExtensionTokenPayload } from './auth/credentials/session-token.js';
export {
  AdminApi,
  AppProxy,
  BillingApi,
  CurrentSession,
  DeliveryId,
  FlowActionRun,
  FulfillmentNotification,
  ScopesApi,
  SessionToken,
  Shop,
  SignedBody,
  StorefrontApi,
  Topic,
  WebhookContext,
} from './integrations/nest/parameters.js';
export type { ExpressErrorHandler } from './integrations/express/express-handler.js';
export { ExpressIntegration } from './integrations/express/express.integration.js';
export { ReactRouterIntegration } from './integrations/react-router/react-router.integration.js';
export { RemixIntegration } from './integrations/remix/remix.integration.js';

export { Payload } from './webhooks/handlers/payload.decorator.js';
export { FlowAction, FulfillmentService } from './webhooks/signed/signed-handler.decorator.js';
export type { SignedHandlerOptions } from './webhooks/signed/signed-handler.decorator.js';
export { WebhookHandler } from './webhooks/handlers/webhook.decorator.js';
export { WebhooksPageModule } from './integrations/nest/webhooks-page.module.js';
export type { WebhooksPageModuleOptions } from './integrations/nest/webhooks-page.module.js';
export type { WebhookHandlerOptions } from './webhooks/handlers/webhook.decorator.js';
export { isWebhookContext } from './webhooks/handlers/webhook-handler.factory.js';
export { DeadLetters } from './webhooks/queue/dead-letters.js';
export { WebhookIngest } from './webhooks/ingest/webhook-ingest.js';
export { WebhookReceiver } from './webhooks/deliveries/webhook.receiver.js';
export { WebhookRegistrar } from './webhooks/subscriptions/webhook.registrar.js';
export { WebhookRollout } from './webhooks/subscriptions/webhook-rollout.js';
export { WebhookRegistry } from './webhooks/handlers/webhook.registry.js';

export { AuthService } from './auth/auth.service.js';
export {
  OnInstalled,
  OnReauthorizationNeeded,
  OnReinstalled,
  OnScopesChanged,
  OnUninstalled,
} from './auth/lifecycle/lifecycle.decorator.js';
export type { LifecycleHandlerOptions } from './auth/lifecycle/lifecycle.decorator.js';
export { Lifecycle } from './auth/lifecycle/lifecycle.js';
export { ScopesService } from './auth/scopes/scopes.service.js';
export { SessionScopes } from './auth/scopes/session-scopes.js';

export { BillingGate } from './billing/billing-gate.js';
export type { BillingAnswered, BillingDecision, BillingGranted } from './billing/billing-gate.js';
export { BillingService } from './billing/billing.service.js';
export { SessionBilling } from './billing/session-billing.js';

export { createAdminRestApiClient } from './rest-client/admin-rest-api-client.js';
export { createAdminApiClient } from './graphql-client/admin-api-client.js';
export { createStorefrontApiClient } from './graphql-client/storefront-api-client.js';
export { describeSessionStorage } from './sessions/conformance/session-storage.conformance.js';
export { LoginErrorType } from './auth/login/login.js';
export { PlatformClients } from './platform/api/platform-clients.js';
export { RestClientModule } from './rest-client/rest-client.module.js';
export { AdminRestClient } from './rest-client/admin-rest.client.js';
export { GraphqlClientModule } from './graphql-client/graphql-client.module.js';
export { AdminGraphqlClient } from './graphql-client/admin-graphql.client.js';
export { StorefrontGraphqlClient } from './graphql-client/storefront-graphql.client.js';
export { AdminBulkClient } from './graphql-client/bulk/admin-bulk.client.js';

export { PlatformConfig } from './core/config/platform-config.js';
export { PlatformLogger } from './core/logger.js';
export * from './platform/exports.js';
