import { isAccessToken } from '../../core/api.session.js';
import { InvalidJwtError } from '../../core/core.errors.js';
import type { SessionTokenPayload } from '../../core/crypto/session-token.verifier.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList, Refusal } from '../../core/decision.js';
import { HttpResponseError } from '../../core/http/http.errors.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { offlineSessionId } from '../../sessions/session.ids.js';
import type { Session } from '../../sessions/session.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import type { AdminDecision } from '../auth.decisions.js';
import type { AuthDependencies } from '../auth.dependencies.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import { AuthUrls } from '../auth.urls.js';
import { frameAncestors } from '../csp.js';
import { sessionIdFor, shopOf } from '../current-session.js';
import { answerOfHook } from '../hook.answers.js';
import { OAuthFlow } from '../oauth/oauth.flow.js';
import { RecentKeys } from '../recent.keys.js';
import { isFramed, queryShop, shopRefused } from '../request.queries.js';
import { mismatchOf } from '../scopes/scopes.mismatch.js';
import { sessionInCookie } from '../session.cookie.js';
import { bearerToken, sessionTokenOf } from '../tokens/session-token.reader.js';
import { tokenInvalid, tokenMissing, tokenRefused } from '../tokens/session-token.refusal.js';
import type { TokenRefusal } from '../tokens/session-token.refusal.js';
import { refusalIn } from '../tokens/token.client.js';
import type { VerifiedSessionToken } from '../tokens/token.exchanger.js';
import { tokenRefusal } from '../tokens/token.refusals.js';
import { customAppSession } from '../tokens/token.session.js';

/** How long it is believed that fresh tokens of a shop lack the scopes the app asks for, in milliseconds. */
const INSUFFICIENT_FOR = 60_000;
/** How long a token that is still good is used before it is tried to renew it again, in milliseconds. */
const POSTPONED_FOR = 30_000;

/** Finds out who sends a request, and whether the app may still act for them. The platform is asked only when a token has to be renewed. */
export class AdminAuthenticator {
  /** Shops whose fresh tokens lack scopes. */
  readonly #insufficient: RecentKeys;
  /** Sessions that could not be renewed before their time. */
  readonly #postponed: RecentKeys;

  constructor(
    private readonly deps: AuthDependencies,
    private readonly urls: AuthUrls,
    private readonly flow: OAuthFlow,
  ) {
    this.#insufficient = new RecentKeys(deps.clock, INSUFFICIENT_FOR);
    this.#postponed = new RecentKeys(deps.clock, POSTPONED_FOR);
  }

  async authenticate(request: InboundRequest): Promise<AdminDecision> {
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
    const { config } = this.deps;
    if (session && config.isCustomStoreApp) return undefined;
    if (!session || !isAccessToken(session.accessToken)) return 'session_missing';
    if (session.isScopeChanged(config.scopes)) return 'scopes_changed';
    return this.#hasExpired(session) ? 'session_expired' : undefined;
  }

  /** The session, renewed if need be; what keeps it from being used when that is of no avail, or a refusal when it cannot be told. */
  async renewed(session: Session | undefined): Promise<Session | SessionProblem | Refusal> {
    const problem = this.problemWith(session);
    if (!session || problem === 'session_missing') return 'session_missing';
    if (problem === 'scopes_changed' && !this.deps.hooks.onScopesMismatch) return problem;
    let usable: Session;
    try {
      usable = await this.deps.tokens.usable(session);
    } catch (error) {
      if (error instanceof SessionNotFoundError) return 'session_missing';
      if (error instanceof ReauthorizationRequiredError || error instanceof SessionExpiredError) return 'session_expired';
      return this.#failed(session.shop, error);
    }
    if (this.problemWith(usable) !== 'scopes_changed') return usable;
    const answer = await mismatchOf(this.deps, usable);
    return answer === 'request' ? 'scopes_changed' : (answer ?? usable);
  }

  /** The session token of a request, when it is good. */
  sessionToken(request: InboundRequest): VerifiedSessionToken | undefined {
    const token = this.#verified(sessionTokenOf(request));
    return 'payload' in token ? token : undefined;
  }

  /** Tells the app what has happened to the installation; answers what it makes of it, if that ends the request. */
  async settle(session: Session, { isGranted = false }: { readonly isGranted?: boolean } = {}): Promise<Refusal | undefined> {
    try {
      await this.deps.lifecycle.settle(session, { isGranted });
      return undefined;
    } catch (error) {
      if (!(error instanceof Response))
        this.deps.logger.error('The app failed to deal with an installation', { shop: session.shop, error });
      return tokenRefusal(error) ?? answerOfHook(error);
    }
  }

