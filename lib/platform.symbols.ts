/** What the faces of every host hand out besides the host itself. Nothing here loads Nest. */
export { ApiVersion } from './core/api-version.js';
export type { ApiSession } from './core/api.session.js';
export { Clock } from './core/clock.js';
export { AppDistribution } from './core/config/config.options.js';
export type { PlatformConfig } from './core/config/platform.config.js';
export * from './core/core.errors.js';
export { PlatformError as ShopifyError } from './core/core.errors.js';
export type { SessionTokenPayload, SessionTokenPayload as JwtPayload } from './core/crypto/session-token.verifier.js';
export * from './core/http/http.errors.js';
export { LogSeverity } from './core/logger.js';
export type { LogSink, LoggerOption, LoggerServiceLike, PlatformLogger } from './core/logger.js';
export { AuthScopes } from './core/scopes.js';

export { InvalidSession, SessionStorageError } from './sessions/sessions.errors.js';
export { Session } from './sessions/session.js';
export type { OnlineAccessInfo, OnlineAccessUser, SessionParams } from './sessions/session.js';
export { SessionStorage } from './sessions/session.storage.js';
export { MemorySessionStorage } from './sessions/storages/memory/memory-session.storage.js';
export { WebhookInbox } from './sessions/webhook.inbox.js';

export type { RestClient, RestResponse } from './rest-client/rest.client.js';
export type { GraphqlClient } from './graphql-client/graphql.client.js';
export { GraphqlQueryError } from './graphql-client/graphql-client.errors.js';
export type { GraphqlError } from './graphql-client/graphql-client.errors.js';
export type { GraphqlResult } from './graphql-client/graphql.result.js';

export type { AdminContext } from './auth/admin/admin.context.js';
export * from './auth/auth.errors.js';
export type { AuthHooks } from './auth/auth.options.js';

export type { WebhookDelivery } from './webhooks/webhook.delivery.js';
export type { HttpWebhookHandler, WebhookCallback, WebhookHandlerMap, WebhookHandlerOption } from './webhooks/webhook.handler-map.js';
export type { RegisterResult } from './webhooks/webhook.registrar.js';
export { DeliveryMethod } from './webhooks/webhook.subscription.js';
export type { WebhookVerification } from './webhooks/webhook.verifier.js';
export * from './webhooks/webhooks.errors.js';

export { InvalidWebhookError } from './platform.api.webhooks.js';
export type { ClientParams, PlatformApi } from './platform.api.js';
