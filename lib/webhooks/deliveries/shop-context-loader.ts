import type { ShopClients } from '../../auth/clients/admin-context.js';
import type { ApiClients } from '../../auth/clients/shop-clients.js';
import type { TokenManager } from '../../auth/tokens/token-manager.js';
import { isAccessToken } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { offlineSessionId } from '../../sessions/session.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionEncryptionError } from '../../sessions/sessions.errors.js';

/** What a handler can use of the shop a delivery came from. */
export interface ShopContext {
  /** `undefined` when the app is not installed. */
  readonly session?: Session | undefined;
  /** Creates the API clients; `undefined` when there is no session with a valid access token. */
  readonly clients?: (() => ShopClients) | undefined;
}

/** What a {@link ShopContextLoader} depends on. */
export interface ShopContextLoaderDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
}

/** Loads the offline session of the shop a delivery came from, with a valid access token. */
export class ShopContextLoader {
  constructor(private readonly dependencies: ShopContextLoaderDependencies) {}

  /**
   * Reads the session storage once, unless the access token has to be renewed. When the renewal
   * fails, the context has no clients: a delivery must not fail because of a token that its
   * handlers may not need.
   * @throws what the session storage throws
   */
  async load(shop: string, topic: string): Promise<ShopContext> {
    const { config, tokens } = this.dependencies;
    if (config.isCustomStoreApp) return this.#contextOf(await tokens.session(shop));
    const session = await this.#loadSession(shop);
    if (!session || !isAccessToken(session.accessToken)) return { session };
    // The tokens of a shop that has uninstalled the app are revoked: renewing them would only log a
    // warning.
    const fresh = topic === UNINSTALLED ? session : await this.#renewed(session);
    return fresh ? this.#contextOf(fresh) : { session };
  }

  #contextOf(session: Session): ShopContext {
    return { session, clients: () => this.dependencies.clients.for(session) };
  }

  /** A session that can no longer be decrypted must not keep its shop from uninstalling the app. */
  async #loadSession(shop: string): Promise<Session | undefined> {
    const { storage, logger } = this.dependencies;
    try {
      return await storage.loadSession(offlineSessionId(shop));
    } catch (error) {
      if (!(error instanceof SessionEncryptionError)) throw error;
      logger.error(
        'A delivery is handled without the session of its shop, which cannot be decrypted',
        { shop, error },
      );
      return undefined;
    }
  }

  async #renewed(session: Session): Promise<Session | undefined> {
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
