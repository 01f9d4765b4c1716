import { SingleFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Session } from '../../sessions/session.js';
import type { AccessTokenStore } from './access-token-store.js';
import type { TokenClient } from './token.client.js';
import { sessionFromToken } from './access-token-store.js';

/**
 * The client credentials grant (RFC 6749, 4.4): tokens for shops of the organization that owns the
 * app, without an installation.
 */
export class ClientCredentials {
  readonly #flights = new SingleFlight<Session>();

  constructor(
    private readonly config: PlatformConfig,
    private readonly client: TokenClient,
    private readonly store: AccessTokenStore,
  ) {}

  /**
   * The stored session of a shop while it is good for more than five minutes, else a new one.
   * @param refused a token that must not be used, whatever its expiry
   * @throws as {@link TokenClient.clientCredentials}
   */
  async session(shop: string, refused?: string): Promise<Session> {
    const isGood = (session: Session): boolean =>
      session.accessToken !== refused && !this.store.isDue(session);
    const session = await this.store.offline(shop);
    if (session && isGood(session)) return session;
    return this.#flights.do(`${shop} ${refused ?? ''}`, () =>
      this.store.locked(shop, async () => {
        const stored = await this.store.offline(shop);
        if (stored && isGood(stored)) return stored;
        const reply = await this.client.clientCredentials(shop);
        const { isEmbeddedApp } = this.config;
        const granted = sessionFromToken(reply, { shop, isEmbeddedApp });
        return this.store.adopt(granted, { grantedAt: reply.grantedAt, previous: stored });
      }),
    );
  }
}
