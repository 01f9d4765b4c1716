import { denied } from '../core/decision.js';
import type {
  DeniedDecision,
  DocumentDecision,
  RedirectDecision,
  ResponseDecision,
} from '../core/decision.js';
import { frameAncestors } from '../core/http/content-security-policy.js';
import { queryShop } from '../core/http/inbound-request.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import { sanitizeShop } from '../core/shop-domain.js';
import { Session } from '../sessions/session.js';
import { AdminResponses } from './admin/admin-responses.js';
import { AdminAuthenticator } from './admin/admin.authenticator.js';
import { EmbeddedAuthenticator } from './admin/embedded.authenticator.js';
import { SessionCheck } from './admin/session-check.js';
import type { AdminDecision, CallbackDecision, InstalledDecision } from './auth-decisions.js';
import type { AuthDependencies } from './auth-dependencies.js';
import { AuthUrls } from './responses/auth-urls.js';
import { shopOf } from './credentials/current-session.js';
import { CodeGrant } from './oauth/code-grant.js';
import { OAuthFlow } from './oauth/oauth-flow.js';
import type { BeginOptions, CallbackOptions } from './oauth/oauth-flow.js';
import { appBridgePage } from './responses/app-bridge.page.js';
import { isFramed, shopRefused } from './credentials/request-queries.js';
import { checkedToken } from './credentials/session-token-check.js';
import { bearerToken, sessionTokenOf } from './credentials/session-token.reader.js';

/** The auth room as hosts see it: takes a request, answers with a decision. */
export class AuthService {
  readonly #urls: AuthUrls;
  readonly #flow: OAuthFlow;
  readonly #check: SessionCheck;
  readonly #answers: AdminResponses;
  readonly #admin: AdminAuthenticator;

  constructor(private readonly deps: AuthDependencies) {
    const { config, keys, clock, tokenClient, logger } = deps;
    this.#urls = new AuthUrls(config, keys, clock);
    this.#flow = new OAuthFlow(deps, new CodeGrant(config, keys, clock, tokenClient), this.#urls);
    this.#check = new SessionCheck(deps);
    this.#answers = new AdminResponses(deps, this.#urls, this.#flow);
    const embedded = new EmbeddedAuthenticator(
      deps,
      this.#urls,
      this.#flow,
      this.#check,
      this.#answers,
    );
    this.#admin = new AdminAuthenticator(deps, embedded, this.#check, this.#answers);
    if (config.isCustomStoreApp && !config.isEmbeddedApp) logger.warn(OPEN_CUSTOM_APP);
    if (config.isCustomStoreApp && config.isEmbeddedApp && config.apiKey === '')
      logger.warn(SHUT_CUSTOM_APP);
  }

  /** Starts the OAuth grant; from inside the admin's frame by leaving it first. */
  async begin(request: InboundRequest, options?: BeginOptions): Promise<ResponseDecision> {
    return this.#flow.begin(request, options);
  }

  /**
   * Ends the OAuth grant. A granted session is stored already; its headers belong on whatever the
   * host answers. Rejects when the session storage does.
   */
  callback(request: InboundRequest, options?: CallbackOptions): Promise<CallbackDecision> {
    return this.#flow.callback(request, options);
  }

  /**
   * Where a finished callback goes: the app in the shop's admin, or the app's own root when it is
   * not embedded.
   */
  landing(request: InboundRequest, session: Session): RedirectDecision {
    return this.#flow.landing(request, session);
  }

  /**
   * Authenticates a request of the app's own pages and API: by session token when embedded, else by
   * cookie. A custom app that is not embedded brings its own login: every request that names a shop
   * is granted. Rejects when the session storage does.
   */
  authenticateAdmin(request: InboundRequest): Promise<AdminDecision> {
    return this.#admin.authenticate(request);
  }

  /**
   * Lets a page through when its shop has the app installed; needs no session token. Rejects when
   * the session storage does.
   */
  async ensureInstalled(request: InboundRequest): Promise<InstalledDecision> {
    const { config, logger } = this.deps;
    if (config.paths.match(request.url.pathname) === 'exitIframe') return this.exitIframe(request);
    if (!config.isEmbeddedApp) {
      logger.debug('A non-embedded app is recognised by its session alone');
      const decision = await this.authenticateAdmin(request);
      return decision.kind === 'granted' ? this.#installed(decision.session) : decision;
    }
    const shop = queryShop(request);
    if (typeof shop !== 'string') return shopRefused(shop, shop === null ? 422 : 400);
    const session = await this.#check.renewed(await this.offlineSession(shop));
    if (typeof session === 'string') return this.#comingIn(request, shop);
    if ('kind' in session) return session;
    return isFramed(request)
      ? this.#installed(session)
      : this.#urls.embeddedApp(request, shop, { keepPage: true });
  }

