import type { PlatformConfig } from '../../core/config/platform-config.js';
import { denied } from '../../core/decision.js';
import type {
  DeniedDecision,
  HeaderList,
  RedirectDecision,
  ResponseDecision,
} from '../../core/decision.js';
import { queryShop, wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import type { CallbackDecision } from '../auth-decisions.js';
import type { AuthDependencies } from '../auth-dependencies.js';
import { CookieNotFound, InvalidTokenReplyError } from '../auth.errors.js';
import { AuthUrls, hostFor } from '../responses/auth-urls.js';
import { answerOfHook } from '../responses/hook-responses.js';
import { isFramed, shopRefused } from '../credentials/request-queries.js';
import { mismatchOf, scopesMissing } from '../admin/scopes-mismatch.js';
import { sessionCookie } from '../credentials/session-cookie.js';
import type { Redeemed } from '../tokens/token-manager.js';
import type { CodeGrant, GrantEnd } from './code-grant.js';
import { COOKIES_BLOCKED, STATE_MISSING, oauthRefusal } from '../responses/oauth-refusals.js';
import { marksOf } from './oauth-state.js';

/** How a grant is begun. */
export interface BeginOptions {
  /** @default the `shop` in the query */
  readonly shop?: string | undefined;
  /** Asks for a user's token. @default false */
  readonly isOnline?: boolean | undefined;
  /** @default the configured one */
  readonly callbackPath?: string | undefined;
}

/** How a grant is ended. */
export interface CallbackOptions {
  /** The one the grant was begun with. @default the configured one */
  readonly callbackPath?: string | undefined;
}

type Redirected = RedirectDecision | DeniedDecision;

/** Walks a merchant through OAuth, from wherever they stand to a stored session. */
export class OAuthFlow {
  readonly #config: PlatformConfig;

  constructor(
    private readonly deps: AuthDependencies,
    private readonly grant: CodeGrant,
    private readonly urls: AuthUrls,
  ) {
    this.#config = deps.config;
  }

  /** To the consent page; out of the admin's frame first, where consent pages do not load. */
  begin(
    request: InboundRequest,
    { shop: given, isOnline = false, callbackPath }: BeginOptions = {},
  ): Redirected {
    const shop = given === undefined ? queryShop(request) : sanitizeShop(given);
    if (typeof shop !== 'string') return shopRefused(shop);
    if (isFramed(request) && !this.#config.isCustomStoreApp)
      return this.urls.exitIframe(request, shop, this.urls.begin(request, shop));
    return this.#toConsent(shop, callbackPath ?? this.#config.paths.authCallback, isOnline);
  }

  /** Back from the consent page: verified, traded for a token, stored, announced. */
  async callback(
    request: InboundRequest,
    { callbackPath = this.#config.paths.authCallback }: CallbackOptions = {},
  ): Promise<CallbackDecision> {
    // A HEAD, as link previews send it, would spend the code and the state before the merchant's
    // browser comes.
    if (request.method !== 'GET')
      return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [
        ['allow', 'GET'],
      ]);
    let end: GrantEnd;
    try {
      end = this.grant.verify(request);
    } catch (error) {
      return this.#notOurs(request, callbackPath, error);
    }
    const spent = this.grant.forgetState(end.shop, callbackPath);
    try {
      return await this.#finish(end, callbackPath, spent);
    } catch (error) {
      this.deps.logger.error('A shop could not be authenticated', { shop: end.shop, error });
      return { ...oauthRefusal(error), headers: spent };
    }
  }

  /**
   * Where a finished callback goes: the app in the shop's admin, or the app's own root when it is
   * not embedded.
   */
  landing(request: InboundRequest, { shop }: Session): RedirectDecision {
    if (this.#config.isEmbeddedApp)
      return this.urls.embeddedApp(request, shop, { keepPage: false });
    const query = new URLSearchParams({ shop, host: hostFor(request, shop) });
    return { kind: 'redirect', location: `/?${query}`, reason: 'installed' };
  }

  async #finish(end: GrantEnd, callbackPath: string, spent: HeaderList): Promise<CallbackDecision> {
    const session = await this.deps.tokens.adopt(end, () => this.#redeemed(end));
    const { shop, isOnline } = session;
    const answer = await this.#settle(session);
    if (answer) return this.#answered(answer, session, spent);

    const lacking = await this.#lacking(session, spent);
    if (lacking) return lacking;
    if (this.#config.useOnlineTokens && !isOnline) return this.#toConsent(shop, callbackPath, true);
    this.deps.logger.info('Authenticated a shop', { shop, isOnline });
    return { kind: 'granted', session, headers: [...spent, ...this.#sessionCookie(session)] };
  }

  async #redeemed(end: GrantEnd): Promise<Redeemed> {
    const redeemed = await this.grant.redeem(end);
    const { session } = redeemed;
    // Without this check an app with online tokens would send the browser to the consent page for
    // ever.
    if (end.isOnline && !session.isOnline)
      throw new InvalidTokenReplyError(
        `${session.shop} was asked for a user's token and granted the app's.`,
      );
    return { ...redeemed, authenticated: this.#isWelcome(session) };
  }

  /** False for the first of two grants, and for one that will be refused for its scopes. */
  #isWelcome(session: Session): boolean {
    const isLast = session.isOnline || !this.#config.useOnlineTokens;
    return (
      isLast &&
      (this.deps.hooks.onScopesMismatch !== undefined ||
        !session.isScopeChanged(this.#config.scopes))
    );
  }

  /** Refuses a session that lacks scopes, unless the app goes on without them. */
  async #lacking(session: Session, spent: HeaderList): Promise<ResponseDecision | undefined> {
    const answer = await mismatchOf(this.deps, session);
    if (answer !== 'request') return answer && this.#answered(answer, session, spent);
    const missing = scopesMissing(this.#config, session).join(', ');
    this.deps.logger.warn('A shop granted less than the app asks for', {
      shop: session.shop,
      missing,
    });
    // Letting the merchant in would find the session wanting and send them straight back here,
    // again and again.
    return denied(
      403,
      'scopes_not_granted',
      `The shop did not grant everything this app needs: ${missing}.`,
      spent,
    );
  }

  /**
   * Tells the app what the grant means for the installation; answers what it makes of it, if that
   * ends the request.
   */
  async #settle(session: Session): Promise<ResponseDecision | undefined> {
    try {
      await this.deps.lifecycle.settle(session, { isGranted: true });
      return undefined;
    } catch (error) {
      const answer = await answerOfHook(error);
      if (answer.kind === 'denied')
        this.deps.logger.error('The app failed to deal with an installation', {
          shop: session.shop,
          error,
        });
      return answer;
    }
  }

  /**
   * With the headers of the grant. Whoever is answered by the app has its session; whoever finds it
   * broken has to come back.
   */
  #answered(answer: ResponseDecision, session: Session, spent: HeaderList): ResponseDecision {
    const cookies = answer.kind === 'denied' ? [] : this.#sessionCookie(session);
    return { ...answer, headers: [...(answer.headers ?? []), ...spent, ...cookies] };
  }

  #toConsent(shop: string, callbackPath: string, isOnline: boolean, isRestart = false): Redirected {
    try {
      this.deps.logger.info('Beginning OAuth', { shop, isOnline });
      return this.grant.begin({ shop, callbackPath, isOnline, isRestart });
    } catch (error) {
      return oauthRefusal(error);
    }
  }

  #notOurs(request: InboundRequest, callbackPath: string, error: unknown): Redirected {
    const { searchParams } = request.url;
    this.deps.logger.warn('An OAuth callback was refused', { shop: queryShop(request), error });
    if (!(error instanceof CookieNotFound)) return oauthRefusal(error);
    if (!wantsDocument(request)) return STATE_MISSING;
    // Nothing but the platform's signature is known here, and that is enough to begin once more: it
    // may have been a slow reader.
    const { isOnline, isRestart } = marksOf(searchParams.get('state') ?? '');
    return isRestart
      ? COOKIES_BLOCKED
      : this.#toConsent(
          sanitizeShop(searchParams.get(QUERY.shop), true),
          callbackPath,
          isOnline,
          true,
        );
  }

  /**
   * An embedded app is recognised by its session tokens; any other carries the id of its session in
   * a cookie.
   */
  #sessionCookie(session: Session): HeaderList {
    return this.#config.isEmbeddedApp ? [] : sessionCookie(session, this.deps);
  }
}
