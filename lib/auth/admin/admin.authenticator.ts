import { isAccessToken } from '../../core/api.session.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import type { SessionTokenPayload } from '../../core/crypto/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList } from '../../core/decision.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { HEADERS } from '../../core/vendor.js';
import { offlineSessionId } from '../../sessions/session.ids.js';
import { Session } from '../../sessions/session.js';
import type { AdminDecision, AdminGranted } from '../auth.decisions.js';
import type { AuthDependencies } from '../auth.dependencies.js';
import { AuthUrls } from '../auth.urls.js';
import { frameAncestors } from '../csp.js';
import { sessionIdFor, sessionIdInCookie, shopOf } from '../current-session.js';
import { OAuthFlow } from '../oauth/oauth.flow.js';
import { isFramed, queryShop, shopRefused } from '../request.queries.js';
import { bearerToken, sessionTokenOf } from '../tokens/session-token.reader.js';
import { createAdminContext } from './admin.context.js';

/** Finds out who sends a request, and whether the app may still act for them. Asks the session storage, never the platform. */
export class AdminAuthenticator {
  constructor(
    private readonly deps: AuthDependencies,
    private readonly urls: AuthUrls,
    private readonly flow: OAuthFlow,
  ) {}

  authenticate(request: InboundRequest): Promise<AdminDecision> {
    const { config } = this.deps;
    if (config.isCustomStoreApp) return this.#ofCustomApp(request);
    return config.isEmbeddedApp ? this.#byToken(request) : this.#byCookie(request);
  }

  /** What keeps a session from being used; nothing when it is good. */
  problemWith(session: Session | undefined): SessionProblem | undefined {
    const { config, clock } = this.deps;
    if (!session || !isAccessToken(session.accessToken)) return 'session_missing';
    if (session.isScopeChanged(config.scopes)) return 'scopes_changed';
    return session.isActive(undefined, undefined, clock.now()) ? undefined : 'session_expired';
  }

  async #byToken(request: InboundRequest): Promise<AdminDecision> {
    const { config, storage } = this.deps;
    const token = this.#verified(sessionTokenOf(request));
    if (!('dest' in token)) return wantsDocument(request) ? this.#page(request) : token;
    const shop = shopOf(token);
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    if (asked !== undefined && asked !== shop) return foreignShop();
    const session = await storage.loadSession(sessionIdFor(token, { isOnline: config.useOnlineTokens }));
    const problem = this.problemWith(session?.shop === shop ? session : undefined);
    return session && !problem ? this.#granted(request, session, token) : this.#renew(request, shop, problem);
  }

  /** A page load without a session token that counts: the admin's frame can fetch one, a window of its own has to go there first. */
  async #page(request: InboundRequest): Promise<AdminDecision> {
    const shop = queryShop(request);
    if (typeof shop !== 'string') return shopRefused(shop);
    if (isFramed(request)) return this.urls.bounce(request, shop);
    const installed = await this.deps.storage.loadSession(offlineSessionId(shop));
    return this.problemWith(installed) ? this.flow.begin(request, { shop }) : this.urls.embeddedApp(request, shop, { keepPage: true });
  }

  async #byCookie(request: InboundRequest): Promise<AdminDecision> {
    const { config, keys, storage } = this.deps;
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    const id = sessionIdInCookie(request, keys);
    const session = id === undefined ? undefined : await storage.loadSession(id);
    const shop = asked ?? session?.shop;
    if (shop === undefined) {
      return wantsDocument(request) ? shopRefused(shop) : denied(401, 'session_missing', 'This request belongs to no session of the app.');
    }
    // With users' tokens on, the app's own token must not stand in for a user.
    const fits = session?.shop === shop && (session.isOnline || !config.useOnlineTokens);
    const problem = this.problemWith(fits ? session : undefined);
    return session && !problem ? this.#granted(request, session) : this.#renew(request, shop, problem);
  }

  /** The fixed token of a custom app serves one shop and knows no users: who may call is for the app to decide. A session token is still checked. */
  async #ofCustomApp(request: InboundRequest): Promise<AdminDecision> {
    const bearer = bearerToken(request);
    const token = bearer === undefined ? undefined : this.#verified(bearer);
    if (token && !('dest' in token)) return token;
    const asked = queryShop(request);
    const shop = asked === undefined && token ? shopOf(token) : asked;
    if (typeof shop !== 'string') return shopRefused(shop);
    if (token && shop !== shopOf(token)) return foreignShop();
    return this.#granted(request, new Session({ id: '', shop, state: '', isOnline: false }), token);
  }

  #verified(token: string | undefined): SessionTokenPayload | DeniedDecision {
    if (token === undefined) return tokenWanted('session_token_missing', 'This request needs a session token in its Authorization header.');
    try {
      return this.deps.sessionTokens.verify(token);
    } catch (error) {
      if (!(error instanceof InvalidJwtError)) throw error;
      this.deps.logger.info('A session token was refused', { reason: error.reason });
      return tokenWanted('session_token_invalid', error.message);
    }
  }

  #granted(request: InboundRequest, session: Session, sessionToken?: SessionTokenPayload): AdminGranted {
    const { config, graphql, rest } = this.deps;
    const headers: HeaderList = wantsDocument(request) ? [['content-security-policy', frameAncestors(config, session.shop)]] : [];
    return { kind: 'granted', session, admin: createAdminContext(session, graphql, rest), headers, ...(sessionToken && { sessionToken }) };
  }

  #renew(request: InboundRequest, shop: string, problem: SessionProblem = 'session_missing'): AdminDecision {
    this.deps.logger.info('A shop has to be authenticated again', { shop, reason: problem });
    if (wantsDocument(request)) return this.flow.begin(request, { shop });
    return this.urls.reauthorize(this.urls.begin(request, shop), problem, 'The app has to be authorized again by the shop.');
  }
}

/** Why a shop has to be authenticated again. */
export type SessionProblem = 'session_missing' | 'session_expired' | 'scopes_changed';

function foreignShop(): DeniedDecision {
  return denied(403, 'shop_mismatch', 'The session token was issued in another shop than the one in the address.');
}

/** App Bridge sends the request once more, with a fresh token, when it sees the header. */
function tokenWanted(reason: string, message: string): DeniedDecision {
  return denied(401, reason, message, [[HEADERS.retryInvalidSession, '1']]);
}
