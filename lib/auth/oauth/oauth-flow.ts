import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { HeaderList } from '../../core/decision.js';
import { queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';
import { QUERY } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import { CookieNotFound, InvalidTokenReplyError } from '../auth.errors.js';
import { sessionCookie } from '../credentials/session-cookie.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import {
  COOKIES_BLOCKED,
  STATE_MISSING,
  deniedForOAuthError,
  responseForHookError,
} from '../responses/auth-responses.js';
import type { AuthDenied, AuthRedirect, AuthResponse } from '../responses/auth-responses.js';
import { hostFor } from '../responses/auth-urls.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import { deniedForCrawler } from '../responses/crawlers.js';
import type { ScopesMismatch } from '../scopes/scopes-mismatch.js';
import type { CodeGranted, TokenManager } from '../tokens/token-manager.js';
import type { ExchangeOptions } from '../tokens/token.client.js';
import { marksOf } from './code-grant.js';
import type { CodeGrant, GrantCallback } from './code-grant.js';
import type { OAuthStart } from './oauth-start.js';

/** How a grant is completed. */
export interface CallbackOptions {
  /** The one the grant was begun with. @default the configured one */
  readonly callbackPath?: string | undefined;
}

/** A request that may go on, with headers the reply has to carry. */
export interface SessionGranted {
  readonly kind: 'granted';
  readonly session: Session;
  readonly headers: HeaderList;
}

/** The decision about an OAuth callback. */
export type CallbackDecision = SessionGranted | AuthResponse;

/** What an {@link OAuthFlow} works with. */
interface OAuthFlowDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly grant: CodeGrant;
  readonly start: OAuthStart;
  readonly urls: AuthUrls;
  readonly tokens: TokenManager;
  readonly lifecycle: Lifecycle;
  readonly scopes: ScopesMismatch;
}

type Redirected = AuthRedirect | AuthDenied;

/** Completes the OAuth grant: from the callback to a stored session. */
export class OAuthFlow {
  readonly #config: PlatformConfig;

  constructor(private readonly dependencies: OAuthFlowDependencies) {
    this.#config = dependencies.config;
  }

  /**
   * Verifies the callback, trades its code for a token, stores the session, delivers the events.
   */
  async callback(
    request: InboundRequest,
    { callbackPath = this.#config.paths.authCallback }: CallbackOptions = {},
  ): Promise<CallbackDecision> {
    // A HEAD, as link previews send it, would use up code and state before the merchant's browser
    // comes.
    if (request.method !== 'GET')
      return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [
        ['allow', 'GET'],
      ]);
    const { grant, logger } = this.dependencies;
    let verified: GrantCallback;
    try {
      verified = grant.verify(request);
    } catch (error) {
      return this.#notVerified(request, callbackPath, error);
    }
    const expired = grant.expireState(verified.shop, callbackPath);
    try {
      return await this.#complete(verified, callbackPath, expired);
    } catch (error) {
      logger.error('A shop could not be authenticated', { shop: verified.shop, error });
      return { ...deniedForOAuthError(error), headers: expired };
    }
  }

