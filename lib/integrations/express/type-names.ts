// Types of the bundle under the names that apps know from the platform's own Express package.
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { ExpressIntegration } from './express.integration.js';
import type { ExpressAppOptions } from './express.options.js';
import type { ExpressApp } from './platform-app.js';

/** The options of an app; the type of its storage makes no difference. */
export type AppConfigParams<
  Resources extends ResourceSet = RegisteredResources,
  _Storage = unknown,
> = ExpressAppOptions<Resources>;

/** An app by the type of its options, as in `ShopifyApp<typeof options>`. */
export type ShopifyApp<Options extends AppConfigParams = AppConfigParams> = ExpressApp<
  ResourcesIn<Options>
>;

/** The resources that options hold; those that are registered where they hold none. */
type ResourcesIn<Options> = Options extends {
  readonly api: { readonly restResources: infer Resources extends ResourceSet };
}
  ? Resources
  : Options extends ExpressAppOptions<infer Resources>
    ? Resources
    : RegisteredResources;

export type AuthMiddleware = ExpressIntegration['auth'];
export type ValidateAuthenticatedSessionMiddleware =
  ExpressIntegration['validateAuthenticatedSession'];
export type EnsureInstalledMiddleware = ExpressIntegration['ensureInstalledOnShop'];
export type CspHeadersMiddleware = ExpressIntegration['cspHeaders'];
export type RedirectToShopifyOrAppRootMiddleware = ExpressIntegration['redirectToShopifyOrAppRoot'];
export type ProcessWebhooksMiddleware = ExpressIntegration['processWebhooks'];
export type ProcessWebhooksMiddlewareParams = NonNullable<Parameters<ProcessWebhooksMiddleware>[0]>;
