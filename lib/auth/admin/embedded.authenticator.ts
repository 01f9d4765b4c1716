import { attachRequest } from '../../core/session-request.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import type { AccessMode } from '../../core/config/config.options.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { isFramed, queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import {
  checkSessionToken,
  sessionIdFor,
  sessionTokenOf,
} from '../credentials/session-token.verifier.js';
import type {
  SessionTokenVerifier,
  SessionTokenDenied,
  VerifiedSessionToken,
} from '../credentials/session-token.verifier.js';
import type { OAuthStart } from '../oauth/oauth-start.js';
import { SHOP_MISMATCH, deniedForShop } from '../responses/auth-responses.js';
import type { AuthResponse, SessionProblem } from '../responses/auth-responses.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { deniedForCrawler } from '../responses/crawlers.js';
import type { ScopesMismatch } from '../scopes/scopes-mismatch.js';
import type { Stale } from '../tokens/token-grants.js';
import type { TokenManager } from '../tokens/token-manager.js';
import { oauthErrorCode } from '../tokens/token.client.js';
import type { AdminDecision, AdminResponses } from './admin-responses.js';
import type { NoTokenDenied, SessionCheck } from './session-check.js';
import type { TopLevelVisits } from './top-level-visits.js';

/**
 * How long a shop is remembered whose fresh tokens lack scopes that the app asks for, in
 * milliseconds.
 */
const INSUFFICIENT_FOR = 60_000;

/** What an {@link EmbeddedAuthenticator} works with. */
interface EmbeddedAuthenticatorDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly sessionTokens: SessionTokenVerifier;
  readonly tokens: TokenManager;
  readonly urls: AuthUrls;
  readonly start: OAuthStart;
  readonly scopes: ScopesMismatch;
  readonly check: SessionCheck;
  readonly responses: AdminResponses;
  readonly visits: TopLevelVisits;
}

/**
 * Authenticates requests of an embedded app by their session token. The platform is called only
 * when an access token has to be renewed.
 */
export class EmbeddedAuthenticator {
  /** Shops whose fresh tokens lack scopes. */
  readonly #insufficient: TtlSet;

  constructor(private readonly dependencies: EmbeddedAuthenticatorDependencies) {
    this.#insufficient = new TtlSet(dependencies.clock, INSUFFICIENT_FOR);
  }