  /**
   * Redirects after a completed callback: to the app in the shop's admin, or to the app's own root
   * when it is not embedded.
   */
  landing(request: InboundRequest, { shop }: Session): AuthRedirect {
    if (this.#config.isEmbeddedApp)
      return this.dependencies.urls.embeddedApp(request, shop, { keepPage: false });
    const query = new URLSearchParams({ shop, host: hostFor(request, shop) });
    return {
      kind: 'redirect',
      location: this.#config.paths.page(`/?${query}`),
      reason: 'installed',
    };
  }

  async #complete(
    verified: GrantCallback,
    callbackPath: string,
    expired: HeaderList,
  ): Promise<CallbackDecision> {
    const { tokens, start, logger } = this.dependencies;
    const session = await tokens.adopt(verified, (options) => this.#redeem(verified, options));
    const { shop, isOnline } = session;
    const hookResponse = await this.#deliverEvents(session);
    if (hookResponse) return this.#withCookies(hookResponse, session, expired);

    const lacking = await this.#lacking(session, expired);
    if (lacking) return lacking;
    if (this.#config.useOnlineTokens && !isOnline)
      return start.toConsent({ shop, callbackPath, isOnline: true });
    logger.info('Authenticated a shop', { shop, isOnline });
    return { kind: 'granted', session, headers: [...expired, ...this.#sessionCookie(session)] };
  }

  async #redeem(verified: GrantCallback, options: ExchangeOptions): Promise<CodeGranted> {
    const granted = await this.dependencies.grant.redeem(verified, options);
    const { session } = granted;
    // Without this check an app with online tokens would send the browser to the consent page for
    // ever.
    if (verified.isOnline && !session.isOnline)
      throw new InvalidTokenReplyError(
        `${session.shop} was asked for a user's token and granted the app's.`,
      );
    return { ...granted, authenticated: this.#isAuthenticated(session) };
  }

  /** False for the first of two grants, and for one that will be denied for its scopes. */
  #isAuthenticated(session: Session): boolean {
    const isLast = session.isOnline || !this.#config.useOnlineTokens;
    const { scopes } = this.dependencies;
    return isLast && (!session.isScopeChanged(this.#config.scopes) || scopes.mayContinue);
  }

  /** Denies a session that lacks scopes, unless the app goes on without them. */
  async #lacking(session: Session, expired: HeaderList): Promise<AuthResponse | undefined> {
    if (!session.isScopeChanged(this.#config.scopes)) return undefined;
    const { scopes, logger } = this.dependencies;
    const decision = await scopes.decide(session);
    if (decision.kind === 'continue') {
      scopes.tellMissing(session);
      return undefined;
    }
    if (decision.kind !== 'request') return this.#withCookies(decision, session, expired);
    const missing = scopes.missingIn(session).join(', ');
    logger.warn('A shop granted less than the app asks for', { shop: session.shop, missing });
    // Granted, the merchant would be sent back to the consent page for the missing scopes, again
    // and again.
    return denied(
      403,
      'scopes_not_granted',
      `The shop did not grant everything this app needs: ${missing}.`,
      expired,
    );
  }

  /** Delivers the events of the grant. Returns the response of a hook, or of its failure. */
  async #deliverEvents(session: Session): Promise<AuthResponse | undefined> {
    const { lifecycle, logger } = this.dependencies;
    try {
      await lifecycle.deliverPendingEvents(session, { isGranted: true });
      return undefined;
    } catch (error) {
      const response = await responseForHookError(error);
      if (response.kind === 'denied')
        logger.error('The app failed to handle an event of an installation', {
          shop: session.shop,
          error,
        });
      return response;
    }
  }

  /** Adds the cookies of the grant. A denied browser gets no session: it has to come back. */
  #withCookies(response: AuthResponse, session: Session, expired: HeaderList): AuthResponse {
    const cookies = response.kind === 'denied' ? [] : this.#sessionCookie(session);
    return { ...response, headers: [...(response.headers ?? []), ...expired, ...cookies] };
  }

  #notVerified(request: InboundRequest, callbackPath: string, error: unknown): Redirected {
    const { searchParams } = request.url;
    const { start, logger } = this.dependencies;
    logger.warn('An OAuth callback was refused', { shop: queryShop(request), error });
    if (!(error instanceof CookieNotFound)) return deniedForOAuthError(error);
    if (!wantsDocument(request)) return STATE_MISSING;
    const refused = deniedForCrawler(request, logger);
    if (refused) return refused;
    // The platform's signature is verified, which is enough to begin once more: the cookie may have
    // expired while the merchant read the consent page.
    const { isOnline, isRestart } = marksOf(searchParams.get('state') ?? '');
    return isRestart
      ? COOKIES_BLOCKED
      : start.toConsent({
          shop: sanitizeShop(searchParams.get(QUERY.shop), true),
          callbackPath,
          isOnline,
          isRestart: true,
        });
  }

  /** An embedded app has session tokens; any other app keeps the session's id in a cookie. */
  #sessionCookie(session: Session): HeaderList {
    return this.#config.isEmbeddedApp ? [] : sessionCookie(session, this.dependencies);
  }
}
