import type { HostApp } from '../../platform/host/host-app.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import { REMIX_CONVENTIONS } from '../web/route-conventions.js';
import { createWebApp } from '../web/web-app.js';
import { RemixIntegration } from './remix.integration.js';
import type { RemixAppOptions } from './remix.options.js';
import { REMIX_BINDINGS } from './remix.providers.js';

/** The object for Remix as an app of its own. */
export interface RemixApp<Resources extends ResourceSet = RegisteredResources>
  extends RemixIntegration<Resources>, HostApp {}

const HOST = {
  integration: RemixIntegration<ResourceSet>,
  bindings: REMIX_BINDINGS,
  conventions: REMIX_CONVENTIONS,
};

/**
 * Everything a Remix app for the platform's admin needs. Returns at once, and needs no Nest. Only
 * for `modules` a Nest container boots in the background; a boot that fails surfaces on first use
 * and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const app = platformApp({ apiVersion: ApiVersion.July26, scopes: ['write_products'], appUrl, sessionStorage });
 * export const { authenticate, login, addDocumentResponseHeaders } = app;
 */
export function platformApp<Resources extends ResourceSet = RegisteredResources>(
  options: RemixAppOptions<Resources>,
): RemixApp<Resources> {
  return createWebApp(HOST, options) as RemixApp<Resources>;
}