  async #byToken(request: InboundRequest): Promise<AdminDecision> {
    const token = this.#verified(sessionTokenOf(request));
    if (!('payload' in token)) return wantsDocument(request) ? this.#page(request, token) : token;
    const shop = shopOf(token.payload);
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    if (asked !== undefined && asked !== shop) return foreignShop();
    const stored = await this.#sessionOf(token.payload, shop);
    const session = stored?.shop === shop ? stored : undefined;
    let problem = this.problemWith(session);
    if (session && problem === 'scopes_changed' && this.#isFinal(session)) {
      const refusal = await this.#lacking(request, session, token);
      if (refusal) return refusal;
      problem = this.#hasExpired(session) ? 'session_expired' : undefined;
    }
    if (!session || problem) return this.#exchange(request, token, session, problem ?? 'session_missing');
    const isDue = this.deps.tokens.isDue(session) && !this.#postponed.has(session.id);
    return isDue ? this.#exchange(request, token, session, undefined) : this.#granted(request, session, token);
  }

  /**
   * Trades the request's session token for a session: the admin vouches for shop and user, nobody has to leave the page.
   * @param problem of the session there is; none when it is good for another few minutes, and goes on when it cannot be renewed yet
   */
  async #exchange(
    request: InboundRequest,
    token: VerifiedSessionToken,
    stale: Session | undefined,
    problem: SessionProblem | undefined,
  ): Promise<AdminDecision> {
    const shop = shopOf(token.payload);
    let session: Session;
    try {
      session = await this.deps.tokens.exchange(token, { session: stale });
    } catch (error) {
      if (refusalIn(error) === 'app_not_installed') return this.#reauthorize(request, shop, problem ?? 'session_expired');
      const refusal = this.#failed(shop, error);
      if (stale && !problem) {
        this.#postponed.add(stale.id);
        return this.#granted(request, stale, token);
      }
      return 'isLasting' in refusal && wantsDocument(request) ? this.#bounce(request, shop, refusal) : refusal;
    }
    const left = this.problemWith(session);
    if (left && left !== 'scopes_changed') return this.#reauthorize(request, shop, left);
    if (left) this.#insufficient.add(shop);
    const refusal = left && (await this.#lacking(request, session, token));
    return refusal ?? this.#granted(request, session, token, { isGranted: true });
  }

  /** True when a fresh token is not tried for the sake of scopes: it has been of no avail, or the app decides by itself what becomes of it. */
  #isFinal(session: Session): boolean {
    const { hooks, tokens } = this.deps;
    return this.#insufficient.has(session.shop) || (hooks.onScopesMismatch !== undefined && !tokens.isDue(session));
  }

  /** What becomes of a request whose session lacks scopes; nothing when the app goes on without them. */
  async #lacking(request: InboundRequest, session: Session, token: VerifiedSessionToken): Promise<Refusal | undefined> {
    const answer = await mismatchOf(this.deps, session, token.text);
    return answer === 'request' ? this.#reauthorize(request, session.shop, 'scopes_changed') : answer;
  }

  #hasExpired(session: Session): boolean {
    return !session.isActive(undefined, undefined, this.deps.clock.now());
  }

  /** Why no token could be had. Rethrows what is nobody's refusal, such as a storage that fails. */
  #failed(shop: string, error: unknown): DeniedDecision | TokenRefusal {
    this.deps.logger.error('A token could not be renewed', { shop, error });
    if (error instanceof InvalidJwtError || refusalIn(error) === 'invalid_subject_token') return tokenRefused();
    const refusal = tokenRefusal(error);
    if (refusal) return refusal;
    if (error instanceof HttpResponseError)
      return denied(500, 'token_not_granted', 'The platform granted the app no access. Its log says why.');
    throw error;
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
    const problem = this.problemWith(await this.appSession(shop));
    // What has expired is renewed inside the admin, where there is a session token to do it with; there, too, the app is asked about scopes.
    const isForLater = problem === 'session_expired' || (problem === 'scopes_changed' && this.deps.hooks.onScopesMismatch);
    if (problem && !isForLater) return this.flow.begin(request, { shop });
    return this.urls.embeddedApp(request, shop, { keepPage: true });
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
    const renewed = await this.renewed(fits ? session : undefined);
    if (typeof renewed === 'string') return this.#reauthorize(request, shop, renewed);
    return 'kind' in renewed ? renewed : this.#granted(request, renewed);
  }

  /**
   * The fixed token of a custom app serves one shop and knows no users: outside of the admin, who may call is for the app to decide.
   * A session token is still checked.
   */
  async #ofCustomApp(request: InboundRequest): Promise<AdminDecision> {
    const bearer = bearerToken(request);
    const token = bearer === undefined ? undefined : this.#verified(bearer);
    if (token && !('payload' in token)) return token;
    const asked = queryShop(request);
    const shop = asked === undefined && token ? shopOf(token.payload) : asked;
    if (typeof shop !== 'string') return shopRefused(shop);
    if (token && shop !== shopOf(token.payload)) return foreignShop();
    return this.#granted(request, customAppSession(shop), token);
  }

  #verified(text: string | undefined): VerifiedSessionToken | TokenRefusal {
    if (text === undefined) return tokenMissing();
    try {
      return { text, payload: this.deps.sessionTokens.verify(text) };
    } catch (error) {
      if (!(error instanceof InvalidJwtError)) throw error;
      this.deps.logger.info('A session token was refused', { reason: error.reason });
      return tokenInvalid(error.reason, error.message);
    }
  }

  /** @param options.isGranted the session has come with this request */
  async #granted(
    request: InboundRequest,
    session: Session,
    token?: VerifiedSessionToken,
    options?: { readonly isGranted: boolean },
  ): Promise<AdminDecision> {
    const { config, clients } = this.deps;
    const answer = await this.settle(session, options);
    if (answer) return answer;
    const headers: HeaderList = wantsDocument(request) ? [['content-security-policy', frameAncestors(config, session.shop)]] : [];
    const granted = clients.for(session, { sessionToken: token?.text });
    return {
      kind: 'granted',
      session,
      admin: granted.admin,
      get storefront() {
        return granted.storefront;
      },
      headers,
      ...(token && { sessionToken: token.payload }),
    };
  }

  #reauthorize(request: InboundRequest, shop: string, problem: SessionProblem): Refusal {
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
