import { typedToken } from '../core/binding.js';
import type { OptionProblem } from '../core/core.errors.js';
import { LIFECYCLE_HOOKS } from './lifecycle/lifecycle-handlers.js';
import type { LifecycleHooks } from './lifecycle/lifecycle-handlers.js';
import type { ScopesHooks } from './scopes/scopes-mismatch.js';

/** The app's own code for the events of an installation, and for sessions that lack scopes. */
export interface AuthHooks extends LifecycleHooks, ScopesHooks {}

/** The options of an app about authentication. */
export interface AuthOptions {
  readonly hooks?: AuthHooks | undefined;
}

/** Injection token of the app's {@link AuthHooks}. */
export const AUTH_HOOKS = typedToken<AuthHooks>('AUTH_HOOKS');

/** What each of the hooks is called. */
export const HOOK_NAMES: readonly (keyof AuthHooks)[] = [
  ...LIFECYCLE_HOOKS.map(([hook]) => hook),
  'onScopesMismatch',
];

/** What is wrong with these options. */
export function problemsInAuth({ hooks }: AuthOptions): OptionProblem[] {
  if (hooks === undefined) return [];
  if (typeof hooks !== 'object' || hooks === null)
    return [{ option: 'hooks', message: 'must be an object of functions' }];
  return HOOK_NAMES.filter(
    (name) => hooks[name] !== undefined && typeof hooks[name] !== 'function',
  ).map((name) => ({ option: `hooks.${name}`, message: 'must be a function' }));
}
