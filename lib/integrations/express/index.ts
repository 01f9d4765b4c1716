/**
 * The toolkit as Express middleware.
 * @module shopwright/express
 */
export { platformApp, platformApp as shopifyApp } from './platform-app.js';
export type { ExpressApp } from './platform-app.js';
export type { ExpressConfig } from './express-config.js';
export type {
  ExpressHandler,
  ExpressNext,
  ExpressRequest,
  ExpressResponse,
  RedirectOutOfApp,
  RedirectOutOfAppParams,
  RequirePlan,
} from './express-handler.js';
export { ExpressIntegration } from './express.integration.js';
export type { PlatformLocals } from './express-locals.js';
export type { ExpressApiOptions, ExpressAppOptions } from './express.options.js';

export * from '../../platform/exports.js';
