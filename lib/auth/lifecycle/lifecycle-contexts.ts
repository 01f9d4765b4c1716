import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext } from '../clients/shop-clients.js';

/** Which shop something has happened to. */
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

/** What the app learns of each event. */
export interface LifecycleContexts extends Record<LifecycleEvent, ShopContext> {
  readonly installed: InstallContext;
  readonly reinstalled: InstallContext;
  readonly scopes_changed: ScopesChangedContext;
  readonly authenticated: InstallContext;
  readonly needs_reauthorization: ShopContext;
  readonly uninstalled: ShopContext;
}
