import { isAccessToken } from '../../core/api-session.js';
import { SingleFlight } from '../../core/concurrency/single-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { onlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import { InvalidTokenReplyError } from '../auth.errors.js';
import { shopOf } from '../credentials/session-token.verifier.js';
import type { VerifiedSessionToken } from '../credentials/session-token.verifier.js';
import type { TokenClient, TokenReply } from './token.client.js';
import { sessionFromToken } from './token-session.js';
import type { SessionTokenStore } from './session-token-store.js';

/** The session that an exchange replaces. */
export interface Stale {
  /** `undefined` when there is no session yet. */
  readonly session?: Session | undefined;
  /** The platform has refused its token, and no refresh token can renew it. @default false */
  readonly isRevoked?: boolean | undefined;
}

/**
 * Exchanges session tokens for access tokens (RFC 8693), once for all requests and processes that
 * need the same one.
 */
export class TokenExchanger {
  readonly #flights = new SingleFlight<Session>();

  constructor(
    private readonly config: PlatformConfig,
    private readonly client: TokenClient,
    private readonly store: SessionTokenStore,
  ) {}

  /**
   * A fresh session of the shop that issued the token: the app's own, or with `useOnlineTokens` the
   * user's, the app's being renewed as well.
   * @throws as {@link TokenClient.exchangeToken}
   */
  async exchange(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    if (!this.config.useOnlineTokens) return this.#offline(token, stale);
    const shop = shopOf(token.payload);
    await this.#offline(token, { session: await this.store.offline(shop) });
    return this.#online(token, stale);
  }

  #offline(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    const shop = shopOf(token.payload);
    return this.#flights.do(keyOf(shop, stale), () =>
      this.store.locked(shop, async () => {
        const stored = await this.store.offline(shop);
        if (stored && this.#isBetter(stored, stale)) return stored;
        const reply = await this.client.exchangeToken(shop, token.text, 'offline');
        if (reply.associated_user)
          throw new InvalidTokenReplyError(
            `${shop} was asked for the app's token and granted a user's.`,
          );
        return this.store.adopt(this.#sessionOf(reply, shop), {
          grantedAt: reply.grantedAt,
          previous: stored,
          isRevoked:
            stale.isRevoked &&
            stored?.accessToken === stale.session?.accessToken &&
            !(stored && this.store.hasExpired(stored)),
          authenticated: !this.config.useOnlineTokens,
        });
      }),
    );
  }

  #online(token: VerifiedSessionToken, stale: Stale): Promise<Session> {
    const shop = shopOf(token.payload);
    const user = token.payload.sub;
    const id = onlineSessionId(shop, user);
    return this.#flights.do(keyOf(id, stale), () =>
      this.store.locked(
        shop,
        async () => {
          const stored = await this.store.load(id, shop);
          if (stored && this.#isBetter(stored, stale)) return stored;
          const reply = await this.client.exchangeToken(shop, token.text, 'online');
          if (String(reply.associated_user?.id) !== user)
            throw new InvalidTokenReplyError(
              `${shop} was asked for the token of a user and granted another one.`,
            );
          return this.store.adoptOnline(this.#sessionOf(reply, shop), true);
        },
        user,
      ),
    );
  }

  /** True when another process has stored a newer session meanwhile. */
  #isBetter(stored: Session, { session }: Stale): boolean {
    const isAnother = stored.accessToken !== session?.accessToken;
    return isAnother && !this.store.isDue(stored) && !stored.isScopeChanged(this.config.scopes);
  }

  #sessionOf(reply: TokenReply, shop: string): Session {
    return sessionFromToken(reply, { shop, isEmbeddedApp: this.config.isEmbeddedApp });
  }
}

/** Requests that have seen different tokens must not share an exchange. */
function keyOf(name: string, { session }: Stale): string {
  return `${name} ${isAccessToken(session?.accessToken) ? session.accessToken : ''}`;
}
