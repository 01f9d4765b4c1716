import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { AuthScopes } from '../../core/scopes.js';
import type {
  Installation,
  LifecycleEvent,
  PendingEvent,
} from '../../sessions/coordination/installation.store.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { offlineSessionId } from '../../sessions/session-ids.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { LockTimeoutError } from '../../sessions/sessions.errors.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import type { ApiClients } from '../clients/shop-clients.js';
import type { AfterInstall } from './after-install.js';
import { TtlSet } from '../../core/cache/ttl-cache.js';
import { SingleFlight } from '../../core/concurrency/single-flight.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import type { InstallContext, LifecycleContexts } from './lifecycle-contexts.js';
import type { LifecycleHandlers } from './lifecycle-handlers.js';
import { tell } from './lifecycle-telling.js';
import { installLock, tokenLock } from '../installations/shop-locks.js';

/** How long nothing is asked about a token for which everything was told, in milliseconds. */
const SETTLED_FOR = 5 * 60_000;
/**
 * How long a request waits for what is told of its shop, in milliseconds: as long as another
 * process waits for the lock.
 */
const PATIENCE = 30_000;
/** How long a merchant's browser waits for the toolkit's own part, in milliseconds. */
const AFTER_INSTALL_PATIENCE = 10_000;

/** What a {@link Lifecycle} works with. */
export interface LifecycleDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly lock: Lock;
  readonly storage: SessionStorage;
  readonly clients: ApiClients;
  readonly records: InstallationRecords;
  readonly handlers: LifecycleHandlers;
  readonly afterInstall: AfterInstall;
}

/**
 * Tells the app what has happened to an installation: each event once in all processes, and again
 * when the app failed to deal with it.
 */
export class Lifecycle {
  /**
   * Shops and tokens for which there was nothing left to tell, with their scopes: a token lasts
   * when its shop grants others.
   */
  readonly #settled: TtlSet;
  readonly #flights = new SingleFlight<void>();

  constructor(private readonly dependencies: LifecycleDependencies) {
    this.#settled = new TtlSet(dependencies.clock, SETTLED_FOR);
  }

  /**
   * Resolves when the app has been told everything about the session's shop, here or in another
   * process. To be called before a request of the shop goes on; asks the storage once in five
   * minutes per token, and when its scopes have changed. Not to be called by a hook, nor by who
   * holds the shop's token lock.
   * @param options.isGranted the session has just been granted: the storage is asked, since a token
   * can be granted a second time
   * @throws {HookFailedError} when the app failed to deal with an event: the next call tells it
   * again
   * @throws the web `Response` that a hook threw: the app has been told, and the next call goes on
   * @throws {LockTimeoutError} when the app, or another process, is at it for more than 30 s; the
   * app's hook goes on in the background
   */
  async settle(
    session: Session,
    { isGranted = false }: { readonly isGranted?: boolean } = {},
  ): Promise<void> {
    const { shop, accessToken, scope } = session;
    const key = `${shop} ${accessToken}`;
    if (accessToken === undefined || (!isGranted && this.#settled.has(key, scope))) return;
    try {
      await this.#flights.do(`${key} ${scope} ${isGranted}`, () => this.#settle(session, key));
    } catch (error) {
      // Each of those who waited reads the body of its own.
      throw error instanceof Response ? error.clone() : error;
    }
  }

  async #settle(session: Session, key: string): Promise<void> {
    const { config, lock, clock, records, inFlight } = this.dependencies;
    const { shop, scope } = session;
    if (this.#newsFor(session, await records.of(shop)).length > 0) {
      const telling = withLock({ lock, clock }, installLock(config.apiKey, shop), async (lost) => {
        const installation = await records.of(shop);
        if (installation) await this.#tellAll(installation, session, lost);
      });
      // A shutdown waits for it also when the request no longer does.
      await this.#inTime(inFlight.track(telling), shop);
    }
    this.#settled.add(key, scope);
  }

  /**
   * A hook that never returns holds up no request for ever, and no flight: the next one asks for
   * the lock again.
   */
  async #inTime(telling: Promise<void>, shop: string): Promise<void> {
    const told = new AbortController();
    const late = this.dependencies.clock.sleep(PATIENCE, told.signal).then(
      () => {
        throw new LockTimeoutError(
          `The app was not told of ${shop} within ${PATIENCE} ms: one of its hooks takes long, here or elsewhere.`,
        );
      },
      () => {},
    );
    try {
      await Promise.race([telling, late]);
    } finally {
      told.abort();
    }
  }

