import { bind } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { PlatformLogger } from '../../core/logger.js';
import { Telemetry } from '../../core/telemetry/telemetry.js';
import { Clock } from '../../core/time/clock.js';
import { SessionCheck } from '../admin/session-check.js';
import { ApiClients } from '../clients/shop-clients.js';
import { SessionTokenVerifier } from '../credentials/session-token.verifier.js';
import { QueryHmacAuthenticator } from '../signed/query-hmac.authenticator.js';
import { ShopSessions } from '../signed/shop-sessions.js';
import { SignedRequestAuthenticator } from '../signed/signed-request.authenticator.js';
import { TokenManager } from '../tokens/token-manager.js';
import { AppProxyAuthenticator } from './app-proxy.authenticator.js';
import { ExtensionAuthenticator } from './extension.authenticator.js';

/** What queries are checked with. */
const CHECKED = { clock: Clock, logger: PlatformLogger, keys: SecretKeys };

/** Who sends a request that does not come from the admin. */
export const PUBLIC_BINDINGS = [
  bind(
    ShopSessions,
    { tokens: TokenManager, clients: ApiClients, check: SessionCheck },
    (dependencies) => new ShopSessions(dependencies),
  ),
  bind(
    SignedRequestAuthenticator,
    { logger: PlatformLogger, keys: SecretKeys, shops: ShopSessions, telemetry: Telemetry },
    (dependencies) => new SignedRequestAuthenticator(dependencies),
  ),
  bind(
    QueryHmacAuthenticator,
    { ...CHECKED, telemetry: Telemetry },
    (dependencies) => new QueryHmacAuthenticator(dependencies),
  ),
  bind(
    AppProxyAuthenticator,
    { ...CHECKED, shops: ShopSessions, telemetry: Telemetry },
    (dependencies) => new AppProxyAuthenticator(dependencies),
  ),
  bind(
    ExtensionAuthenticator,
    {
      config: PlatformConfig,
      logger: PlatformLogger,
      sessionTokens: SessionTokenVerifier,
      telemetry: Telemetry,
    },
    (dependencies) => new ExtensionAuthenticator(dependencies),
  ),
];
