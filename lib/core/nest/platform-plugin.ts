import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';

import type { Binding, Token } from '../binding.js';

/** The dynamic modules of one app, as features, hosts and plug-ins see them. */
export interface PlatformModules {
  /** Name of the app; `default` for the unnamed one. */
  readonly name: string;
  /** Every feature module of the toolkit. A module that imports them can inject their providers. */
  readonly imports: readonly DynamicModule[];
  /** The injection token of an object of this app; for the unnamed app the token itself. */
  token(token: Token): InjectionToken;
  /** The Nest providers of a list of bindings. */
  providers(bindings: readonly Binding[]): Provider[];
}

/** Creates a dynamic module for each app. Features, hosts and third-party plug-ins implement it. */
export interface PlatformPlugin {
  /**
   * True when its module injects by `app.token()` alone. Else the services of a named app are
   * provided by class as well, where `get()` of the Nest app may find them in place of those of the
   * unnamed app. @default false
   */
  readonly byToken?: boolean | undefined;
  for(app: PlatformModules): DynamicModule;
}

/** The modules of features, and what makes their objects. */
const OF_FEATURES = new WeakSet<object>();

/**
 * True for the module class of a feature of ours, and for the factory of one of its objects: no
 * class of ours handles anything.
 */
export function isOfFeature(made: object | null): boolean {
  return made !== null && OF_FEATURES.has(made);
}

/** The dynamic module of a feature: its bindings, and the providers that exist only in Nest. */
export function featureModule(
  module: DynamicModule['module'],
  app: PlatformModules,
  bindings: readonly Binding[],
  { imports = [], providers = [] }: Pick<DynamicModule, 'imports' | 'providers'> = {},
): DynamicModule {
  const own = app.providers(bindings);
  OF_FEATURES.add(module);
  for (const provider of own) if ('useFactory' in provider) OF_FEATURES.add(provider.useFactory);
  return {
    module,
    imports: [...app.imports, ...imports],
    providers: [...own, ...providers],
    exports: bindings.map(({ token }) => app.token(token)),
  };
}
