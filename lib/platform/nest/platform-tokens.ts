import { nameOfToken } from '../../core/binding.js';
import type { Token } from '../../core/binding.js';

/** Name of the app that was given none. */
export const DEFAULT_APP = 'default';

/** Injection token under which an app's root module keeps the app's name. */
export const PLATFORM_NAME = Symbol.for('shopwright:NAME');

/**
 * The injection token of a service of a named app: `@Inject(getPlatformToken(AuthService, 'b'))`.
 * For the unnamed app it is the class itself.
 */
export function getPlatformToken<T extends Token>(
  service: T,
  app: string = DEFAULT_APP,
): T | symbol {
  if (app === DEFAULT_APP) return service;
  return Symbol.for(`shopwright:${app}:${nameOfToken(service).replace('shopwright:', '')}`);
}
