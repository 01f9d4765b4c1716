import { queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { SessionTokenPayload } from '../../core/crypto/session-token.verifier.js';
import type { ResponseDecision } from '../../core/decision.js';
import type { Session } from '../../sessions/session.js';
import type { AdminDecision } from '../auth-decisions.js';
import type { AuthDependencies } from '../auth-dependencies.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { sessionIdFor, shopOf } from '../credentials/current-session.js';
import type { OAuthFlow } from '../oauth/oauth-flow.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { isFramed, shopRefused } from '../credentials/request-queries.js';
import { mismatchOf } from './scopes-mismatch.js';
import { checkedToken } from '../credentials/session-token-check.js';
import { sessionTokenOf } from '../credentials/session-token.reader.js';
import type { SessionTokenDenied } from '../credentials/session-token-refusal.js';
import { refusalIn } from '../tokens/token.client.js';
import type { VerifiedSessionToken } from '../tokens/token-exchanger.js';
import { foreignShop } from './admin-responses.js';
import type { AdminResponses } from './admin-responses.js';
import type { SessionCheck, SessionProblem } from './session-check.js';

/**
 * How long it is believed that fresh tokens of a shop lack the scopes the app asks for, in
 * milliseconds.
 */
const INSUFFICIENT_FOR = 60_000;

/**
 * Recognises requests of an embedded app by the session token they come with. The platform is asked
 * only when a token has to be renewed.
 */
export class EmbeddedAuthenticator {
  /** Shops whose fresh tokens lack scopes. */
  readonly #insufficient: TtlSet;

  constructor(
    private readonly deps: AuthDependencies,
    private readonly urls: AuthUrls,
    private readonly flow: OAuthFlow,
    private readonly check: SessionCheck,
    private readonly answers: AdminResponses,
  ) {
    this.#insufficient = new TtlSet(deps.clock, INSUFFICIENT_FOR);
  }

  async authenticate(request: InboundRequest): Promise<AdminDecision> {
    const token = checkedToken(sessionTokenOf(request), this.deps);
    if (!('payload' in token)) return wantsDocument(request) ? this.#page(request, token) : token;
    const shop = shopOf(token.payload);
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    if (asked !== undefined && asked !== shop) return foreignShop();
    const stored = await this.#sessionOf(token.payload, shop);
    const session = stored?.shop === shop ? stored : undefined;
    let problem = this.check.problemWith(session);
    if (session && problem === 'scopes_changed' && this.#isFinal(session)) {
      const refusal = await this.#lacking(request, session, token);
      if (refusal) return refusal;
      problem = this.check.hasExpired(session) ? 'session_expired' : undefined;
    }
    return this.#usable(request, token, session, problem);
  }

  /**
   * Goes on with a session that is good, else trades the request's session token for one: the admin
   * vouches for shop and user, nobody has to leave the page.
   * @param problem of the session there is
   */
  async #usable(
    request: InboundRequest,
    token: VerifiedSessionToken,
    stale: Session | undefined,
    problem: SessionProblem | undefined,
  ): Promise<AdminDecision> {
    const { tokens } = this.deps;
    const shop = shopOf(token.payload);
    let session: Session;
    try {
      session =
        stale && !problem
          ? await tokens.usable(stale, token)
          : await tokens.exchange(token, { session: stale });
    } catch (error) {
      if (refusalIn(error) === 'app_not_installed')
        return this.answers.reauthorize(request, shop, problem ?? 'session_expired');
      const refusal = this.check.refusalFor(shop, error);
      return 'isLasting' in refusal && wantsDocument(request)
        ? this.#bounce(request, shop, refusal)
        : refusal;
    }
    if (session === stale) return this.answers.granted(request, session, token);
    const left = this.check.problemWith(session);
    if (left && left !== 'scopes_changed') return this.answers.reauthorize(request, shop, left);
    if (left) this.#insufficient.add(shop);
    const refusal = left && (await this.#lacking(request, session, token));
    return refusal ?? this.answers.granted(request, session, token, { isGranted: true });
  }

  /**
   * True when a fresh token is not tried for the sake of scopes: it has been of no avail, or the
   * app decides by itself what becomes of it.
   */
  #isFinal(session: Session): boolean {
    const { hooks, tokens } = this.deps;
    return (
      this.#insufficient.has(session.shop) ||
      (hooks.onScopesMismatch !== undefined && !tokens.isDue(session))
    );
  }

  /**
   * What becomes of a request whose session lacks scopes; nothing when the app goes on without
   * them.
   */
  async #lacking(
    request: InboundRequest,
    session: Session,
    token: VerifiedSessionToken,
  ): Promise<ResponseDecision | undefined> {
    const answer = await mismatchOf(this.deps, session, token.text);
    return answer === 'request'
      ? this.answers.reauthorize(request, session.shop, 'scopes_changed')
      : answer;
  }

  async #sessionOf(token: SessionTokenPayload, shop: string): Promise<Session | undefined> {
    const { config, storage } = this.deps;
    return config.useOnlineTokens && !config.isCustomStoreApp
      ? storage.loadSession(sessionIdFor(token, { isOnline: true }))
      : this.check.appSession(shop);
  }

  /**
   * A page load without a session token that counts: the admin's frame can fetch one, a window of
   * its own has to go there first.
   */
  async #page(request: InboundRequest, refusal: SessionTokenDenied): Promise<AdminDecision> {
    const shop = queryShop(request);
    if (typeof shop !== 'string') return this.answers.withoutShop(request, shop);
    if (isFramed(request)) return this.#bounce(request, shop, refusal);
    const problem = this.check.problemWith(await this.check.appSession(shop));
    // What has expired is renewed inside the admin, where there is a session token to do it with;
    // there, too, the app is asked about scopes.
    const isForLater =
      problem === 'session_expired' ||
      (problem === 'scopes_changed' && this.deps.hooks.onScopesMismatch);
    if (problem && !isForLater) return this.flow.begin(request, { shop });
    return this.urls.embeddedApp(request, shop, { keepPage: true });
  }

  /**
   * Away and back with a fresh token, unless it is known that a fresh one does not help: the page
   * would reload for ever.
   */
  #bounce(request: InboundRequest, shop: string, refusal: SessionTokenDenied): AdminDecision {
    if (!refusal.isLasting && !this.urls.hasJustBounced(request))
      return this.urls.bounce(request, shop);
    this.deps.logger.warn(
      'No session token counts, not even a fresh one: check apiKey, apiSecretKey and the clock of this machine',
      {
        shop,
        reason: refusal.reason,
      },
    );
    return refusal;
  }
}
