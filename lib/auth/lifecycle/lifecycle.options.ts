import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext } from '../clients/shop-clients.js';

/** The shop an event is about. */
export interface ShopContext {
  readonly shop: string;
}

/** A shop that has the app, and what the app may do there. */
export interface InstallContext extends ShopContext {
  /** The offline session; after authentication the one that was granted. */
  readonly session: Session;
  readonly admin: AdminContext;
}

/** A shop that has granted more, or less, than before. */
export interface ScopesChangedContext extends InstallContext {
  /** What was granted before; `session.scope` has what is granted now. */
  readonly previousScopes: string[];
}

/** What the handlers of each event are called with. */
export interface LifecycleContexts extends Record<LifecycleEvent, ShopContext> {
  readonly installed: InstallContext;
  readonly reinstalled: InstallContext;
  readonly scopes_changed: ScopesChangedContext;
  readonly authenticated: InstallContext;
  readonly needs_reauthorization: ShopContext;
  readonly uninstalled: ShopContext;
}

/**
 * The app's own code for the events of an installation. Unless it says otherwise, each hook runs
 * once in all processes before a request of the shop goes on, and again with the next request when
 * it throws. A thrown web `Response` is not a failure: it is the response to that request, once.
 */
export interface LifecycleHooks {
  /**
   * Runs at the end of every authentication, after the session has been stored and before the
   * merchant reaches the app. Throw a web `Response` to answer the merchant's browser with it
   * instead, such as a redirect to a page of plans.
   */
  readonly afterAuth?:
    ((context: { session: Session; admin: AdminContext }) => unknown) | undefined;
  /**
   * The shop has installed the app for the first time. A thrown `Response` is the response, as with
   * `afterAuth`.
   */
  readonly onInstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has installed the app again after it had uninstalled it. */
  readonly onReinstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has granted more, or less, than before. */
  readonly onScopesChanged?: ((context: ScopesChangedContext) => unknown) | undefined;
  /**
   * The shop has uninstalled the app: its tokens are revoked, and its sessions are deleted
   * afterwards.
   */
  readonly onUninstall?: ((context: ShopContext) => unknown) | undefined;
  /**
   * The shop's tokens can no longer be renewed until somebody of the shop opens the app. Runs once,
   * also when it throws.
   */
  readonly onReauthorizationNeeded?: ((context: ShopContext) => unknown) | undefined;
}

/** The event that each hook handles. */
export const LIFECYCLE_HOOKS = Object.entries({
  afterAuth: 'authenticated',
  onInstall: 'installed',
  onReinstall: 'reinstalled',
  onScopesChanged: 'scopes_changed',
  onUninstall: 'uninstalled',
  onReauthorizationNeeded: 'needs_reauthorization',
} satisfies Record<keyof LifecycleHooks, LifecycleEvent>) as readonly (readonly [
  hook: keyof LifecycleHooks,
  event: LifecycleEvent,
])[];
