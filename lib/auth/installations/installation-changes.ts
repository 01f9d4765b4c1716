import { AuthScopes } from '../../core/scopes.js';
import type { Installation, PendingEvent } from '../../sessions/coordination/installation.store.js';

/** A token the platform has granted to the app itself. */
export interface Grant {
  /** Comma-separated. */
  readonly scope: string;
  readonly grantedAt: Date;
  /**
   * A session of the shop was stored already: without a record of it, the app has moved here from
   * another library.
   */
  readonly isKnown: boolean;
  /**
   * The token before was refused for good, and with it what could have renewed it: the shop had
   * uninstalled the app. @default false
   */
  readonly isRevoked?: boolean | undefined;
  /**
   * The app is to be told that the shop was authenticated, see `hooks.afterAuth`. @default false
   */
  readonly authenticated?: boolean | undefined;
  /**
   * The merchant was on the consent page: the toolkit's own part is done again, for topics that
   * were added since. @default false
   */
  readonly consented?: boolean | undefined;
}

/** What the platform says a shop has granted, between two grants. */
export interface Scoping {
  /** Comma-separated. */
  readonly scope: string;
  /** What was thought to be granted, in case there is no record of it. */
  readonly previousScope: string;
}

/** A moment before all others: of what has not been seen. */
const NEVER = new Date(0);

/**
 * What to start from when there is no record of a shop: one that has never had the app, or had it
 * before records were kept.
 */
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

export function afterGrant(before: Installation, grant: Grant): Installation {
  const { scope, grantedAt, isRevoked = false, authenticated = false, consented = false } = grant;
  const isNew = before.status === 'uninstalled' || isRevoked;
  const hasOtherScopes = hasBeenGranted(before) && !new AuthScopes(before.scope).equals(scope);
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

/** The record itself when nothing changes. */
export function afterScoping(
  before: Installation,
  { scope, previousScope: assumed }: Scoping,
): Installation {
  const previousScope = hasBeenGranted(before) ? before.scope : assumed;
  if (before.status === 'uninstalled' || new AuthScopes(previousScope).equals(scope)) return before;
  return withEvents({ ...before, scope }, [
    { event: 'after_install' },
    { event: 'scopes_changed', previousScope },
  ]);
}

/** With a user to tell of; their token says nothing about the app's own. */
export function afterAuthentication(before: Installation, user: number | undefined): Installation {
  return withEvents(before, [{ event: 'authenticated', user }]);
}

/** The record itself when nothing changes. */
export function afterRefusal(before: Installation): Installation {
  return before.status === 'installed' ? { ...before, status: 'needs_reauthorization' } : before;
}

/** The record itself when nothing changes. */
export function afterUninstall(before: Installation): Installation {
  if (isUninstalled(before)) return before;
  const generation = Math.max(before.generation, 1);
  return withEvents({ ...before, generation, status: 'uninstalled' }, [{ event: 'uninstalled' }]);
}

/** True for a shop that had the app: one that never had it has the same status. */
export function isUninstalled({ status, generation }: Installation): boolean {
  return status === 'uninstalled' && generation > 0;
}

/** Without an event that the app has been told of, unless it has happened once more since. */
export function afterTelling(before: Installation, told: PendingEvent): Installation {
  const pending = before.pending.filter((event) => !isSame(event, told));
  return pending.length < before.pending.length ? { ...before, pending } : before;
}

/** With the handlers noted that are done with an event. */
export function afterFailure(
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
 * What happens again before it was told is told once, from the beginning, and of the oldest scopes:
 * the last the app has heard of. It keeps its place, but when the app was uninstalled in between it
 * belongs to what comes after that.
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

function hasBeenGranted({ grantedAt }: Installation): boolean {
  return grantedAt > NEVER;
}

/** Of the same kind, and about the same user. */
function isAlike(one: PendingEvent, other: PendingEvent): boolean {
  return one.event === other.event && one.user === other.user;
}

function isSame(one: PendingEvent, other: PendingEvent): boolean {
  return isAlike(one, other) && one.version === other.version;
}
