import { randomBytes } from 'node:crypto';

import { TtlSet } from '../../core/cache/ttl-cache.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidHmacError } from '../../core/core.errors.js';
import {
  cookieName,
  expiredCookie,
  readSignedCookies,
  signedCookie,
} from '../../core/crypto/cookies.js';
import type { CookieScope } from '../../core/crypto/cookies.js';
import { verifyQueryHmac } from '../../core/crypto/query-hmac.js';
import { safeCompare } from '../../core/crypto/secret-keys.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import type { HeaderList } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';
import { COOKIES, OAUTH_AUTHORIZE_PATH } from '../../core/vendor.js';
import { CookieNotFound, InvalidOAuthError, PrivateAppError } from '../auth.errors.js';
import type { AuthRedirect } from '../responses/auth-responses.js';
import type { ExchangeOptions, TokenClient } from '../tokens/token.client.js';
import type { CodeGranted } from '../tokens/token-manager.js';
import { sessionFromToken } from '../tokens/access-token-store.js';

/**
 * How long a merchant may stay on the consent page, in milliseconds. The cookie counts only with
 * the platform's signature over the same `state`, which is valid for 90 seconds: a shorter lifetime
 * would only send slow readers back to the start.
 */
const STATE_LIFETIME = 10 * 60 * 1000;
/** The marks of a `state`, in their order. */
const ONLINE = '.online';
const RESTART = '.again';

/** What the `state` of a grant says about it. */
interface GrantMarks {
  /** A user's token was requested. */
  readonly isOnline: boolean;
  /** The grant was begun a second time because the first came back without its cookie. */
  readonly isRestart: boolean;
}

/** What a grant is begun with. */
export interface GrantStart {
  /** Canonical. */
  readonly shop: string;
  readonly callbackPath: string;
  readonly isOnline: boolean;
  /** @default false */
  readonly isRestart?: boolean | undefined;
}

/** A verified OAuth callback: signed by the platform, for a grant that this app began. */
export interface GrantCallback extends GrantMarks {
  readonly shop: string;
  readonly code: string;
  readonly state: string;
}

/**
 * The steps of the authorization code grant.
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export class CodeGrant {
  /** The states that were used. */
  readonly #spent: TtlSet;

  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
    private readonly tokens: TokenClient,
  ) {
    this.#spent = new TtlSet(clock, STATE_LIFETIME);
  }

  /**
   * Sends the browser to the shop's consent page.
   * @throws {PrivateAppError} when the app has a fixed token
   */
  begin({ shop, callbackPath, isOnline, isRestart = false }: GrantStart): AuthRedirect {
    this.#assertOAuthApp();
    const state = createState({ isOnline, isRestart });
    const query = new URLSearchParams({
      client_id: this.config.apiKey,
      scope: this.config.scopes?.toString() ?? '',
      redirect_uri: this.config.appPath(callbackPath),
      state,
      'grant_options[]': isOnline ? 'per-user' : '',
    });
    return {
      kind: 'redirect',
      location: `${this.config.shopOrigin(shop)}${OAUTH_AUTHORIZE_PATH}?${query}`,
      reason: 'begin_oauth',
      headers: signedCookie(stateCookieName(this.config.apiKey, shop), state, this.keys, {
        ...this.#stateScope(callbackPath),
        maxAge: STATE_LIFETIME / 1000,
      }),
    };
  }

  /**
   * Verifies a request for the callback: signature, time, shop, `state`. A valid one is accepted
   * once.
   * @throws {PrivateAppError} when the app has a fixed token
   * @throws {InvalidHmacError} when the platform did not sign this, or not within 90 seconds
   * @throws {InvalidShopError} when no shop is named
   * @throws {CookieNotFound} when the browser did not send the `state` it was given
   * @throws {InvalidOAuthError} when the `state` is another one or was used before, or there is no
   * code
   */
  verify(request: InboundRequest): GrantCallback {
    this.#assertOAuthApp();
    const query = request.url.searchParams;
    if (!verifyQueryHmac(query, this.keys, this.clock.now()))
      throw new InvalidHmacError('The signature of the OAuth callback is wrong.');
    const shop = sanitizeShop(query.get('shop'), true);
    const begun = readSignedCookies(
      request.header('cookie'),
      stateCookieName(this.config.apiKey, shop),
      this.keys,
    );
    if (begun.length === 0)
      throw new CookieNotFound(`The browser brought no state cookie back from ${shop}.`);
    const state = query.get('state') ?? '';
    if (!begun.some((value) => safeCompare(state, value)))
      throw new InvalidOAuthError(
        `The state that came back from ${shop} is not the one sent.`,
        'state_mismatch',
      );
    const code = query.get('code');
    if (!code) throw new InvalidOAuthError(`${shop} sent no authorization code.`, 'code_missing');
    // Removing the cookie is not enough: a copy of it, or a concurrent request, may still send it.
    if (!this.#spent.add(state))
      throw new InvalidOAuthError(
        `The state that came back from ${shop} was used before.`,
        'state_spent',
      );
    return { shop, code, state, ...marksOf(state) };
  }

  /**
   * Trades the code for a session, which is not stored yet.
   * @throws as {@link TokenClient.exchangeCode}
   */
  async redeem(
    { shop, code, state }: GrantCallback,
    options?: ExchangeOptions,
  ): Promise<CodeGranted> {
    const reply = await this.tokens.exchangeCode(shop, code, options);
    return {
      session: sessionFromToken(reply, { shop, state, isEmbeddedApp: this.config.isEmbeddedApp }),
      grantedAt: reply.grantedAt,
    };
  }

  /** The headers that remove a used `state` from the browser. */
  expireState(shop: string, callbackPath: string): HeaderList {
    return expiredCookie(stateCookieName(this.config.apiKey, shop), this.#stateScope(callbackPath));
  }

  #stateScope(path: string): CookieScope {
    return { path, secure: this.config.appUrl.startsWith('https:') };
  }

  #assertOAuthApp(): void {
    if (this.config.isCustomStoreApp) {
      throw new PrivateAppError(
        'This app has a fixed access token (distribution PlatformAdmin): there is nothing to grant over OAuth.',
      );
    }
  }
}

/** The marks of a `state` that came back. */
export function marksOf(state: string): GrantMarks {
  return { isOnline: state.includes(ONLINE), isRestart: state.endsWith(RESTART) };
}

/**
 * A random `state` of 64 hex digits. The marks are part of it, so that they need neither cookies
 * nor memory on the server.
 */
function createState({ isOnline, isRestart }: GrantMarks): string {
  return randomBytes(32).toString('hex') + (isOnline ? ONLINE : '') + (isRestart ? RESTART : '');
}

/**
 * One cookie per app and shop: two shops may be installed in two tabs of one browser, and two apps
 * may share an origin.
 */
function stateCookieName(apiKey: string, shop: string): string {
  return cookieName(COOKIES.state, apiKey, shop);
}
