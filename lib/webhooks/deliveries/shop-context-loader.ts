import type { ApiClients } from '../../auth/clients/shop-clients.js';
import type { TokenManager } from '../../auth/tokens/token-manager.js';
import { isAccessToken } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { offlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionEncryptionError } from '../../sessions/sessions.errors.js';
import type { DeliveryAccess } from './webhook-delivery.js';

/** What a {@link ShopContextLoader} opens shops with. */
export interface WebhookAccessDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
}

/** Opens the shop a delivery came from: the offline session and the Admin API on its behalf. */
export class ShopContextLoader {
  constructor(private readonly dependencies: WebhookAccessDependencies) {}

  /**
   * Neither, when the app is not installed (any more); no API for a session without a usable token:
   * a delivery must not fail because of a token it may not need. Reads the storage once, unless the
   * token has to be renewed.
   */
  async to(shop: string, topic: string): Promise<DeliveryAccess> {
    const { config, storage, tokens, clients } = this.dependencies;
    if (config.isCustomStoreApp) return clients.for(await tokens.session(shop));
    const session = await storage
      .loadSession(offlineSessionId(shop))
      .catch((error: unknown) => this.#unreadable(shop, error));
    if (!session || !isAccessToken(session.accessToken)) return session ? { session } : {};
    // The tokens of a shop that has uninstalled the app are revoked: whether it has is asked
    // elsewhere, without an alarm.
    const usable = topic === UNINSTALLED ? session : await this.#usable(session);
    return usable ? clients.for(usable) : { session };
  }

  /**
   * A session whose key is lost must not keep its shop from uninstalling the app. Rethrows what may
   * be otherwise at the next attempt.
   */
  #unreadable(shop: string, error: unknown): undefined {
    if (!(error instanceof SessionEncryptionError)) throw error;
    this.dependencies.logger.error(
      'A delivery is handled without the session of its shop, which cannot be decrypted',
      { shop, error },
    );
  }

  async #usable(session: Session): Promise<Session | undefined> {
    try {
      return await this.dependencies.tokens.ensureFresh(session);
    } catch (error) {
      this.dependencies.logger.warn(
        'A delivery is handled without the Admin API: its token could not be renewed',
        { shop: session.shop, error },
      );
      return undefined;
    }
  }
}

const UNINSTALLED = 'APP_UNINSTALLED';
