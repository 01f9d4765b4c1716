import { nameOfToken } from '../../core/binding.js';
import type { Token } from '../../core/binding.js';

/** Name of the app that was given none. */
export const DEFAULT_APP = 'default';

/** Injection token under which an app's root module keeps the app's name. */
export const PLATFORM_NAME = Symbol.for('shopwright:NAME');

/** The tokens of named apps, by class: two classes may have one name, above all minified ones. */
const tokensOfClasses = new WeakMap<object, Map<string, symbol>>();

/**
 * The injection token of a service of a named app: `@Inject(getPlatformToken(AuthService, 'b'))`.
 * For the unnamed app it is the class itself.
 */
export function getPlatformToken<T extends Token>(
  service: T,
  app: string = DEFAULT_APP,
): T | symbol {
  if (app === DEFAULT_APP) return service;
  const name = `shopwright:${app}:${nameOfToken(service).replace('shopwright:', '')}`;
  if (typeof service === 'symbol') return Symbol.for(name);
  const tokens = tokensOfClasses.get(service) ?? new Map<string, symbol>();
  tokensOfClasses.set(service, tokens);
  const token = tokens.get(app) ?? Symbol(name);
  tokens.set(app, token);
  return token;
}

/** The token under which another copy of this package, such as the CLI's, finds an app's API. */
export function apiTokenOf(app: string = DEFAULT_APP): symbol {
  return Symbol.for(`shopwright:${app}:API`);
}
