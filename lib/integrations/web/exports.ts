/** What the entry points of all hosts of web requests export beside the host itself. */
export { boundary } from './app-boundary.js';
export type { Boundary, BoundaryElement, BoundaryHeadersArgs } from './boundary.js';
export { LoginErrorType } from '../../auth/login/login.js';
export type { LoginError } from '../../auth/login/login.js';
export type { UnauthenticatedAdminContext } from './web.integration.js';
export type { RedirectFunction, RedirectInit } from './web-redirect.js';
export * from './web.errors.js';
