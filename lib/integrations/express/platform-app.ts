import { createHostApp } from '../../platform/host/host-app.js';
import type { HostApp } from '../../platform/host/host-app.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { ExpressIntegration } from './express.integration.js';
import {
  expressNameOf,
  problemsInExpress,
  toPlatformOptions,
  unknownInExpress,
} from './express.options.js';
import type { ExpressAppOptions } from './express.options.js';
import { EXPRESS_BINDINGS } from './express.providers.js';

/** The Express bundle as an app of its own. */
export interface ExpressApp<Resources extends ResourceSet = RegisteredResources>
  extends ExpressIntegration<Resources>, HostApp {}

/**
 * Everything an Express app for the platform's admin needs. Returns at once, and needs no Nest.
 * Only for `modules` a Nest container boots in the background; a boot that fails surfaces on first
 * use and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const shopify = platformApp({ api: { apiVersion: ApiVersion.July26, scopes: ['write_products'] }, sessionStorage });
 * app.use(shopify.routes());
 * app.use('/api', shopify.validateAuthenticatedSession());
 * app.get('/', shopify.ensureInstalledOnShop(), (req, res) => res.sendFile(page));
 */
export function platformApp<Resources extends ResourceSet = RegisteredResources>(
  options: ExpressAppOptions<Resources>,
): ExpressApp<Resources> {
  const given: ExpressAppOptions<Resources> = options ?? {};
  return createHostApp<ExpressIntegration<ResourceSet>>({
    integration: ExpressIntegration,
    bindings: EXPRESS_BINDINGS,
    options: toPlatformOptions(given),
    context: {
      nameOf: (option) => expressNameOf(option, given),
      problems: problemsInExpress(given),
      unknownOptions: unknownInExpress(given),
    },
    modules: given.modules,
  }) as ExpressApp<Resources>;
}
