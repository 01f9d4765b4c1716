import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { TimeLimit } from '../../core/http/call-limits.js';
import type { PlatformLogger } from '../../core/logger.js';
import { orAborted } from '../../core/concurrency/single-flight.js';
import type { Installation } from '../../sessions/coordination/installation.store.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { isUninstalled } from '../installations/installation-changes.js';
import type { InstallationCheck, Presence } from './installation-check.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import type { LifecycleHandlers } from './lifecycle-handlers.js';
import { tell } from './lifecycle-telling.js';
import { NextFlight } from './next-flight.js';
import { installLock, tokenLock } from '../installations/shop-locks.js';

/**
 * How long the platform is asked whether a shop has the app, in milliseconds: it waits 5 s for the
 * answer to its delivery.
 */
const PATIENCE = 3_000;

/** What an {@link Uninstallation} works with. */
export interface UninstallationDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly lock: Lock;
  readonly storage: SessionStorage;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
  readonly check: Pick<InstallationCheck, 'of'>;
}

/** Forgets a shop that has uninstalled the app, and lets the app do the same. */
export class Uninstallation {
  readonly #questions = new NextFlight<Presence>();

  constructor(private readonly dependencies: UninstallationDependencies) {}

  /**
   * Asks the platform whether a shop that is said to have uninstalled the app has done so, and
   * notes it when it has. Nobody is told and no session is deleted yet. Of a shop one question is
   * under way at a time, however many deliveries say so.
   * @returns `unknown` when the platform did not answer within three seconds, or the shop has come
   * back meanwhile: ask again later
   */
  async confirm(shop: string): Promise<Presence> {
    const { clock, logger } = this.dependencies;
    const limit = new TimeLimit(clock, PATIENCE);
    const question = this.#questions.do(shop, () => this.#confirm(shop));
    try {
      // What goes on behind the limit notes no more than what is true, and the next attempt finds
      // the token that was renewed.
      return await orAborted(question, limit.signal);
    } catch (error) {
      if (!limit.isOver) throw error;
      logger.warn('The platform did not say in time whether a shop has the app', {
        shop,
        ms: PATIENCE,
      });
      return 'unknown';
    } finally {
      limit.cancel();
    }
  }

  async #confirm(shop: string): Promise<Presence> {
    const { records, check } = this.dependencies;
    const seen = await this.#withTokens(shop, () => records.of(shop));
    const presence = await check.of(shop);
    if (presence !== 'uninstalled') return presence;
    return isUninstalled(await this.#withTokens(shop, () => records.uninstalled(shop, seen)))
      ? 'uninstalled'
      : 'unknown';
  }

  /**
   * Tells the app, then deletes the shop's sessions, whose tokens are revoked. Does nothing of that
   * when the shop has installed the app again since its uninstallation was confirmed. To be called
   * again when it throws.
   * @throws {HookFailedError} when the app fails to deal with it
   */
  async run(shop: string): Promise<void> {
    const { config, records, handlers } = this.dependencies;
    await withLock(this.dependencies, installLock(config.apiKey, shop), async () => {
      const installation = await records.of(shop);
      if (!installation || !isUninstalled(installation)) return this.#spare(shop);
      const event = installation.pending.find(({ event }) => event === 'uninstalled');
      // A `Response` of the app's is for a browser: here is none to answer.
      if (event)
        await tell(this.dependencies, installation, event, (done) =>
          handlers.run('uninstalled', { shop }, done),
        );
      await this.#withTokens(shop, () => this.#forget(installation));
    });
  }

  /**
   * Under the lock of whoever asks for a token, notes that it was granted and stores it: none of
   * this is half done meanwhile.
   */
  #withTokens<T>(shop: string, work: () => Promise<T>): Promise<T> {
    return withLock(this.dependencies, tokenLock(this.dependencies.config.apiKey, shop), work);
  }

  async #forget({ shop, generation }: Installation): Promise<void> {
    const { storage, records, logger } = this.dependencies;
    const present = await records.of(shop);
    if (present?.generation !== generation || present.status !== 'uninstalled')
      return this.#spare(shop);
    // Only their ids are needed: a token that cannot be opened any more is no reason to keep it.
    const sessions = await (storage.sealed ?? storage).findSessionsByShop(shop);
    if (sessions.length > 0) await storage.deleteSessions(sessions.map(({ id }) => id));
    logger.info('The app was uninstalled; its sessions are deleted', {
      shop,
      sessions: sessions.length,
    });
  }

  #spare(shop: string): void {
    this.dependencies.logger.warn(
      'The app was installed again while its uninstallation was dealt with; the new sessions stand',
      { shop },
    );
  }
}
