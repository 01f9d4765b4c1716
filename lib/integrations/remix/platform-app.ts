import { createHostApp } from '../../platform/host/host-app.js';
import type { HostApp } from '../../platform/host/host-app.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { RemixIntegration } from './remix.integration.js';
import { remixNameOf, toPlatformOptions } from './remix.options.js';
import type { RemixAppOptions } from './remix.options.js';
import { REMIX_BINDINGS } from './remix.providers.js';

/** The object for Remix and React Router as an app of its own. */
export interface RemixApp<Resources extends ResourceSet = RegisteredResources>
  extends RemixIntegration<Resources>, HostApp {}

/**
 * Everything a Remix or React Router app for the platform's admin needs. Returns at once, and needs
 * no Nest. Only for `modules` a Nest container boots in the background; a boot that fails surfaces
 * on first use and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const app = platformApp({ apiVersion: ApiVersion.July26, scopes: ['write_products'], appUrl, sessionStorage });
 * export const { authenticate, login, addDocumentResponseHeaders } = app;
 */
export function platformApp<Resources extends ResourceSet = RegisteredResources>(
  options: RemixAppOptions<Resources>,
): RemixApp<Resources> {
  return createHostApp<RemixIntegration<ResourceSet>>({
    integration: RemixIntegration,
    bindings: REMIX_BINDINGS,
    options: toPlatformOptions(options),
    context: { nameOf: remixNameOf, receivesWebhooks: false },
    modules: options.modules,
  }) as RemixApp<Resources>;
}
