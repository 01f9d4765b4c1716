import type { Clock } from '../../core/clock.js';
import type { PlatformConfig } from '../../core/config/platform.config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Installation } from '../../sessions/installation.store.js';
import type { Lock } from '../../sessions/lock.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { withLock } from '../../sessions/with-lock.js';
import type { InstallationRecords } from './installation.records.js';
import type { LifecycleHandlers } from './lifecycle.handlers.js';
import { tell } from './lifecycle.telling.js';
import { installLock, tokenLock } from './shop.locks.js';

/** What an {@link Uninstallation} works with. */
export interface UninstallationParts {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly lock: Lock;
  readonly storage: SessionStorage;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
}

/** Forgets a shop that has uninstalled the app, and lets the app do the same. */
export class Uninstallation {
  constructor(private readonly parts: UninstallationParts) {}

  /**
   * Tells the app, then deletes the shop's sessions: its tokens are revoked by now. When the shop has installed the app again since
   * `triggeredAt`, nothing of that is touched. To be called again when it throws.
   * @param triggeredAt when the shop uninstalled the app; taken for the present when it is not known
   * @throws {HookFailedError} when the app fails to deal with it
   */
  async run(shop: string, triggeredAt: Date | undefined): Promise<void> {
    const { config, logger, records, handlers } = this.parts;
    await withLock(this.parts, installLock(config.apiKey, shop), async () => {
      const installation = await this.#withTokens(shop, () => records.uninstalled(shop, triggeredAt));
      if (installation.status !== 'uninstalled') {
        logger.warn('An uninstallation came to be known after the app was installed again; the present installation stands', { shop });
        return;
      }
      const event = installation.pending.find(({ event }) => event === 'uninstalled');
      // A `Response` of the app's is for a browser: here is none to answer.
      if (event) await tell(this.parts, installation, event, (done) => handlers.run('uninstalled', { shop }, done));
      await this.#withTokens(shop, () => this.#forget(installation));
    });
  }

  /** Under the lock of whoever asks for a token, notes that it was granted and stores it: none of this is half done meanwhile. */
  #withTokens<T>(shop: string, work: () => Promise<T>): Promise<T> {
    return withLock(this.parts, tokenLock(this.parts.config.apiKey, shop), work);
  }

  async #forget({ shop, generation }: Installation): Promise<void> {
    const { storage, records, logger } = this.parts;
    const present = await records.of(shop);
    if (present?.generation !== generation || present.status !== 'uninstalled') {
      logger.warn('The app was installed again while its uninstallation was dealt with; the new sessions stand', { shop });
      return;
    }
    // Only their ids are needed: a token that cannot be opened any more is no reason to keep it.
    const sessions = await (storage.sealed ?? storage).findSessionsByShop(shop);
    if (sessions.length > 0) await storage.deleteSessions(sessions.map(({ id }) => id));
    logger.info('The app was uninstalled; its sessions are deleted', { shop, sessions: sessions.length });
  }
}
