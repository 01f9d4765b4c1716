import type { OptionProblem } from '../core/core.errors.js';
import type { Session } from '../sessions/session.js';
import type { AdminContext } from './admin/admin.context.js';

/** The app's own code at the turning points of an installation. */
export interface AuthHooks {
  /**
   * Runs once at the end of every OAuth grant, after the session has been stored and before the merchant reaches the app. Throw a
   * web `Response` to answer the merchant's browser with it instead, such as a redirect to a page of plans.
   */
  readonly afterAuth?: ((context: { session: Session; admin: AdminContext }) => unknown) | undefined;
}

/** What an app can decide about authentication. */
export interface AuthOptions {
  readonly hooks?: AuthHooks | undefined;
}

/** Injection token of the app's {@link AuthHooks}. */
export const AUTH_HOOKS = Symbol.for('shopwright:AUTH_HOOKS');

/** What is wrong with the options of this room. */
export function problemsInAuth({ hooks }: AuthOptions): OptionProblem[] {
  if (hooks === undefined) return [];
  if (typeof hooks !== 'object' || hooks === null) return [{ option: 'hooks', message: 'must be an object of functions' }];
  return hooks.afterAuth === undefined || typeof hooks.afterAuth === 'function'
    ? []
    : [{ option: 'hooks.afterAuth', message: 'must be a function' }];
}
