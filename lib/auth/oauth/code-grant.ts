import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidHmacError } from '../../core/core.errors.js';
import { expiredCookie, readSignedCookie, signedCookie } from '../../core/crypto/cookies.js';
import type { CookieScope } from '../../core/crypto/cookies.js';
import { verifyQueryHmac } from '../../core/crypto/query-hmac.js';
import { safeCompare } from '../../core/crypto/safe-compare.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import type { HeaderList, RedirectDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { OAUTH_AUTHORIZE_PATH } from '../../core/vendor.js';
import { CookieNotFound, InvalidOAuthError, PrivateAppError } from '../auth.errors.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import type { TokenClient } from '../tokens/token.client.js';
import type { Redeemed } from '../tokens/token-manager.js';
import { sessionFromToken } from '../tokens/token-session.js';
import { createState, marksOf, stateCookieName } from './oauth-state.js';
import type { GrantMarks } from './oauth-state.js';

/**
 * How long a merchant may read the consent page, in milliseconds. The cookie is of no use without
 * the platform's signature over the same `state`, which is good for 90 seconds: a short life would
 * only send slow readers back to the start.
 */
const STATE_LIFETIME = 10 * 60 * 1000;

/** What a grant is begun with. */
export interface GrantStart {
  /** Canonical. */
  readonly shop: string;
  readonly callbackPath: string;
  readonly isOnline: boolean;
  /** @default false */
  readonly isRestart?: boolean | undefined;
}

/** The verified end of a grant: the platform's word, and ours that we began it. */
export interface GrantEnd extends GrantMarks {
  readonly shop: string;
  readonly code: string;
  readonly state: string;
}

/**
 * The authorization-code grant, step by step.
 * @see
 * https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant
 */
export class CodeGrant {
  /** States that have ended a grant. */
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
  begin({ shop, callbackPath, isOnline, isRestart = false }: GrantStart): RedirectDecision {
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
   * Verifies what the platform sent the browser back with: signature, time, shop, `state`. What is
   * in order is good for one time.
   * @throws {PrivateAppError} when the app has a fixed token
   * @throws {InvalidHmacError} when the platform did not sign this, or not within 90 seconds
   * @throws {InvalidShopError} when no shop is named
   * @throws {CookieNotFound} when the browser did not bring the `state` it was given
   * @throws {InvalidOAuthError} when it brought another one or one that was used before, or there
   * is no code
   */
  verify(request: InboundRequest): GrantEnd {
    this.#assertOAuthApp();
    const query = request.url.searchParams;
    if (!verifyQueryHmac(query, this.keys, this.clock.now()))
      throw new InvalidHmacError('The signature of the OAuth callback is wrong.');
    const shop = sanitizeShop(query.get('shop'), true);
    const begun = readSignedCookie(
      request.header('cookie'),
      stateCookieName(this.config.apiKey, shop),
      this.keys,
    );
    if (begun === undefined)
      throw new CookieNotFound(`The browser brought no state cookie back from ${shop}.`);
    const state = query.get('state') ?? '';
    if (!safeCompare(state, begun))
      throw new InvalidOAuthError(
        `The state that came back from ${shop} is not the one sent.`,
        'state_mismatch',
      );
    const code = query.get('code');
    if (!code) throw new InvalidOAuthError(`${shop} sent no authorization code.`, 'code_missing');
    // Removing the cookie is a request to the browser: a copy of the cookie, or a second request
    // under way, is not bound by it.
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
  async redeem({ shop, code, state }: GrantEnd): Promise<Redeemed> {
    const reply = await this.tokens.exchangeCode(shop, code);
    return {
      session: sessionFromToken(reply, { shop, state, isEmbeddedApp: this.config.isEmbeddedApp }),
      grantedAt: reply.grantedAt,
    };
  }

  /** The headers that take a `state` back from the browser once it has been spent. */
  forgetState(shop: string, callbackPath: string): HeaderList {
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
