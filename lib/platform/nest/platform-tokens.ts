/** Name of the app that was given none. */
export const DEFAULT_APP = 'default';

/** Injection token under which an app's root module keeps the app's name. */
export const PLATFORM_NAME = Symbol.for('shopwright:NAME');

type AnyClass = abstract new (...args: never[]) => unknown;

/**
 * The injection token of a service of a named app: `@Inject(getPlatformToken(AuthService, 'b'))`.
 * For the unnamed app it is the class itself. Beside a named app inject by class rather than with
 * `app.get(AuthService)`, which searches every module.
 */
export function getPlatformToken<C extends AnyClass>(
  service: C,
  app: string = DEFAULT_APP,
): C | symbol {
  return app === DEFAULT_APP ? service : ownTokenOf(service, app);
}

/**
 * The token under which a service of an app, the unnamed one included, is found in a container
 * where others have services of the same class.
 */
export function ownTokenOf(service: AnyClass, app: string = DEFAULT_APP): symbol {
  return Symbol.for(`shopwright:${app}:${service.name}`);
}
