import type { AppDistribution } from '../../core/config/config.options.js';
import type { HostApp } from '../../platform/host/host-app.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { REMIX_CONVENTIONS } from '../web/route-conventions.js';
import type { IsEmbedded, Distributed, MemberOptions, StorageOption } from '../web/app-members.js';
import { createWebApp } from '../web/web-app.js';
import type { WebAppOptions } from '../web/web.options.js';
import { RemixIntegration } from './remix.integration.js';
import { REMIX_BINDINGS } from './remix.providers.js';

/** The object for Remix as an app of its own. */
export interface RemixApp<
  Resources extends ResourceSet = RegisteredResources,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
>
  extends RemixIntegration<Resources, Embedded, Storage>, HostApp {}

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
export function platformApp<
  Resources extends ResourceSet = RegisteredResources,
  Distribution extends AppDistribution = AppDistribution,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
>(
  options: WebAppOptions<Resources> &
    MemberOptions<Distribution, Embedded, Storage> &
    StorageOption<Distribution>,
): Distributed<RemixApp<Resources, IsEmbedded<Distribution, Embedded>, Storage>, Distribution>;
export function platformApp(options: WebAppOptions<ResourceSet>): unknown {
  return createWebApp(HOST, options);
}