  /**
   * Decides about a request of the app's own pages and API.
   * @param accessMode of the session it gets
   */
  async authenticate(
    request: InboundRequest,
    accessMode: AccessMode = this.dependencies.config.accessMode,
  ): Promise<AdminDecision> {
    const { check, tokens, scopes, responses } = this.dependencies;
    const token = checkSessionToken(sessionTokenOf(request), this.dependencies);
    if (token.kind === 'denied')
      return wantsDocument(request) ? this.#pageWithoutToken(request, token) : token;
    const { shop } = token;
    const asked = queryShop(request);
    if (asked === null) return deniedForShop(asked);
    if (asked !== undefined && asked !== shop) return SHOP_MISMATCH;
    const stored = await this.#storedSession(token, accessMode);
    const session = stored?.shop === shop ? stored : undefined;
    const problem = check.problemWith(session);
    if (session && !problem && !tokens.isDue(session))
      return responses.granted(request, session, token);
    const asksForScopes = session && problem === 'scopes_changed' && !scopes.mayContinue;
    if (asksForScopes && (await this.#isInsufficient(session)))
      return responses.reauthorize(request, shop, problem);
    return this.#withToken(request, token, { session, accessMode }, problem);
  }

  /**
   * Uses the stored session while it is good, else exchanges the session token for another one: the
   * user need not leave the page. No good one is replaced for its scopes where the request may go
   * on without them.
   * @param stale the stored session
   * @param problem of the stored session
   */
  async #withToken(
    request: InboundRequest,
    token: VerifiedSessionToken,
    stale: Stale,
    problem: SessionProblem | undefined,
  ): Promise<AdminDecision> {
    const { tokens, scopes, check, responses } = this.dependencies;
    const { shop } = token;
    const { session: stored } = stale;
    const isUsable = !problem || (problem === 'scopes_changed' && scopes.mayContinue);
    let session: Session;
    try {
      session =
        stored && isUsable
          ? await tokens.ensureFresh(stored, token)
          : await tokens.exchange(token, stale);
    } catch (error) {
      if (oauthErrorCode(error) === 'app_not_installed')
        return responses.reauthorize(request, shop, problem ?? 'session_expired');
      const denied = check.deniedFor(shop, error);
      return denied.retryWithNewToken && wantsDocument(request)
        ? this.#bounce(request, shop, denied)
        : denied;
    }
    const isGranted = session !== stored;
    const left = isGranted ? check.problemWith(session) : problem;
    if (left && left !== 'scopes_changed') return responses.reauthorize(request, shop, left);
    if (left) {
      if (!scopes.mayContinue) this.#insufficient.add(shop);
      const response = await this.#lacking(request, session, token);
      if (response) return response;
      if (isGranted) scopes.tellMissing(session);
    }
    return responses.granted(request, session, token, { isGranted });
  }

  /** True when another token did not help a moment ago. */
  async #isInsufficient({ shop, isOnline }: Session): Promise<boolean> {
    const { config, check } = this.dependencies;
    if (!this.#insufficient.has(shop)) return false;
    // The consent page gives such an app only its own token: the user's may be had by now.
    if (!isOnline || config.useOnlineTokens) return true;
    return check.problemWith(await check.appSession(shop)) === 'scopes_changed';
  }

  /** The response to a session that lacks scopes; `undefined` when the app goes on without them. */
  async #lacking(
    request: InboundRequest,
    session: Session,
    token: VerifiedSessionToken,
  ): Promise<AuthResponse | undefined> {
    const { scopes, responses } = this.dependencies;
    const own = new Session(session);
    attachRequest(own, { sessionToken: token.text });
    const decision = await scopes.decide(own);
    if (decision.kind === 'continue') return undefined;
    return decision.kind === 'request'
      ? responses.reauthorize(request, session.shop, 'scopes_changed')
      : decision;
  }

  #storedSession(token: VerifiedSessionToken, mode: AccessMode): Promise<Session | undefined> {
    const { storage, check } = this.dependencies;
    return mode === 'online'
      ? storage.loadSession(sessionIdFor(token, { isOnline: true }))
      : check.appSession(token.shop);
  }

  /**
   * A page load without a valid session token: inside the admin's frame the page can fetch one, a
   * window of its own has to enter the admin first.
   */
  async #pageWithoutToken(
    request: InboundRequest,
    denied: SessionTokenDenied,
  ): Promise<AdminDecision> {
    const { logger, start, scopes, check, responses, visits } = this.dependencies;
    const shop = queryShop(request);
    if (shop === undefined || shop === null) return responses.withoutShop(request, shop);
    const refused = deniedForCrawler(request, logger);
    if (refused) return refused;
    if (isFramed(request)) return this.#bounce(request, shop, denied);
    const problem = check.problemWith(await check.appSession(shop));
    // Inside the admin there is a session token, with which an expired session is renewed, and it
    // is decided about scopes.
    const isForLater =
      problem === 'session_expired' || (problem === 'scopes_changed' && scopes.mayContinue);
    if (problem && !isForLater) return start.begin(request, { shop });
    return visits.enterAdmin(request, shop);
  }

  /**
   * Redirects a page to fetch a fresh session token, unless it comes with one that does not help:
   * the page would reload for ever.
   */
  #bounce(request: InboundRequest, shop: string, denied: NoTokenDenied): AdminDecision {
    const { urls, logger } = this.dependencies;
    if (!urls.hasJustBounced(request)) return urls.bounce(request, shop);
    logger.warn(
      'No session token counts, not even a fresh one: check apiKey, apiSecretKey and the clock of this machine',
      { shop, reason: denied.reason },
    );
    return denied;
  }
}
