import { isAccessToken } from '../../core/api.session.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import type { SessionTokenPayload } from '../../core/crypto/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList } from '../../core/decision.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { offlineSessionId } from '../../sessions/session.ids.js';
import { Session } from '../../sessions/session.js';
import type { AdminDecision, AdminGranted } from '../auth.decisions.js';
import type { AuthDependencies } from '../auth.dependencies.js';
import { AuthUrls } from '../auth.urls.js';
import { frameAncestors } from '../csp.js';
import { sessionIdFor, shopOf } from '../current-session.js';
import { OAuthFlow } from '../oauth/oauth.flow.js';
import { isFramed, queryShop, shopRefused } from '../request.queries.js';
import { sessionInCookie } from '../session.cookie.js';
import { bearerToken, sessionTokenOf } from '../tokens/session-token.reader.js';
import { tokenInvalid, tokenMissing } from '../tokens/session-token.refusal.js';
import type { TokenRefusal } from '../tokens/session-token.refusal.js';

/** Finds out who sends a request, and whether the app may still act for them. Asks the session storage, never the platform. */
export class AdminAuthenticator {
  constructor(
    private readonly deps: AuthDependencies,
    private readonly urls: AuthUrls,
    private readonly flow: OAuthFlow,
  ) {}

  authenticate(request: InboundRequest): Promise<AdminDecision> {
    const { config } = this.deps;
    if (config.isEmbeddedApp) return this.#byToken(request);
    return config.isCustomStoreApp ? this.#ofCustomApp(request) : this.#byCookie(request);
  }

  /** The session that acts for the app itself in a shop, whatever its state. */
  async appSession(shop: string): Promise<Session | undefined> {
    const { config, storage } = this.deps;
    return config.isCustomStoreApp ? customAppSession(shop) : storage.loadSession(offlineSessionId(shop));
  }

  /** What keeps a session from being used; nothing when it is good. */
  problemWith(session: Session | undefined): SessionProblem | undefined {
    const { config, clock } = this.deps;
    if (session && config.isCustomStoreApp) return undefined;
    if (!session || !isAccessToken(session.accessToken)) return 'session_missing';
    if (session.isScopeChanged(config.scopes)) return 'scopes_changed';
    return session.isActive(undefined, undefined, clock.now()) ? undefined : 'session_expired';
  }

