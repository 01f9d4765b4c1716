// Types of the bundle under the names that apps know from the platform's own Express package.
import type { ExpressIntegration } from './express.integration.js';

export type AuthMiddleware = ExpressIntegration['auth'];
export type ValidateAuthenticatedSessionMiddleware =
  ExpressIntegration['validateAuthenticatedSession'];
export type EnsureInstalledMiddleware = ExpressIntegration['ensureInstalledOnShop'];
export type CspHeadersMiddleware = ExpressIntegration['cspHeaders'];
export type RedirectToShopifyOrAppRootMiddleware = ExpressIntegration['redirectToShopifyOrAppRoot'];
export type ProcessWebhooksMiddleware = ExpressIntegration['processWebhooks'];
export type ProcessWebhooksMiddlewareParams = NonNullable<Parameters<ProcessWebhooksMiddleware>[0]>;
