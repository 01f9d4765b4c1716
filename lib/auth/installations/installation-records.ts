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
  afterTelling,
  afterUninstall,
  unrecorded,
} from './installation-changes.js';
import type { Grant, Scoping } from './installation-changes.js';

/** Of writers in each other's way one succeeds at a time, so this many may meet. */
const MOST_ATTEMPTS = 100;
const LONGEST_PAUSE = 20;

/** What {@link InstallationRecords} work with. */
export interface InstallationRecordsDependencies {
  /** Client id of the app. */
  readonly app: string;
  readonly clock: Clock;
  readonly store: InstallationStore;
}

/**
 * What is known about the shops that have the app, and what the app has yet to be told about them.
 * Any number of processes may change a record at once: no change is lost. Every method throws what
 * the store throws.
 */
export class InstallationRecords {
  constructor(private readonly dependencies: InstallationRecordsDependencies) {}

  /** The record of a shop; `undefined` when nothing is known of it. */
  of(shop: string): Promise<Installation | undefined> {
    return this.dependencies.store.load(this.dependencies.app, shop);
  }

  /**
   * Notes that the platform has granted a token to the app itself. Has to come before the session
   * is stored: then a crash in between loses nothing, since the grant is repeated.
   */
  granted(shop: string, grant: Grant): Promise<Installation> {
    return this.#change(shop, grant.isKnown, (before) => afterGrant(before, grant));
  }

  /**
   * Notes what the shop has granted by now. Has to come before a session says so, as with
   * {@link granted}.
   */
  scoped(shop: string, scoping: Scoping): Promise<Installation> {
    return this.#change(shop, true, (before) => afterScoping(before, scoping));
  }

  /**
   * Notes that a user was authenticated, after their session was stored: it is the one the app is
   * told with.
   * @param isKnown as of a {@link Grant}
   */
  authenticated({ shop, onlineAccessInfo }: Session, isKnown: boolean): Promise<Installation> {
    return this.#change(shop, isKnown, (before) =>
      afterAuthentication(before, onlineAccessInfo?.associated_user.id),
    );
  }

  /**
   * Notes that the shop's tokens cannot be renewed any more. True for the one caller with whom this
   * began.
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
   * Notes that the app was uninstalled. A record that has changed since it was `seen` stays as it
   * is, as its status says: the shop may have installed the app again. The caller holds the shop's
   * token lock, and held it to see the record: a grant is noted and its session stored by then, or
   * both are yet to come.
   */
  uninstalled(shop: string, seen: Installation | undefined): Promise<Installation> {
    return this.#change(shop, true, (before) =>
      before.version === (seen?.version ?? 0) ? afterUninstall(before) : before,
    );
  }

  /** Notes that the app was told of an event, unless it has happened once more meanwhile. */
  told({ shop }: Installation, event: PendingEvent): Promise<Installation> {
    return this.#change(shop, false, (before) => afterTelling(before, event));
  }

  /** Notes which handlers are done with an event that another has failed on. */
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
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const before = (await store.load(app, shop)) ?? unrecorded(app, shop, isKnown);
      const after = change(before);
      if (after === before) return before;
      const saved = { ...after, version: before.version + 1 };
      if (await store.save(saved)) return saved;
      await clock.sleep(Math.random() * LONGEST_PAUSE);
    }
    throw new SessionStorageError(
      `The installation of ${shop} could not be noted: others changed its record all the time.`,
    );
  }
}
