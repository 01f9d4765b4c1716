import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { TimeLimit } from '../../core/http/time-limit.js';
import type { PlatformLogger } from '../../core/logger.js';
import { orAborted } from '../../core/http/time-limit.js';
import type { Installation } from '../../sessions/coordination/installation.store.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { installLock, tokenLock, isUninstalled } from '../installations/installation-records.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import type { InstallationCheck, Presence } from './installation-check.js';
import { deliverEvent } from './lifecycle-handlers.js';
import type { LifecycleHandlers } from './lifecycle-handlers.js';

/**
 * How long the platform is asked whether a shop has the app, in milliseconds: it waits 5 s for the
 * answer to its delivery.
 */
const TIMEOUT_MS = 3_000;

/** What an {@link Uninstallation} works with. */
interface UninstallationDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly lock: Lock;
  readonly storage: SessionStorage;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
  readonly check: Pick<InstallationCheck, 'of'>;
}

/** Confirms uninstallations, delivers them to the app, and deletes the sessions of the shop. */
export class Uninstallation {
  readonly #checks = new NextFlight<Presence>();

  constructor(private readonly dependencies: UninstallationDependencies) {}

  /**
   * Asks the platform whether a shop has uninstalled the app, and records it when it has. The app
   * does not learn of it yet, and no session is deleted. There is one check of a shop at a time,
   * however many deliveries arrive.
   * @returns `unknown` when the platform did not answer within three seconds, or the shop has
   * installed the app again meanwhile: ask again later
   */
  async confirm(shop: string): Promise<Presence> {
    const { clock, logger } = this.dependencies;
    const limit = new TimeLimit(clock, TIMEOUT_MS);
    const check = this.#checks.do(shop, () => this.#confirm(shop));
    try {
      // What goes on after the limit records only what is true, and the next attempt finds the
      // token that was renewed.
      return await orAborted(check, limit.signal);
    } catch (error) {
      if (!limit.isOver) throw error;
      logger.warn('The platform did not say in time whether a shop has the app', {
        shop,
        ms: TIMEOUT_MS,
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
   * Delivers the event to the app, then deletes the shop's sessions, whose tokens are revoked. Does
   * neither when the shop has installed the app again since its uninstallation was confirmed. To be
   * called again when it throws.
   * @throws {HookFailedError} when the app fails to handle it
   */
  async run(shop: string): Promise<void> {
    const { config, records, handlers } = this.dependencies;
    await withLock(this.dependencies, installLock(config.apiKey, shop), async () => {
      const installation = await records.of(shop);
      if (!installation || !isUninstalled(installation)) return this.#keepSessions(shop);
      const event = installation.pending.find(({ event }) => event === 'uninstalled');
      // There is no browser that a `Response` of the app could answer.
      if (event)
        await deliverEvent(this.dependencies, installation, event, (done) =>
          handlers.run('uninstalled', { shop }, done),
        );
      await this.#withTokens(shop, () => this.#deleteSessions(installation));
    });
  }

  /**
   * Under the lock that holds while a token is granted, recorded and stored: none of this is half
   * done meanwhile.
   */
  #withTokens<T>(shop: string, work: () => Promise<T>): Promise<T> {
    return withLock(this.dependencies, tokenLock(this.dependencies.config.apiKey, shop), work);
  }

  async #deleteSessions({ shop, generation }: Installation): Promise<void> {
    const { storage, records, logger } = this.dependencies;
    const present = await records.of(shop);
    if (present?.generation !== generation || present.status !== 'uninstalled')
      return this.#keepSessions(shop);
    // Only the ids are needed: a session that cannot be decrypted is deleted as well.
    const sessions = await (storage.sealed ?? storage).findSessionsByShop(shop);
    if (sessions.length > 0) await storage.deleteSessions(sessions.map(({ id }) => id));
    logger.info('The app was uninstalled; its sessions are deleted', {
      shop,
      sessions: sessions.length,
    });
  }

  #keepSessions(shop: string): void {
    this.dependencies.logger.warn(
      'The app was installed again while its uninstallation was handled; the new sessions stand',
      { shop },
    );
  }
}

/**
 * Runs one check per key at a time. A caller that comes while one is running shares the next one
 * with all others that do: the outcome of the running one may be out of date for them.
 */
class NextFlight<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  do(key: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(key);
    if (next) return next;
    const running = this.#running.get(key);
    if (!running) return this.#begin(key, work);
    const following = running
      .catch(() => {})
      .then(() => {
        this.#next.delete(key);
        return this.#begin(key, work);
      });
    this.#next.set(key, following);
    return following;
  }

  #begin(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => this.#running.delete(key));
    this.#running.set(key, flight);
    return flight;
  }
}
