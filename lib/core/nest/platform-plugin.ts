import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';

import type { Binding, Token } from '../binding.js';

/** The dynamic modules of one app, for what imports them: features, hosts and plug-ins. */
export interface PlatformModules {
  /** Name of the app; `default` for the unnamed one. */
  readonly name: string;
  /** Every module of the toolkit's features; their providers are injectable in a module with them. */
  readonly imports: readonly DynamicModule[];
  /** What an object of this app is injected by: for the unnamed app the token itself. */
  token(token: Token): InjectionToken;
  /** The Nest providers of a list of bindings. */
  providers(bindings: readonly Binding[]): Provider[];
}

/**
 * Anything that makes a module of its own for each app: features, hosts and plug-ins of third
 * parties.
 */
export interface PlatformPlugin {
  for(app: PlatformModules): DynamicModule;
}

/** The dynamic module of a feature: its bindings, and the providers that only Nest can make. */
export function featureModule(
  module: DynamicModule['module'],
  app: PlatformModules,
  bindings: readonly Binding[],
  { imports = [], providers = [] }: Pick<DynamicModule, 'imports' | 'providers'> = {},
): DynamicModule {
  return {
    module,
    imports: [...app.imports, ...imports],
    providers: [...app.providers(bindings), ...providers],
    exports: bindings.map(({ token }) => app.token(token)),
  };
}
