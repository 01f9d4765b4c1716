import { bind } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { PlatformLogger } from '../../core/logger.js';
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

/** Who sends a request that does not come from the admin. */
export const PUBLIC_BINDINGS = [
  bind(
    ShopSessions,
    { tokens: TokenManager, clients: ApiClients, check: SessionCheck },
    (dependencies) => new ShopSessions(dependencies),
  ),
  bind(
    SignedRequestAuthenticator,
    { logger: PlatformLogger, keys: SecretKeys, shops: ShopSessions },
    (dependencies) => new SignedRequestAuthenticator(dependencies),
  ),
  bind(
    QueryHmacAuthenticator,
    { clock: Clock, logger: PlatformLogger, keys: SecretKeys },
    (dependencies) => new QueryHmacAuthenticator(dependencies),
  ),
  bind(
    AppProxyAuthenticator,
    { clock: Clock, logger: PlatformLogger, keys: SecretKeys, shops: ShopSessions },
    (dependencies) => new AppProxyAuthenticator(dependencies),
  ),
  bind(
    ExtensionAuthenticator,
    { config: PlatformConfig, logger: PlatformLogger, sessionTokens: SessionTokenVerifier },
    (dependencies) => new ExtensionAuthenticator(dependencies),
  ),
];
