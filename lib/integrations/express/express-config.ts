import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { SessionStorage } from '../../sessions/session.storage.js';

/** What an Express app wires its routes with. */
export interface ExpressConfig {
  readonly auth: { readonly path: string; readonly callbackPath: string };
  readonly webhooks: { readonly path: string };
  readonly exitIframePath: string;
  readonly useOnlineTokens: boolean;
  readonly sessionStorage: SessionStorage;
  readonly logger: PlatformLogger;
}

/** A view of the config, read at use: a Nest app may move the paths below its global prefix. */
export function expressConfig({
  config,
  storage,
  logger,
}: {
  readonly config: PlatformConfig;
  readonly storage: SessionStorage;
  readonly logger: PlatformLogger;
}): ExpressConfig {
  const { paths, useOnlineTokens } = config;
  return {
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
    sessionStorage: storage,
    logger,
  };
}
