import type { AuthHooks } from '../../auth/auth.options.js';
import type { AuthService } from '../../auth/auth.service.js';
import type { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import type { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import type { SignedRequestAuthenticator } from '../../auth/signed/signed-request.authenticator.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { FutureFlags } from '../../core/config/future-flags.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import type { PlatformRoutes } from '../../platform/host/platform-routes.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';

/** What an `ExpressIntegration` works with. */
export interface ExpressDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly api: PlatformApi;
  readonly hooks: AuthHooks;
  readonly auth: AuthService;
  readonly billingGate: BillingGate;
  readonly webhooks: WebhookReceiver;
  readonly registry: WebhookRegistry;
  readonly webhooksPage: WebhooksPageEndpoint;
  readonly routes: PlatformRoutes;
  readonly inFlight: InFlight;
  readonly discovery: HandlerDiscovery;
  readonly appProxy: AppProxyAuthenticator;
  readonly extensions: ExtensionAuthenticator;
  readonly signed: SignedRequestAuthenticator;
}

/** What an Express app wires its routes with. */
export interface ExpressConfig {
  readonly auth: { readonly path: string; readonly callbackPath: string };
  readonly webhooks: { readonly path: string };
  readonly exitIframePath: string;
  readonly useOnlineTokens: boolean;
  readonly future: FutureFlags;
  readonly hooks: AuthHooks;
  readonly sessionStorage: SessionStorage;
  readonly logger: PlatformLogger;
}

/**
 * A view of the config, read at use: a Nest app may move the paths below its global prefix. Frozen,
 * as nothing would come of setting a field.
 */
export function expressConfig({
  config,
  hooks,
  storage,
  logger,
}: Pick<ExpressDependencies, 'config' | 'hooks' | 'storage' | 'logger'>): ExpressConfig {
  const { paths, useOnlineTokens, future } = config;
  return Object.freeze({
    auth: {
      get path() {
        return paths.auth;
      },
      get callbackPath() {
        return paths.authCallback;
      },
    },
    webhooks: {
      get path() {
        return paths.webhooks;
      },
    },
    get exitIframePath() {
      return paths.exitIframe;
    },
    useOnlineTokens,
    future,
    hooks,
    sessionStorage: storage,
    logger,
  });
}