  async #byToken(request: InboundRequest): Promise<AdminDecision> {
    const token = this.#verified(sessionTokenOf(request));
    if (!('dest' in token)) return wantsDocument(request) ? this.#page(request, token) : token;
    const shop = shopOf(token);
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    if (asked !== undefined && asked !== shop) return foreignShop();
    const session = await this.#sessionOf(token, shop);
    const problem = this.problemWith(session?.shop === shop ? session : undefined);
    return session && !problem ? this.#granted(request, session, token) : this.#renew(request, shop, problem);
  }

  async #sessionOf(token: SessionTokenPayload, shop: string): Promise<Session | undefined> {
    const { config, storage } = this.deps;
    return config.useOnlineTokens && !config.isCustomStoreApp
      ? storage.loadSession(sessionIdFor(token, { isOnline: true }))
      : this.appSession(shop);
  }

  /** A page load without a session token that counts: the admin's frame can fetch one, a window of its own has to go there first. */
  async #page(request: InboundRequest, refusal: TokenRefusal): Promise<AdminDecision> {
    const shop = queryShop(request);
    if (typeof shop !== 'string') return this.#withoutShop(request, shop);
    if (isFramed(request)) return this.#bounce(request, shop, refusal);
    const installed = await this.appSession(shop);
    return this.problemWith(installed) ? this.flow.begin(request, { shop }) : this.urls.embeddedApp(request, shop, { keepPage: true });
  }

  /** To where merchants type their shop, if the app has such a page. */
  #withoutShop(request: InboundRequest, shop: null | undefined): AdminDecision {
    const { loginPath } = this.deps.config;
    if (loginPath === undefined) return shopRefused(shop);
    if (request.url.pathname !== loginPath) return { kind: 'redirect', location: loginPath, reason: 'login' };
    return denied(500, 'login_route', `${loginPath} is the login page itself: its route has to call login(), not authenticate.admin().`);
  }

  /** Away and back with a fresh token, unless it is known that a fresh one does not help: the page would reload for ever. */
  #bounce(request: InboundRequest, shop: string, refusal: TokenRefusal): AdminDecision {
    if (!refusal.isLasting && !this.urls.hasJustBounced(request)) return this.urls.bounce(request, shop);
    this.deps.logger.warn('No session token counts, not even a fresh one: check apiKey, apiSecretKey and the clock of this machine', {
      shop,
      reason: refusal.reason,
    });
    return refusal;
  }

  async #byCookie(request: InboundRequest): Promise<AdminDecision> {
    const { config, storage } = this.deps;
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    const named = sessionInCookie(request, this.deps);
    const session = named && (await storage.loadSession(named.id));
    const shop = asked ?? session?.shop;
    if (shop === undefined) {
      if (wantsDocument(request)) return this.#withoutShop(request, shop);
      return denied(401, 'session_missing', 'This request belongs to no session of the app.');
    }
    // With users' tokens on, the app's own token must not stand in for a user.
    const fits = named?.isFresh && session?.shop === shop && (session.isOnline || !config.useOnlineTokens);
    const problem = this.problemWith(fits ? session : undefined);
    return session && !problem ? this.#granted(request, session) : this.#renew(request, shop, problem);
  }

  /**
   * The fixed token of a custom app serves one shop and knows no users: outside of the admin, who may call is for the app to decide.
   * A session token is still checked.
   */
  async #ofCustomApp(request: InboundRequest): Promise<AdminDecision> {
    const bearer = bearerToken(request);
    const token = bearer === undefined ? undefined : this.#verified(bearer);
    if (token && !('dest' in token)) return token;
    const asked = queryShop(request);
    const shop = asked === undefined && token ? shopOf(token) : asked;
    if (typeof shop !== 'string') return shopRefused(shop);
    if (token && shop !== shopOf(token)) return foreignShop();
    return this.#granted(request, customAppSession(shop), token);
  }

  #verified(token: string | undefined): SessionTokenPayload | TokenRefusal {
    if (token === undefined) return tokenMissing();
    try {
      return this.deps.sessionTokens.verify(token);
    } catch (error) {
      if (!(error instanceof InvalidJwtError)) throw error;
      this.deps.logger.info('A session token was refused', { reason: error.reason });
      return tokenInvalid(error.reason, error.message);
    }
  }

  #granted(request: InboundRequest, session: Session, sessionToken?: SessionTokenPayload): AdminGranted {
    const { config, clients } = this.deps;
    const headers: HeaderList = wantsDocument(request) ? [['content-security-policy', frameAncestors(config, session.shop)]] : [];
    const granted = clients.for(session);
    return {
      kind: 'granted',
      session,
      admin: granted.admin,
      get storefront() {
        return granted.storefront;
      },
      headers,
      ...(sessionToken && { sessionToken }),
    };
  }

  #renew(request: InboundRequest, shop: string, problem: SessionProblem = 'session_missing'): AdminDecision {
    this.deps.logger.info('A shop has to be authenticated again', { shop, reason: problem });
    if (wantsDocument(request)) return this.flow.begin(request, { shop });
    return this.urls.reauthorize(this.urls.begin(request, shop), problem, 'The app has to be authorized again by the shop.');
  }
}

/** Why a shop has to be authenticated again. */
export type SessionProblem = 'session_missing' | 'session_expired' | 'scopes_changed';

/** The token of a custom app is fixed: its session says which shop it is about, and is stored nowhere. */
function customAppSession(shop: string): Session {
  return new Session({ id: '', shop, state: '', isOnline: false });
}

function foreignShop(): DeniedDecision {
  return denied(403, 'shop_mismatch', 'The session token was issued in another shop than the one in the address.');
}
