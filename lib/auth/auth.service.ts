import type { AccessMode } from '../core/config/config.options.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import type { SessionTokenVerifier } from './credentials/session-token.verifier.js';
import type { Decision } from '../core/decision.js';
import { isFramed, queryShop } from '../core/http/inbound-request.js';
import type { InboundRequest } from '../core/http/inbound-request.js';
import type { PlatformLogger } from '../core/logger.js';
import { sanitizeShop } from '../core/shop-domain.js';
import type { Telemetry } from '../core/telemetry/telemetry.js';
import { QUERY } from '../core/vendor.js';
import { Session } from '../sessions/session.js';
import type { AdminDecision, AdminResponses, RefusedOptions } from './admin/admin-responses.js';
import type { EmbeddedAuthenticator } from './admin/embedded.authenticator.js';
import type { SessionCheck } from './admin/session-check.js';
import type { TopLevelVisits } from './admin/top-level-visits.js';
import type { StandaloneAuthenticator } from './admin/standalone.authenticator.js';
import {
  bearerToken,
  checkSessionToken,
  sessionTokenOf,
} from './credentials/session-token.verifier.js';
import type {
  CallbackDecision,
  CallbackOptions,
  OAuthFlow,
  SessionGranted,
} from './oauth/oauth-flow.js';
import type { BeginOptions, OAuthStart } from './oauth/oauth-start.js';
import { adminRedirect } from './admin/admin-redirect.js';
import type { AdminRedirect, RedirectTarget } from './admin/admin-redirect.js';
import { appBridgePage } from './responses/app-bridge.page.js';
import { REDIRECT_REFUSED, deniedForShop } from './responses/auth-responses.js';
import type {
  AuthDenied,
  AuthDocument,
  AuthRedirect,
  AuthResponse,
} from './responses/auth-responses.js';
import type { AuthUrls, LeaveOptions } from './responses/auth-urls.js';
import { documentHeaders } from './responses/document-headers.js';
import { assertAccessMode } from './tokens/access-mode.js';
import { startAsked } from './responses/install-addresses.js';

/** The decision about a page that needs an installed shop. */
type InstalledDecision = SessionGranted | AuthResponse;

/** What an {@link AuthService} works with. */
interface AuthServiceDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly sessionTokens: SessionTokenVerifier;
  readonly urls: AuthUrls;
  readonly start: OAuthStart;
  readonly flow: OAuthFlow;
  readonly check: SessionCheck;
  readonly responses: AdminResponses;
  readonly visits: TopLevelVisits;
  readonly embedded: EmbeddedAuthenticator;
  readonly standalone: StandaloneAuthenticator;
  readonly telemetry: Telemetry;
}

/** Authentication as hosts use it: takes a request, returns a decision. */
export class AuthService {
  constructor(private readonly dependencies: AuthServiceDependencies) {
    const { config, logger } = dependencies;
    if (!config.isCustomStoreApp) return;
    if (!config.isEmbeddedApp) logger.warn(OPEN_CUSTOM_APP);
    else if (config.apiKey === '') logger.warn(CLOSED_CUSTOM_APP);
  }

  /** Starts the OAuth grant; inside the admin's frame by leaving it first. */
  async begin(request: InboundRequest, options?: BeginOptions): Promise<AuthResponse> {
    const { start, telemetry } = this.dependencies;
    return telemetry.instruments
      ? telemetry.instruments.decision('oauth_begin', () => start.begin(request, options))
      : start.begin(request, options);
  }

  /**
   * Completes the OAuth grant. A granted session is stored already; the host adds the headers to
   * its reply. Rejects when the session storage does.
   */
  callback(request: InboundRequest, options?: CallbackOptions): Promise<CallbackDecision> {
    const { flow, telemetry } = this.dependencies;
    return telemetry.instruments
      ? telemetry.instruments.authentication('oauth_callback', () =>
          flow.callback(request, options),
        )
      : flow.callback(request, options);
  }

  /**
   * Redirects after a completed callback: to the app in the shop's admin, or to the app's own root
   * when it is not embedded.
   */
  landing(request: InboundRequest, session: Session): AuthRedirect {
    return this.dependencies.flow.landing(request, session);
  }

