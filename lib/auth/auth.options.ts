import { typedToken } from '../core/binding.js';
import type { OptionProblem } from '../core/core.errors.js';
import type { LifecycleEvent } from '../sessions/coordination/installation.store.js';
import type { Session } from '../sessions/session.js';
import type { AdminContext } from './clients/shop-clients.js';
import type {
  InstallContext,
  ScopesChangedContext,
  ShopContext,
} from './lifecycle/lifecycle-contexts.js';
import type { ScopesMismatchHook } from './admin/scopes-mismatch.js';

/**
 * The app's own code at the turning points of an installation. Unless it says otherwise, each runs
 * once in all processes before a request of the shop goes on, and again with the next request when
 * it throws. A thrown web `Response` is no failure: it is the answer to that request, once.
 */
export interface AuthHooks {
  /**
   * Runs at the end of every authentication, after the session has been stored and before the
   * merchant reaches the app. Throw a web `Response` to answer the merchant's browser with it
   * instead, such as a redirect to a page of plans.
   */
  readonly afterAuth?:
    ((context: { session: Session; admin: AdminContext }) => unknown) | undefined;
  /**
   * The shop has installed the app for the first time. A thrown `Response` is answered, as with
   * `afterAuth`.
   */
  readonly onInstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has installed the app again after it had uninstalled it. */
  readonly onReinstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has granted more, or less, than before. */
  readonly onScopesChanged?: ((context: ScopesChangedContext) => unknown) | undefined;
  /**
   * The shop has uninstalled the app; its sessions are deleted afterwards. Its tokens count no
   * more.
   */
  readonly onUninstall?: ((context: ShopContext) => unknown) | undefined;
  /**
   * The shop's tokens can be renewed no more: the app has to be opened by somebody of the shop.
   * Runs once, also when it throws.
   */
  readonly onReauthorizationNeeded?: ((context: ShopContext) => unknown) | undefined;
  /**
   * A session lacks scopes the app asks for; runs with every request of it. Answer `'continue'` to
   * let the request go on with what was granted, `'request'` or nothing to send the merchant to the
   * consent page, as happens without this hook. A thrown `Response` is answered.
   */
  readonly onScopesMismatch?: ScopesMismatchHook | undefined;
}

/** The other one is asked. */
type EventHook = Exclude<keyof AuthHooks, 'onScopesMismatch'>;

/** The hooks that are told of an event, and their events. */
export const HOOKS = Object.entries({
  afterAuth: 'authenticated',
  onInstall: 'installed',
  onReinstall: 'reinstalled',
  onScopesChanged: 'scopes_changed',
  onUninstall: 'uninstalled',
  onReauthorizationNeeded: 'needs_reauthorization',
} satisfies Record<EventHook, LifecycleEvent>) as readonly (readonly [
  hook: EventHook,
  event: LifecycleEvent,
])[];

/** What an app can decide about authentication. */
export interface AuthOptions {
  readonly hooks?: AuthHooks | undefined;
}

/** Injection token of the app's {@link AuthHooks}. */
export const AUTH_HOOKS = typedToken<AuthHooks>('AUTH_HOOKS');

/** What is wrong with the options of this room. */
export function problemsInAuth({ hooks }: AuthOptions): OptionProblem[] {
  if (hooks === undefined) return [];
  if (typeof hooks !== 'object' || hooks === null)
    return [{ option: 'hooks', message: 'must be an object of functions' }];
  const names: (keyof AuthHooks)[] = [...HOOKS.map(([hook]) => hook), 'onScopesMismatch'];
  return names
    .filter((name) => hooks[name] !== undefined && typeof hooks[name] !== 'function')
    .map((name) => ({ option: `hooks.${name}`, message: 'must be a function' }));
}
