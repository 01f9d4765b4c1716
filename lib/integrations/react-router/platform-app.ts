import type { AppDistribution } from '../../core/config/config.options.js';
import type { HostApp } from '../../platform/host/host-app.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { REACT_ROUTER_CONVENTIONS } from '../web/route-conventions.js';
import type { IsEmbedded, Distributed, MemberOptions, StorageOption } from '../web/app-members.js';
import { createWebApp } from '../web/web-app.js';
import type { PolarisOption, WebAppOptions } from '../web/web.options.js';
import { ReactRouterIntegration } from './react-router.integration.js';
import { REACT_ROUTER_BINDINGS } from './react-router.providers.js';

/** The object for React Router as an app of its own. */
export interface ReactRouterApp<
  Resources extends ResourceSet = RegisteredResources,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
>
  extends ReactRouterIntegration<Resources, Embedded, Storage>, HostApp {}

const HOST = {
  integration: ReactRouterIntegration<ResourceSet>,
  bindings: REACT_ROUTER_BINDINGS,
  conventions: REACT_ROUTER_CONVENTIONS,
};

/**
 * Everything a React Router app for the platform's admin needs. Returns at once, and needs no Nest.
 * Only for `modules` a Nest container boots in the background; a boot that fails surfaces on first
 * use and from `ready()`.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 * @example
 * const app = platformApp({ apiVersion: ApiVersion.July26, scopes: ['write_products'], appUrl, sessionStorage });
 * export const { authenticate, login, addDocumentResponseHeaders } = app;
 */
export function platformApp<
  Resources extends ResourceSet = RegisteredResources,
  Distribution extends AppDistribution = AppDistribution,
  // Inferred from nothing: with the same list the function can take the place of Remix's.
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
>(
  options: Omit<WebAppOptions<Resources>, 'isEmbeddedApp'> &
    Omit<MemberOptions<Distribution, Embedded, Storage>, 'isEmbeddedApp'> &
    PolarisOption &
    StorageOption<Distribution> & { readonly isEmbeddedApp?: never },
): Distributed<ReactRouterApp<Resources, IsEmbedded<Distribution, true>, Storage>, Distribution>;
export function platformApp(options: WebAppOptions<ResourceSet> & PolarisOption): unknown {
  return createWebApp(HOST, options);
}