  /**
   * Authenticates a request of the app's own pages and API: by session token when embedded, else by
   * cookie. A custom app that is not embedded has its own login: every request that names a shop is
   * granted. Rejects when the session storage does.
   * @param options.accessMode of the session it gets @default as `useOnlineTokens` says
   * @throws {InvalidOptionsError} for an access mode that the app has not
   */
  authenticateAdmin(
    request: InboundRequest,
    { accessMode }: { readonly accessMode?: AccessMode | undefined } = {},
  ): Promise<AdminDecision> {
    const { config, embedded, standalone, telemetry } = this.dependencies;
    if (accessMode) assertAccessMode(config, accessMode);
    const authenticator = config.isEmbeddedApp ? embedded : standalone;
    return telemetry.instruments
      ? telemetry.instruments.authentication('admin', () =>
          authenticator.authenticate(request, accessMode),
        )
      : authenticator.authenticate(request, accessMode);
  }

  /**
   * Grants a page when its shop has the app installed; needs no session token. Rejects when the
   * session storage does.
   */
  async ensureInstalled(request: InboundRequest): Promise<InstalledDecision> {
    const { config, logger, check, visits } = this.dependencies;
    if (config.paths.match(request.url.pathname) === 'exitIframe') return this.exitIframe(request);
    if (!config.isEmbeddedApp) {
      logger.debug('A non-embedded app is authenticated by its session cookie');
      const decision = await this.authenticateAdmin(request);
      return decision.kind === 'granted' ? this.#installed(decision.session) : decision;
    }
    const shop = queryShop(request);
    if (shop === undefined || shop === null) return deniedForShop(shop, shop === null ? 422 : 400);
    const checked = await check.ensureGood(await this.offlineSession(shop));
    if (checked.kind === 'problem') return this.#authenticatePage(request, shop);
    if (checked.kind !== 'good') return checked;
    return isFramed(request) ? this.#installed(checked.session) : visits.enterAdmin(request, shop);
  }

