import { queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { denied } from '../../core/decision.js';
import type { AdminDecision } from '../auth-decisions.js';
import type { AuthDependencies } from '../auth-dependencies.js';
import { shopOf } from '../credentials/current-session.js';
import { shopRefused } from '../credentials/request-queries.js';
import { sessionInCookie } from '../credentials/session-cookie.js';
import { checkedToken } from '../credentials/session-token-check.js';
import { bearerToken } from '../credentials/session-token.reader.js';
import { customAppSession } from '../tokens/token-session.js';
import { foreignShop } from './admin-responses.js';
import type { AdminResponses } from './admin-responses.js';
import type { EmbeddedAuthenticator } from './embedded.authenticator.js';
import type { SessionCheck } from './session-check.js';

/** Finds out who sends a request, and whether the app may still act for them. */
export class AdminAuthenticator {
  constructor(
    private readonly deps: AuthDependencies,
    private readonly embedded: EmbeddedAuthenticator,
    private readonly check: SessionCheck,
    private readonly answers: AdminResponses,
  ) {}

  authenticate(request: InboundRequest): Promise<AdminDecision> {
    const { config } = this.deps;
    if (config.isEmbeddedApp) return this.embedded.authenticate(request);
    return config.isCustomStoreApp ? this.#ofCustomApp(request) : this.#byCookie(request);
  }

  async #byCookie(request: InboundRequest): Promise<AdminDecision> {
    const { config, storage } = this.deps;
    const asked = queryShop(request);
    if (asked === null) return shopRefused(asked);
    const named = sessionInCookie(request, this.deps);
    const session = named && (await storage.loadSession(named.id));
    const shop = asked ?? session?.shop;
    if (shop === undefined) {
      if (wantsDocument(request)) return this.answers.withoutShop(request, shop);
      return denied(401, 'session_missing', 'This request belongs to no session of the app.');
    }
    // With users' tokens on, the app's own token must not stand in for a user.
    const fits =
      named?.isFresh && session?.shop === shop && (session.isOnline || !config.useOnlineTokens);
    const renewed = await this.check.renewed(fits ? session : undefined);
    if (typeof renewed === 'string') return this.answers.reauthorize(request, shop, renewed);
    return 'kind' in renewed ? renewed : this.answers.granted(request, renewed);
  }

  /**
   * The fixed token of a custom app serves one shop and knows no users: outside of the admin, who
   * may call is for the app to decide. A session token is still checked.
   */
  async #ofCustomApp(request: InboundRequest): Promise<AdminDecision> {
    const bearer = bearerToken(request);
    const token = bearer === undefined ? undefined : checkedToken(bearer, this.deps);
    if (token && !('payload' in token)) return token;
    const asked = queryShop(request);
    const shop = asked === undefined && token ? shopOf(token.payload) : asked;
    if (typeof shop !== 'string') return shopRefused(shop);
    if (token && shop !== shopOf(token.payload)) return foreignShop();
    return this.answers.granted(request, customAppSession(shop), token);
  }
}
