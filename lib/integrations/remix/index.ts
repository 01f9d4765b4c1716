/**
 * The toolkit for Remix, React Router and every other host that speaks web `Request` and
 * `Response`.
 * @module shopwright/remix
 */
export { platformApp, platformApp as shopifyApp } from './platform-app.js';
export type { RemixApp } from './platform-app.js';
export { RemixIntegration } from './remix.integration.js';
export type { RemixAdminContext } from './remix-context.js';
export type { UnauthenticatedAdminContext } from './remix.integration.js';
export { boundary } from '../web/app-boundary.js';
export type { Boundary, BoundaryElement, BoundaryHeadersArgs } from '../web/boundary.js';
export * from '../web/web.errors.js';
export { LoginErrorType } from '../../auth/login/login.js';
export type { LoginError } from '../../auth/login/login.js';
export type { RemixAppOptions } from './remix.options.js';
export type { RedirectFunction, RedirectInit } from './remix-redirect.js';
export type { RemixScopes } from './remix-scopes.js';

export * from '../../platform/exports.js';
