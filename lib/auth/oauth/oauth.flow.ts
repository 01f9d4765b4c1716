import type { PlatformConfig } from '../../core/config/platform.config.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision, HeaderList, RedirectDecision, Refusal } from '../../core/decision.js';
import { wantsDocument } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { AuthScopes } from '../../core/scopes.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import type { CallbackDecision } from '../auth.decisions.js';
import type { AuthDependencies } from '../auth.dependencies.js';
import { CookieNotFound, InvalidTokenReplyError } from '../auth.errors.js';
import { AuthUrls, hostFor } from '../auth.urls.js';
import { isFramed, queryShop, shopRefused } from '../request.queries.js';
import { sessionCookie } from '../session.cookie.js';
import type { CodeGrant, GrantEnd } from './code.grant.js';
import { COOKIES_BLOCKED, STATE_MISSING, oauthRefusal } from './oauth.refusals.js';
import { marksOf } from './oauth.state.js';

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

/** While a merchant's browser waits. In milliseconds. */
const AFTER_INSTALL_PATIENCE = 10_000;

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
  begin(request: InboundRequest, { shop: given, isOnline = false, callbackPath }: BeginOptions = {}): Redirected {
    const shop = given === undefined ? queryShop(request) : sanitizeShop(given);
    if (typeof shop !== 'string') return shopRefused(shop);
    if (isFramed(request) && !this.#config.isCustomStoreApp) return this.urls.exitIframe(request, shop, this.urls.begin(request, shop));
    return this.#toConsent(shop, callbackPath ?? this.#config.paths.authCallback, isOnline);
  }

  /** Back from the consent page: verified, traded for a token, stored, announced. */
  async callback(
    request: InboundRequest,
    { callbackPath = this.#config.paths.authCallback }: CallbackOptions = {},
  ): Promise<CallbackDecision> {
    // A HEAD, as link previews send it, would spend the code and the state before the merchant's browser comes.
    if (request.method !== 'GET') return denied(405, 'method_not_allowed', 'This address answers GET requests only.', [['allow', 'GET']]);
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

  /** Where a finished callback goes: the app in the shop's admin, or the app's own root when it is not embedded. */
  landing(request: InboundRequest, { shop }: Session): RedirectDecision {
    if (this.#config.isEmbeddedApp) return this.urls.embeddedApp(request, shop, { keepPage: false });
    const query = new URLSearchParams({ shop, host: hostFor(request, shop) });
    return { kind: 'redirect', location: `/?${query}`, reason: 'installed' };
  }

  async #finish(end: GrantEnd, callbackPath: string, spent: HeaderList): Promise<CallbackDecision> {
    const { logger, storage } = this.deps;
    const session = await this.grant.redeem(end);
    const { shop, isOnline } = session;
    // Without this check an app with online tokens would send the browser to the consent page for ever.
    if (end.isOnline && !isOnline) throw new InvalidTokenReplyError(`${shop} was asked for a user's token and granted the app's.`);
    // Exactly false: a storage that answers nothing has not said that it failed.
    if ((await storage.storeSession(session)) === false) {
      logger.error('The session storage did not keep a session', { shop });
      return denied(500, 'session_not_stored', 'The app could not remember this installation. Try again later.', spent);
    }
    if (!isOnline) await this.#announce(session);

    const missing = scopesMissing(this.#config.scopes, session);
    if (missing.length > 0) {
      logger.warn('A shop granted less than the app asks for', { shop, missing: missing.join(',') });
      // Letting the merchant in would find the session wanting and send them straight back here, again and again.
      return denied(403, 'scopes_not_granted', `The shop did not grant everything this app needs: ${missing.join(', ')}.`, spent);
    }
    if (this.#config.useOnlineTokens && !isOnline) return this.#toConsent(shop, callbackPath, true);
    return this.#welcome(session, spent);
  }

  async #welcome(session: Session, spent: HeaderList): Promise<CallbackDecision> {
    const { logger, hooks, clients } = this.deps;
    const { shop, isOnline } = session;
    try {
      if (hooks.afterAuth) await hooks.afterAuth({ session, admin: clients.for(session).admin });
    } catch (error) {
      if (error instanceof Response) return answerOf(error, [...spent, ...this.#sessionCookie(session)]);
      logger.error('hooks.afterAuth failed', { shop, error });
      return denied(500, 'after_auth_failed', 'The app was installed but could not finish setting itself up. Open it again.', spent);
    }
    logger.info('Authenticated a shop', { shop, isOnline });
    return { kind: 'granted', session, headers: [...spent, ...this.#sessionCookie(session)] };
  }

  /** Waits for what follows an installation, but no longer than a merchant would: it goes on by itself. */
  async #announce(session: Session): Promise<void> {
    const { clock, logger } = this.deps;
    const done = new AbortController();
    const late = clock.sleep(AFTER_INSTALL_PATIENCE, done.signal).then(
      () => logger.warn('What follows an installation takes long; it goes on in the background', { shop: session.shop }),
      () => {},
    );
    await Promise.race([this.#runAfterInstall(session), late]);
    done.abort();
  }

  async #runAfterInstall(session: Session): Promise<void> {
    try {
      await this.deps.afterInstall.run(session);
    } catch (error) {
      this.deps.logger.error('What follows an installation failed; the installation stands', { shop: session.shop, error });
    }
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
    // Nothing but the platform's signature is known here, and that is enough to begin once more: it may have been a slow reader.
    const { isOnline, isRestart } = marksOf(searchParams.get('state') ?? '');
    return isRestart ? COOKIES_BLOCKED : this.#toConsent(sanitizeShop(searchParams.get(QUERY.shop), true), callbackPath, isOnline, true);
  }

  /** An embedded app is recognised by its session tokens; any other carries the id of its session in a cookie. */
  #sessionCookie(session: Session): HeaderList {
    return this.#config.isEmbeddedApp ? [] : sessionCookie(session, this.deps);
  }
}

function scopesMissing(asked: AuthScopes | undefined, session: Session): string[] {
  return (asked?.toArray() ?? []).filter((scope) => !session.isScopeIncluded(scope));
}

/** A `Response` thrown by the app's hook, as a decision that also carries the headers of the grant. */
async function answerOf(response: Response, headers: HeaderList): Promise<Refusal> {
  const location = response.headers.get('location');
  const all = [...response.headers, ...headers].filter(([name]) => name !== 'location');
  if (location !== null) return { kind: 'redirect', location, reason: 'after_auth', headers: all };
  return { kind: 'document', status: response.status, html: await response.text(), reason: 'after_auth', headers: all };
}
