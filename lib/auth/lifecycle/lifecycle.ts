import { inTime } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import { TtlCache } from '../../core/cache/ttl-cache.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import { SingleFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { AuthScopes } from '../../core/scopes.js';
import { isResponse } from '../../core/http/is-response.js';
import type {
  Installation,
  LifecycleEvent,
  PendingEvent,
} from '../../sessions/coordination/installation.store.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { Session, offlineSessionId } from '../../sessions/session.js';
import { userOf } from '../../sessions/session-properties.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { LockTimeoutError } from '../../sessions/sessions.errors.js';
import type { AdminContext } from '../clients/admin-context.js';
import type { ApiClients } from '../clients/shop-clients.js';
import { installLock, tokenLock } from '../installations/installation-records.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { deliverEvent } from './lifecycle-handlers.js';
import type { LifecycleHandlers, InstallContext, LifecycleContexts } from './lifecycle-handlers.js';

/** How long a token without pending events is not checked again, in milliseconds. */
const CHECKED_FOR = 5 * 60_000;
/** How many sessions are remembered to have none. */
const MOST_CHECKED = 10_000;
/**
 * How long a request waits for the events of its shop, in milliseconds: as long as another process
 * waits for the lock.
 */
const TIMEOUT_MS = 30_000;
/** How long a merchant's browser waits for {@link AfterInstall}, in milliseconds. */
const AFTER_INSTALL_TIMEOUT_MS = 10_000;

/**
 * The toolkit's own part of an installation, such as subscribing to webhooks: when a shop has
 * installed the app, installed it again, or granted other scopes than before. A port, bound by the
 * platform.
 */
export abstract class AfterInstall {
  /**
   * Gets the shop's offline session. When it rejects, the installation stands: the failure is
   * logged, and it runs again with a later request. The merchant's browser waits for it no longer
   * than ten seconds; it goes on in the background.
   */
  abstract run(session: Session): Promise<void>;
}

/**
 * A session that had no pending events. Its scopes are part of it: the token stays the same when
 * the shop grants others.
 */
type Checked = Pick<Session, 'shop' | 'accessToken' | 'scope'>;

/** What a {@link Lifecycle} works with. */
interface LifecycleDependencies {
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
 * Delivers the events of installations to the app: each once in all processes, and again when the
 * app failed to handle it.
 */
export class Lifecycle {
  /** What sessions were like when they had no pending events, by id. */
  readonly #checked: TtlCache<Checked>;
  readonly #flights = new SingleFlight<void>();

  constructor(private readonly dependencies: LifecycleDependencies) {
    const { clock } = dependencies;
    this.#checked = new TtlCache({ clock, lifetime: CHECKED_FOR, capacity: MOST_CHECKED });
  }

  /**
   * True when a request of the session need not wait for {@link deliverPendingEvents}: there were
   * no events a moment ago, and its token and scopes are the same. Reads no storage.
   */
  isSettled({ id, shop, accessToken, scope }: Session): boolean {
    if (accessToken === undefined) return true;
    const checked = this.#checked.get(id);
    return checked?.accessToken === accessToken && checked.scope === scope && checked.shop === shop;
  }

  /**
   * Resolves when all pending events of the session's shop were delivered, here or in another
   * process. To be called before a request of the shop goes on; reads the storage once in five
   * minutes per token, and when its scopes have changed. Must not be called by a hook, nor under
   * the shop's token lock.
   * @param options.isGranted the session has just been granted: the storage is always read, since
   * the same token can be granted a second time
   * @throws {HookFailedError} when the app failed to handle an event: the next call delivers it
   * again
   * @throws the web `Response` that a hook threw, or, for those who waited, a copy of it: the event
   * was delivered, and the next call goes on
   * @throws {LockTimeoutError} when delivery takes more than 30 s, here or in another process; the
   * app's hook goes on in the background
   */
  async deliverPendingEvents(
    session: Session,
    { isGranted = false }: { readonly isGranted?: boolean } = {},
  ): Promise<void> {
    const { shop, accessToken, scope } = session;
    if (accessToken === undefined || (!isGranted && this.isSettled(session))) return;
    const key = `${shop} ${accessToken} ${scope} ${isGranted}`;
    let own: Response | undefined;
    // A body can be read once, and each of the requests that wait reads it.
    const deliver = async (): Promise<void> => {
      try {
        await this.#deliver(session);
      } catch (error) {
        if (!isResponse(error)) throw error;
        own = error;
        throw error.clone();
      }
    };
    try {
      await this.#flights.do(key, deliver);
    } catch (error) {
      if (!isResponse(error)) throw error;
      throw own ?? error.clone();
    }
  }

