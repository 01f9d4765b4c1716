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

/** What makes the objects of features. */
const OF_FEATURES = new WeakSet<object>();

/** True for the factory of an object of a feature of ours: no class of ours handles anything. */
export function isOfFeature(factory: object | null): boolean {
  return factory !== null && OF_FEATURES.has(factory);
}

/** The dynamic module of a feature: its bindings, and the providers that exist only in Nest. */
export function featureModule(
  module: DynamicModule['module'],
  app: PlatformModules,
  bindings: readonly Binding[],
  { imports = [], providers = [] }: Pick<DynamicModule, 'imports' | 'providers'> = {},
): DynamicModule {
  for (const { make } of bindings) OF_FEATURES.add(make);
  return {
    module,
    imports: [...app.imports, ...imports],
    providers: [...app.providers(bindings), ...providers],
    exports: bindings.map(({ token }) => app.token(token)),
  };
}
