import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import { queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { sessionInCookie } from '../credentials/session-cookie.js';
import { bearerToken, checkSessionToken } from '../credentials/session-token.verifier.js';
import type { SessionTokenVerifier } from '../credentials/session-token.verifier.js';
import { SHOP_MISMATCH, deniedForShop } from '../responses/auth-responses.js';
import { Session, customAppSession } from '../../sessions/session.js';
import type { AdminDecision, AdminResponses } from './admin-responses.js';
import type { SessionCheck } from './session-check.js';

/** What a {@link StandaloneAuthenticator} works with. */
interface StandaloneAuthenticatorDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: SessionStorage;
  readonly check: SessionCheck;
  readonly responses: AdminResponses;
}

/** Authenticates requests of an app that is not embedded: by its cookie, or as a custom app. */
export class StandaloneAuthenticator {
  constructor(private readonly dependencies: StandaloneAuthenticatorDependencies) {}

  /** Decides about a request of the app's own pages and API. */
  authenticate(request: InboundRequest): Promise<AdminDecision> {
    return this.dependencies.config.isCustomStoreApp
      ? this.#customApp(request)
      : this.#byCookie(request);
  }

  async #byCookie(request: InboundRequest): Promise<AdminDecision> {
    const { config, storage, check, responses } = this.dependencies;
    const asked = queryShop(request);
    if (asked === null) return deniedForShop(asked);
    const named = sessionInCookie(request, this.dependencies);
    const session = named && (await storage.loadSession(named.id));
    const shop = asked ?? session?.shop;
    if (shop === undefined) {
      if (wantsDocument(request)) return responses.withoutShop(request, shop);
      return denied(401, 'session_missing', 'This request belongs to no session of the app.');
    }
    // With online tokens, the app's own session must not stand in for a user's.
    const fits =
      named?.isFresh && session?.shop === shop && (session.isOnline || !config.useOnlineTokens);
    const decision = await check.ensureGood(fits ? session : undefined);
    if (decision.kind === 'problem') return responses.reauthorize(request, shop, decision.problem);
    if (decision.kind !== 'good') return decision;
    // Others may have waited for what it was renewed to.
    const own = decision.session === session ? session : new Session(decision.session);
    return responses.granted(request, own);
  }

  /**
   * The fixed token of a custom app serves one shop and knows no users: outside of the admin, who
   * may call is for the app to decide. A session token is verified all the same.
   */
  async #customApp(request: InboundRequest): Promise<AdminDecision> {
    const { responses } = this.dependencies;
    const bearer = bearerToken(request);
    const token = bearer === undefined ? undefined : checkSessionToken(bearer, this.dependencies);
    if (token?.kind === 'denied') return token;
    const asked = queryShop(request);
    const shop = asked === undefined && token ? token.shop : asked;
    if (shop === undefined || shop === null) return deniedForShop(shop);
    if (token && shop !== token.shop) return SHOP_MISMATCH;
    return responses.granted(request, customAppSession(shop), token);
  }
}