  /**
   * The page that takes the whole window out of the admin's frame: to where {@link leaveApp} said,
   * to the app, or to a shop that has it, also in the admin. Rejects when the session storage does.
   */
  async exitIframe(request: InboundRequest): Promise<DocumentDecision | DeniedDecision> {
    const target = await this.#urls.exitTarget(request, (shop) => this.#hasApp(shop));
    if (target === null) return redirectRefused();
    const shop = queryShop(request) ?? null;
    return appBridgePage(this.deps.config, {
      reason: 'exit_iframe',
      title: 'Continue',
      shop,
      target,
    });
  }

  /**
   * The page on which App Bridge fetches a fresh session token and loads the page of the app again
   * that asked for one.
   */
  sessionTokenPage(request: InboundRequest): DocumentDecision | DeniedDecision {
    if (this.#urls.reloadTarget(request) === null) return redirectRefused();
    return appBridgePage(this.deps.config, {
      reason: 'session_token_page',
      title: 'Loading',
      shop: queryShop(request) ?? null,
    });
  }

  /**
   * Sends the whole window to `url`, an http(s) address or a path of the app, wherever the request
   * comes from.
   */
  leaveApp(request: InboundRequest, url: string, shop?: string): RedirectDecision | DeniedDecision {
    const target = this.#urls.resolve(url);
    if (target === null) return redirectRefused();
    const calledByScript =
      bearerToken(request) !== undefined || (!this.deps.config.isEmbeddedApp && isFetch(request));
    if (calledByScript)
      return this.#urls.reauthorize(target.href, 'leave_app', 'The window has to leave the app.');
    if (!isFramed(request)) return { kind: 'redirect', location: target.href, reason: 'leave_app' };
    return this.#urls.exitIframe(
      request,
      sanitizeShop(shop) ?? queryShop(request) ?? null,
      target.href,
    );
  }

  /**
   * The session that acts for the app in a shop, whatever its state. Rejects when the session
   * storage does.
   */
  offlineSession(shop: string): Promise<Session | undefined> {
    return this.#check.appSession(shop);
  }

  /** Of a custom app nothing is stored that would tell its shop from others. */
  async #hasApp(shop: string): Promise<boolean> {
    return !this.deps.config.isCustomStoreApp && (await this.offlineSession(shop)) !== undefined;
  }

  /**
   * The admin opens its pages with a session token, which brings what is missing; without one there
   * is OAuth.
   */
  async #comingIn(request: InboundRequest, shop: string): Promise<InstalledDecision> {
    const token = checkedToken(sessionTokenOf(request), this.deps);
    if (!('payload' in token) || shopOf(token.payload) !== shop)
      return this.#flow.begin(request, { shop });
    const decision = await this.authenticateAdmin(request);
    return decision.kind === 'granted' ? this.#installed(decision.session) : decision;
  }

  async #installed(session: Session): Promise<InstalledDecision> {
    const answer = await this.#answers.settle(session);
    if (answer) return answer;
    return {
      kind: 'granted',
      session,
      headers: [['content-security-policy', frameAncestors(this.deps.config, session.shop)]],
    };
  }
}

const OPEN_CUSTOM_APP =
  'This custom app is not embedded, so nothing tells who calls it: every request that names a shop is let in and may use its access token. Put a login of your own in front of all that needs a session.';
const SHUT_CUSTOM_APP =
  'This custom app is embedded but has no apiKey, so no session token can be issued for it: every request is refused. Pass apiKey, or isEmbeddedApp: false when the app brings a login of its own.';

function redirectRefused(): DeniedDecision {
  return denied(
    400,
    'redirect_refused',
    'This address leads neither to the app nor to a shop that has it. Go back to the app and try again.',
  );
}

function isFetch(request: InboundRequest): boolean {
  return (
    request.header('x-requested-with')?.toLowerCase() === 'xmlhttprequest' ||
    request.header('sec-fetch-dest') === 'empty'
  );
}
