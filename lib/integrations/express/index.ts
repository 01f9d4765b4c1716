/**
 * The toolkit as Express middleware.
 * @module shopwright/express
 */
export { platformApp, platformApp as shopifyApp } from './platform-app.js';
export type { ExpressApp } from './platform-app.js';
export type { ExpressConfig } from './express-config.js';
export type {
  ExpressErrorHandler,
  ExpressHandler,
  ExpressNext,
  ExpressRequest,
  ExpressResponse,
  RedirectOutOfApp,
  RedirectOutOfApp as RedirectOutOfAppFunction,
  RedirectOutOfAppParams,
  RedirectOutOfAppParams as RedirectOutOfAppInnerParams,
  RequirePlan,
  WebhooksPageOptions,
} from './express-handler.js';
export { ExpressIntegration } from './express.integration.js';
export type { ExpressAppProxy, ExpressSignedRequest, PlatformLocals } from './express-locals.js';
export type { ExtensionOptions } from '../../auth/public/extension.authenticator.js';
export type { LiquidInit } from '../../auth/public/liquid.js';
export type {
  ExpressApiOptions,
  ExpressApiOptions as ExpressApiConfigParams,
  ExpressAppOptions,
} from './express.options.js';
export type * from './type-names.js';
export type { WebhookHandlerMap as WebhookHandlersParam } from '../../webhooks/handlers/handlers-by-topic.js';

export * from '../../platform/exports.js';
