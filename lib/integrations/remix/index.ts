/**
 * The toolkit for Remix, and for every other host that speaks web `Request` and `Response`.
 * @module shopwright/remix
 */
export { platformApp, platformApp as shopifyApp } from './platform-app.js';
export type { RemixApp } from './platform-app.js';
export { RemixIntegration } from './remix.integration.js';
export type { RemixAppOptions } from './remix.options.js';
export type { WebAdminContext as RemixAdminContext } from '../web/web-context.js';
export type { WebScopes as RemixScopes } from '../web/web-scopes.js';
export type { AdminContext, RemixAppOf, RemixAppOf as ShopifyApp } from './type-names.js';
export * from '../web/exports.js';

export * from '../../platform/exports.js';
