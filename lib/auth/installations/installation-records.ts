import type { Clock } from '../../core/time/clock.js';
import type {
  Installation,
  InstallationStore,
  PendingEvent,
} from '../../sessions/coordination/installation.store.js';
import type { Session } from '../../sessions/session.js';
import { SessionStorageError } from '../../sessions/sessions.errors.js';
import {
  afterAuthentication,
  afterFailure,
  afterGrant,
  afterRefusal,
  afterScoping,
  afterDelivery,
  afterUninstall,
  unrecorded,
} from './installation-changes.js';
import type { Grant, Scoping } from './installation-changes.js';

/** Of concurrent writers one succeeds per attempt, so this many can change a record at once. */
const MAX_ATTEMPTS = 100;
/** In milliseconds. */
const MAX_PAUSE = 20;

/**
 * The lock under which the events of a shop are delivered. Of the three locks of a shop, they are
 * taken in the order in which they stand here.
 */
export function installLock(apiKey: string, shop: string): string {
  return `install:${apiKey}:${shop}`;
}

/** The lock under which the app asks what a shop has granted. */
export function scopesLock(apiKey: string, shop: string): string {
  return `scopes:${apiKey}:${shop}`;
}

/** The lock under which the sessions of a shop are granted, renewed or deleted. */
export function tokenLock(apiKey: string, shop: string): string {
  return `token:${apiKey}:${shop}`;
}

/** What {@link InstallationRecords} work with. */
export interface InstallationRecordsDependencies {
  /** Client id of the app. */
  readonly app: string;
  readonly clock: Clock;
  readonly store: InstallationStore;
}

/**
 * The records of the shops that have the app, with the events that the app has not handled yet. Any
 * number of processes may change a record at once: no change is lost. Every method throws what the
 * store throws.
 */
export class InstallationRecords {
  constructor(private readonly dependencies: InstallationRecordsDependencies) {}

  /** The record of a shop, if there is one. */
  of(shop: string): Promise<Installation | undefined> {
    return this.dependencies.store.load(this.dependencies.app, shop);
  }

  /**
   * Records that the platform has granted an offline token. Must happen before the session is
   * stored: then a crash in between loses nothing, since the grant is repeated.
   */
  granted(shop: string, grant: Grant): Promise<Installation> {
    return this.#change(shop, grant.isKnown, (before) => afterGrant(before, grant));
  }

  /**
   * Records the scopes a shop has granted by now. Must happen before a session is stored with them,
   * as with {@link granted}.
   */
  scoped(shop: string, scoping: Scoping): Promise<Installation> {
    return this.#change(shop, true, (before) => afterScoping(before, scoping));
  }

  /**
   * Records that a user was authenticated, after their session was stored: the event is delivered
   * with it.
   * @param isKnown as of a {@link Grant}
   */
  authenticated({ shop, onlineAccessInfo }: Session, isKnown: boolean): Promise<Installation> {
    return this.#change(shop, isKnown, (before) =>
      afterAuthentication(before, onlineAccessInfo?.associated_user.id),
    );
  }

  /**
   * Records that the shop's tokens can no longer be renewed. True for the one caller that changed
   * the record.
   */
  async needsReauthorization(shop: string): Promise<boolean> {
    let begins = false;
    await this.#change(shop, true, (before) => {
      const after = afterRefusal(before);
      begins = after !== before;
      return after;
    });
    return begins;
  }

  /**
   * Records that the app was uninstalled. A record that has changed since it was `seen` stays as it
   * is: the shop may have installed the app again. The caller holds the shop's token lock, as it
   * did when it read `seen`: no grant is half recorded at either time.
   */
  uninstalled(shop: string, seen: Installation | undefined): Promise<Installation> {
    return this.#change(shop, true, (before) =>
      before.version === (seen?.version ?? 0) ? afterUninstall(before) : before,
    );
  }

  /** Removes an event that was delivered, unless it has happened once more meanwhile. */
  delivered({ shop }: Installation, event: PendingEvent): Promise<Installation> {
    return this.#change(shop, false, (before) => afterDelivery(before, event));
  }

  /** Records which handlers are done with an event that another handler has failed on. */
  failed(
    { shop }: Installation,
    event: PendingEvent,
    done: Iterable<string>,
  ): Promise<Installation> {
    return this.#change(shop, false, (before) => afterFailure(before, event, [...done]));
  }

  async #change(
    shop: string,
    isKnown: boolean,
    change: (before: Installation) => Installation,
  ): Promise<Installation> {
    const { app, clock, store } = this.dependencies;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = (await store.load(app, shop)) ?? unrecorded(app, shop, isKnown);
      const after = change(before);
      if (after === before) return before;
      const saved = { ...after, version: before.version + 1 };
      if (await store.save(saved)) return saved;
      await clock.sleep(Math.random() * MAX_PAUSE);
    }
    throw new SessionStorageError(
      `The installation of ${shop} could not be recorded: others changed its record all the time.`,
    );
  }
}
