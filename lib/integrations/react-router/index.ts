/**
 * The toolkit for React Router as a framework, versions 7 and 8.
 * @module shopwright/react-router
 */
export { platformApp, platformApp as shopifyApp } from './platform-app.js';
export type { ReactRouterApp } from './platform-app.js';
export { ReactRouterIntegration } from './react-router.integration.js';
export type { ReactRouterAppOptions } from './react-router.options.js';
export type { WebAdminContext as ReactRouterAdminContext } from '../web/web-context.js';
export type { WebScopes as ReactRouterScopes } from '../web/web-scopes.js';
export type {
  AdminContext,
  ReactRouterAppOf,
  ReactRouterAppOf as ShopifyApp,
} from './type-names.js';
export * from '../web/exports.js';

export * from '../../platform/exports.js';
