import { AuthScopes } from '../../core/scopes.js';
import type { Clock } from '../../core/time/clock.js';
import type {
  Installation,
  InstallationStore,
  PendingEvent,
} from '../../sessions/coordination/installation.store.js';
import type { Session } from '../../sessions/session.js';
import { userOf } from '../../sessions/session-properties.js';
import { SessionStorageError } from '../../sessions/sessions.errors.js';

/** Of concurrent writers one succeeds per attempt, so this many can change a record at once. */
const MAX_ATTEMPTS = 100;
const MAX_PAUSE_MS = 20;

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
interface InstallationRecordsDependencies {
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
  authenticated(session: Session, isKnown: boolean): Promise<Installation> {
    return this.#change(session.shop, isKnown, (before) =>
      afterAuthentication(before, userOf(session)?.id),
    );
  }

  /** Records that the tokens can no longer be renewed. True for the one caller that did. */
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
      await clock.sleep(Math.random() * MAX_PAUSE_MS);
    }
    throw new SessionStorageError(
      `The installation of ${shop} could not be recorded: others changed its record all the time.`,
    );
  }
}

/** A token the platform has granted to the app itself. */
export interface Grant {
  /** Comma-separated. */
  readonly scope: string;
  readonly grantedAt: Date;
  /**
   * A session of the shop is stored already. Without a record of the shop it means that the app has
   * moved here from another library.
   */
  readonly isKnown: boolean;
  /**
   * The previous token and its refresh token are revoked: the shop had uninstalled the app.
   * @default false
   */
  readonly isRevoked?: boolean | undefined;
  /** The grant ends an authentication: `hooks.afterAuth` runs. @default false */
  readonly authenticated?: boolean | undefined;
  /**
   * The merchant was on the consent page: webhooks are subscribed again, for topics that were added
   * since. @default false
   */
  readonly consented?: boolean | undefined;
}

/** The scopes of a shop, as the platform reports them between two grants. */
interface Scoping {
  /** Comma-separated. */
  readonly scope: string;
  /** What was assumed to be granted, for a shop without a record. */
  readonly previousScope: string;
}

/** Stands for a time that is not known. */
const NEVER = new Date(0);

/** The first record of a shop: it is new, or it had the app before records were kept. */
export function unrecorded(app: string, shop: string, isKnown: boolean): Installation {
  const generation = isKnown ? 1 : 0;
  return {
    app,
    shop,
    generation,
    status: isKnown ? 'installed' : 'uninstalled',
    scope: '',
    grantedAt: NEVER,
    pending: [],
    version: 0,
  };
}

/** The record after a grant, with the events that follow from it. */
export function afterGrant(before: Installation, grant: Grant): Installation {
  const { scope, grantedAt, isRevoked = false, authenticated = false, consented = false } = grant;
  const isNew = before.status === 'uninstalled' || isRevoked;
  const hasOtherScopes = hasBeenGranted(before) && !grantsSame(before.scope, scope);
  const events: PendingEvent[] = [
    ...(isNew || hasOtherScopes || consented ? [{ event: 'after_install' } as const] : []),
    ...(isNew ? [{ event: before.generation === 0 ? 'installed' : 'reinstalled' } as const] : []),
    ...(hasOtherScopes ? [{ event: 'scopes_changed', previousScope: before.scope } as const] : []),
    ...(authenticated ? [{ event: 'authenticated' } as const] : []),
  ];
  const after: Installation = {
    ...before,
    ...(isNew && { generation: before.generation + 1 }),
    status: 'installed',
    scope,
    grantedAt: grantedAt > before.grantedAt ? grantedAt : before.grantedAt,
  };
  return withEvents(after, events);
}

/** The record after other scopes were reported; the same record when nothing changes. */
function afterScoping(
  before: Installation,
  { scope, previousScope: assumed }: Scoping,
): Installation {
  const previousScope = hasBeenGranted(before) ? before.scope : assumed;
  if (before.status === 'uninstalled' || grantsSame(previousScope, scope)) return before;
  return withEvents({ ...before, scope }, [
    { event: 'after_install' },
    { event: 'scopes_changed', previousScope },
  ]);
}

/** The record after a user was authenticated. A user's token does not change the installation. */
function afterAuthentication(before: Installation, user: number | undefined): Installation {
  return withEvents(before, [{ event: 'authenticated', user }]);
}

/** The record after the last token was refused; the same record when nothing changes. */
function afterRefusal(before: Installation): Installation {
  return before.status === 'installed' ? { ...before, status: 'needs_reauthorization' } : before;
}

/** The record after an uninstallation; the same record when nothing changes. */
export function afterUninstall(before: Installation): Installation {
  if (isUninstalled(before)) return before;
  const generation = Math.max(before.generation, 1);
  return withEvents({ ...before, generation, status: 'uninstalled' }, [{ event: 'uninstalled' }]);
}

/** True for a shop that had the app; a shop that never had it has the same status. */
export function isUninstalled({ status, generation }: Installation): boolean {
  return status === 'uninstalled' && generation > 0;
}

/** The record without an event that was delivered, unless it has happened once more since. */
export function afterDelivery(before: Installation, delivered: PendingEvent): Installation {
  const pending = before.pending.filter((event) => !isSame(event, delivered));
  return pending.length < before.pending.length ? { ...before, pending } : before;
}

/** The record with the names of the handlers that are done with an event. */
function afterFailure(
  before: Installation,
  failed: PendingEvent,
  done: readonly string[],
): Installation {
  const pending = before.pending.map((event) =>
    isSame(event, failed) ? { ...event, done } : event,
  );
  return { ...before, pending };
}

/**
 * An event that happens again before it was delivered is delivered once, to all handlers, with the
 * oldest scopes: the last ones the app knows of. It keeps its place, unless the app was uninstalled
 * since: then it moves behind that.
 */
function withEvents(installation: Installation, events: readonly PendingEvent[]): Installation {
  const version = installation.version + 1;
  const pending = [...installation.pending];
  for (const event of events) {
    const index = pending.findIndex((other) => isAlike(other, event));
    if (index < 0) pending.push({ ...event, version });
    else {
      const [known] = pending.splice(index, 1);
      const isGoneSince = pending.slice(index).some((later) => later.event === 'uninstalled');
      pending.splice(isGoneSince ? pending.length : index, 0, { ...known!, version, done: [] });
    }
  }
  return { ...installation, pending };
}

/** True when two lists of scopes, comma-separated, grant the same. */
export function grantsSame(scope: string, other: string): boolean {
  return scope === other || AuthScopes.of(scope).equals(AuthScopes.of(other));
}

function hasBeenGranted({ grantedAt }: Installation): boolean {
  return grantedAt > NEVER;
}

/** True for events of the same kind, about the same user. */
function isAlike(one: PendingEvent, other: PendingEvent): boolean {
  return one.event === other.event && one.user === other.user;
}

function isSame(one: PendingEvent, other: PendingEvent): boolean {
  return isAlike(one, other) && one.version === other.version;
}