  async #deliver(session: Session): Promise<void> {
    const { config, lock, clock, records, inFlight } = this.dependencies;
    const { id, shop, accessToken, scope } = session;
    if (this.#pendingFor(session, await records.of(shop)).length > 0) {
      const delivery = withLock({ lock, clock }, installLock(config.apiKey, shop), async (lost) => {
        const installation = await records.of(shop);
        if (installation) await this.#deliverAll(installation, session, lost);
      });
      // A hook that never returns blocks neither requests nor the flight for ever: the next request
      // asks for the lock again. A shutdown waits for it all the same.
      await inTime(clock, TIMEOUT_MS, inFlight.track(delivery), () => notDelivered(shop));
    }
    this.#checked.set(id, { shop, accessToken, scope });
  }

  async #deliverAll(
    installation: Installation,
    session: Session,
    lost: AbortSignal,
  ): Promise<void> {
    const events = this.#pendingFor(session, installation);
    if (events.length === 0) return;
    // Copies: background work of a hook belongs to no request.
    const offline = new Session((await this.#offlineSession(session.shop)) ?? session);
    for (const pending of events) {
      const { event } = pending;
      lost.throwIfAborted();
      if (event === 'after_install') {
        await this.#waitForAfterInstall(
          this.dependencies.inFlight.track(this.#afterInstall(installation, pending, offline)),
          session.shop,
        );
      } else {
        const context = this.#contextOf(
          pending,
          event === 'authenticated' && this.#isOf(session, pending)
            ? new Session(session)
            : offline,
        );
        const response = await deliverEvent(this.dependencies, installation, pending, (done) =>
          this.dependencies.handlers.run(event, context, done),
        );
        if (response) throw response;
      }
    }
  }

  /**
   * The events that are delivered with this session. While the app is uninstalled these are only
   * authentications of users: `uninstalled` itself is delivered by `Uninstallation`.
   */
  #pendingFor(session: Session, installation: Installation | undefined): readonly PendingEvent[] {
    const { status, pending = [] } = installation ?? {};
    return pending.filter((event) =>
      event.event === 'authenticated' ? this.#isAbout(session, event) : status !== 'uninstalled',
    );
  }

  /**
   * With online tokens, an authentication is delivered with the session of that user: neither the
   * app's session nor another user's takes its place.
   */
  #isAbout(session: Session, { user }: PendingEvent): boolean {
    if (!this.dependencies.config.useOnlineTokens) return true;
    return session.isOnline && (user === undefined || user === userOf(session)?.id);
  }

  /** False for a user's session when the authentication was that of the app, or another user's. */
  #isOf(session: Session, { user }: PendingEvent): boolean {
    const { useOnlineTokens } = this.dependencies.config;
    return session.isOnline && (useOnlineTokens || user === userOf(session)?.id);
  }

  /**
   * A grant is recorded before its session is stored, both under this lock: a session that is
   * loaded under it is never older than the events.
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
    const { clients } = this.dependencies;
    const { shop } = session;
    if (event === 'uninstalled') return { shop };
    // Made when it is first read: most apps have no handler for most events.
    let admin: AdminContext | undefined;
    const context = {
      shop,
      session,
      get admin() {
        return (admin ??= clients.for(session).admin);
      },
    } satisfies InstallContext;
    return event === 'scopes_changed'
      ? Object.assign(context, { previousScopes: new AuthScopes(previousScope).toArray(true) })
      : context;
  }

  /** Runs the toolkit's own part. When it fails it stays pending, and the installation stands. */
  async #afterInstall(
    installation: Installation,
    pending: PendingEvent,
    session: Session,
  ): Promise<void> {
    const { afterInstall, logger, records } = this.dependencies;
    const { shop } = session;
    try {
      await afterInstall.run(session);
      await records.delivered(installation, pending);
    } catch (error) {
      logger.error(
        'What follows an installation failed; it is tried again, and the installation stands',
        { shop, error },
      );
    }
  }

  /** Waits no longer than a merchant would: the work goes on in the background. */
  async #waitForAfterInstall(work: Promise<void>, shop: string): Promise<void> {
    const { clock, logger } = this.dependencies;
    const done = new AbortController();
    const timeout = clock.sleep(AFTER_INSTALL_TIMEOUT_MS, done.signal).then(
      () =>
        logger.warn('What follows an installation takes long; it goes on in the background', {
          shop,
        }),
      () => {},
    );
    await Promise.race([work, timeout]);
    done.abort();
  }
}

function notDelivered(shop: string): LockTimeoutError {
  return new LockTimeoutError(
    `The events of ${shop} were not delivered within ${TIMEOUT_MS} ms: a hook of the app takes long, here or in another process.`,
  );
}