  async #tellAll(installation: Installation, session: Session, lost: AbortSignal): Promise<void> {
    const news = this.#newsFor(session, installation);
    if (news.length === 0) return;
    const offline = (await this.#offlineSession(session.shop)) ?? session;
    for (const pending of news) {
      const { event } = pending;
      lost.throwIfAborted();
      if (event === 'after_install') {
        await this.#patiently(
          this.dependencies.inFlight.track(this.#follow(installation, pending, offline)),
          session.shop,
        );
      } else {
        const context = this.#contextOf(
          pending,
          event === 'authenticated' && session.isOnline ? session : offline,
        );
        const answer = await tell(this.dependencies, installation, pending, (done) =>
          this.dependencies.handlers.run(event, context, done),
        );
        if (answer) throw answer;
      }
    }
  }

  /**
   * What there is to tell with this session. Of an uninstalled app its uninstallation is left,
   * which has to be asked for, and users who come without installing it.
   */
  #newsFor(session: Session, installation: Installation | undefined): readonly PendingEvent[] {
    const { status, pending = [] } = installation ?? {};
    return pending.filter((event) =>
      event.event === 'authenticated' ? this.#isAbout(session, event) : status !== 'uninstalled',
    );
  }

  /**
   * Where users have tokens of their own it is they who are authenticated: neither the app nor
   * another user stands in for one of them.
   */
  #isAbout({ isOnline, onlineAccessInfo }: Session, { user }: PendingEvent): boolean {
    if (!this.dependencies.config.useOnlineTokens) return true;
    return isOnline && (user === undefined || user === onlineAccessInfo?.associated_user.id);
  }

  /**
   * A grant is noted before its session is stored, both under this lock: what is loaded under it is
   * never older than what is told.
   */
  #offlineSession(shop: string): Promise<Session | undefined> {
    const { config, lock, clock, storage } = this.dependencies;
    return withLock({ lock, clock }, tokenLock(config.apiKey, shop), () =>
      storage.loadSession(offlineSessionId(shop)),
    );
  }

  #contextOf(
    { event, previousScope }: PendingEvent,
    session: Session,
  ): LifecycleContexts[LifecycleEvent] {
    const { shop } = session;
    if (event === 'uninstalled') return { shop };
    const context: InstallContext = {
      shop,
      session,
      admin: this.dependencies.clients.for(session).admin,
    };
    return event === 'scopes_changed'
      ? { ...context, previousScopes: new AuthScopes(previousScope).toArray(true) }
      : context;
  }

  /** The toolkit's own part. The installation stands when it fails: it is tried again by and by. */
  async #follow(
    installation: Installation,
    pending: PendingEvent,
    session: Session,
  ): Promise<void> {
    const { afterInstall, logger, records } = this.dependencies;
    const { shop } = session;
    try {
      await afterInstall.run(session);
      await records.told(installation, pending);
    } catch (error) {
      logger.error(
        'What follows an installation failed; it is tried again, and the installation stands',
        { shop, error },
      );
    }
  }

  /** Waits, but no longer than a merchant would: the work goes on by itself. */
  async #patiently(work: Promise<void>, shop: string): Promise<void> {
    const { clock, logger } = this.dependencies;
    const done = new AbortController();
    const late = clock.sleep(AFTER_INSTALL_PATIENCE, done.signal).then(
      () =>
        logger.warn('What follows an installation takes long; it goes on in the background', {
          shop,
        }),
      () => {},
    );
    await Promise.race([work, late]);
    done.abort();
  }
}