  /**
   * The page that takes the whole window out of the admin's frame: to a target of
   * {@link leaveApp}, to the app, or to a shop that has it, also in the admin. On the way to the
   * start of OAuth a window that is in no frame is redirected. Rejects when the session storage
   * does.
   */
  async exitIframe(request: InboundRequest): Promise<AuthResponse> {
    const { config, urls } = this.dependencies;
    const start = startAsked(request, config, urls);
    if (start?.isWindow) return { kind: 'redirect', location: start.url, reason: 'begin_oauth' };
    const target = start?.url ?? (await urls.exitTarget(request, (shop) => this.#hasApp(shop)));
    if (target === null) return REDIRECT_REFUSED;
    const shop = queryShop(request) ?? null;
    return appBridgePage(config, {
      reason: 'exit_iframe',
      title: 'Continue',
      shop,
      url: target,
    });
  }

  /**
   * The page on which App Bridge fetches a fresh session token and then loads the page of the app
   * again that needs one.
   */
  sessionTokenPage(request: InboundRequest): AuthDocument | AuthDenied {
    const { config, urls } = this.dependencies;
    const reload = urls.reloadTarget(request);
    if (reload === null) return REDIRECT_REFUSED;
    return appBridgePage(config, {
      reason: 'session_token_page',
      title: 'Loading',
      shop: queryShop(request) ?? null,
      reload: reload && urls.markedReload(reload),
    });
  }

  /**
   * The page that opens `url`, an address of a redirect of the app, in a window of the browser.
   * @param shop of the session
   */
  windowPage(url: string, target: RedirectTarget, shop: string): AuthDocument {
    const { config } = this.dependencies;
    return appBridgePage(config, { reason: 'redirect', title: 'Continue', shop, url, target });
  }

  /**
   * Decides where a redirect of the app goes, from a request that was granted.
   * @param shop of the session
   */
  redirect(
    request: InboundRequest,
    shop: string,
    url: string,
    target?: RedirectTarget,
  ): AdminRedirect {
    return adminRedirect(request, this.dependencies.config, shop, url, target);
  }

  /**
   * The session-token page in place of a redirect to it, for hosts that may lack its route. Any
   * other decision stays as it is.
   */
  inPlace<Other extends Decision>(decision: Other): Other | AuthDocument {
    const { config, urls } = this.dependencies;
    if (decision.kind !== 'redirect' || decision.reason !== 'session_token_needed') return decision;
    const { searchParams } = new URL(decision.location, config.appUrl);
    const reload = searchParams.get(QUERY.reload);
    return appBridgePage(config, {
      reason: 'session_token_page',
      title: 'Loading',
      shop: sanitizeShop(searchParams.get(QUERY.shop)),
      reload: reload === null ? undefined : urls.markedReload(reload),
    });
  }

  /**
   * Sends the whole window to `url`, an http(s) address or a path of the app, wherever the request
   * comes from.
   */
  leaveApp(
    request: InboundRequest,
    url: string,
    shop?: string,
    options?: LeaveOptions,
  ): AuthRedirect | AuthDenied {
    const { config, urls } = this.dependencies;
    const target = urls.target(url, options);
    if (target === null) return REDIRECT_REFUSED;
    const calledByScript =
      bearerToken(request) !== undefined || (!config.isEmbeddedApp && isFetch(request));
    if (calledByScript)
      return urls.reauthorize(target, 'leave_app', 'The window has to leave the app.');
    if (!isFramed(request)) return { kind: 'redirect', location: target, reason: 'leave_app' };
    return urls.exitIframe(request, sanitizeShop(shop) ?? queryShop(request) ?? null, target);
  }

  /**
   * The response to a request whose access token the platform has rejected while the app worked on
   * it, and for which no other could be had: a page loads again with another token, or leads to the
   * consent page; a `fetch` gets what App Bridge understands. `undefined` for a custom app, whose
   * token is fixed, and when other tokens have not helped.
   */
  tokenRefused(
    request: InboundRequest,
    shop: string,
    options?: RefusedOptions,
  ): AuthResponse | undefined {
    const { config, responses } = this.dependencies;
    return config.isCustomStoreApp ? undefined : responses.refused(request, shop, options);
  }

  /**
   * The session that acts for the app in a shop, whatever its state. Rejects when the session
   * storage does.
   */
  offlineSession(shop: string): Promise<Session | undefined> {
    return this.dependencies.check.appSession(shop);
  }

  /** False for a custom app: it stores no sessions that would name its shop. */
  async #hasApp(shop: string): Promise<boolean> {
    return (
      !this.dependencies.config.isCustomStoreApp && (await this.offlineSession(shop)) !== undefined
    );
  }

  /**
   * The admin opens pages with a session token, which is exchanged for a session; without one there
   * is OAuth.
   */
  async #authenticatePage(request: InboundRequest, shop: string): Promise<InstalledDecision> {
    const token = checkSessionToken(sessionTokenOf(request), this.dependencies);
    if (token.kind === 'denied' || token.shop !== shop)
      return this.dependencies.start.begin(request, { shop });
    const decision = await this.authenticateAdmin(request);
    return decision.kind === 'granted' ? this.#installed(decision.session) : decision;
  }

  async #installed(session: Session): Promise<InstalledDecision> {
    const { config, responses } = this.dependencies;
    const response = await responses.deliverEvents(session);
    if (response) return response;
    return { kind: 'granted', session, headers: documentHeaders(config, session.shop) };
  }
}

const OPEN_CUSTOM_APP =
  'This custom app is not embedded, so its requests are not authenticated: every request that names a shop is let in and may use its access token. Put a login of your own in front of all that needs a session.';
const CLOSED_CUSTOM_APP =
  'This custom app is embedded but has no apiKey, so no session token can be issued for it: every request is refused. Pass apiKey, or isEmbeddedApp: false when the app has a login of its own.';

function isFetch(request: InboundRequest): boolean {
  return (
    request.header('x-requested-with')?.toLowerCase() === 'xmlhttprequest' ||
    request.header('sec-fetch-dest') === 'empty'
  );
}
