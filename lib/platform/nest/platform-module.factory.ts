import { Module } from '@nestjs/common';
import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import type { Binding, Token } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import type { PathOptions } from '../../core/config/config.options.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import { CoreModule } from '../../core/core.module.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { PlatformLogger } from '../../core/logger.js';
import { featureModule } from '../../core/nest/platform-plugin.js';
import type { PlatformModules, PlatformPlugin } from '../../core/nest/platform-plugin.js';
import { Telemetry } from '../../core/telemetry/telemetry.js';
import { Clock } from '../../core/time/clock.js';
import { GraphqlClientModule } from '../../graphql-client/graphql-client.module.js';
import { RestClientModule } from '../../rest-client/rest-client.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { PlatformApi } from '../api/platform.api.js';
import { APP_BINDINGS, PLATFORM_BINDINGS } from '../kernel/platform.providers.js';
import type { Resolver } from '../kernel/resolver.js';
import { ShutdownModule, StartModule } from './lifetime.module.js';
import { DEFAULT_APP, PLATFORM_NAME, apiTokenOf, getPlatformToken } from './platform-tokens.js';

/** What is known when the module is declared, even if the options themselves arrive later. */
export interface PlatformExtras {
  /** Tells several apps in one process apart. @default 'default' */
  name?: string | undefined;
  /** Where the toolkit answers by itself. */
  paths?: PathOptions | undefined;
  /**
   * Makes the services injectable in every module, not only in those that import this one.
   * @default true for the unnamed app, false for a named one
   */
  isGlobal?: boolean | undefined;
  /** Hosts and plug-ins that get a module of their own for this app. @default ours */
  plugins?: readonly PlatformPlugin[] | undefined;
}

/** The bindings of the platform itself, together with the options they begin with. */
@Module({})
class PlatformBindingsModule {}

// Nest makes all providers at once, and for each that another waits for it searches what that one
// waits for. What needs the others stands in front of them, here and below: then there is little to
// search.
const FEATURES: readonly PlatformPlugin[] = [
  WebhooksModule,
  BillingModule,
  AuthModule,
  GraphqlClientModule,
  RestClientModule,
  CoreModule,
];

/**
 * What most objects need. Nest searches for every dependency of every provider anew, and a third of
 * all are these: who needs several of them gets them as one. The session storage is not among them,
 * since that of an app may need more than these do.
 */
export const COMMON: readonly Token[] = [
  PlatformConfig,
  Clock,
  PlatformLogger,
  SecretKeys,
  Telemetry,
  InFlight,
];

/** The common objects, by token. */
class CommonObjects extends Map<Token, unknown> {}

const COMMON_OBJECTS: Binding = {
  token: CommonObjects,
  inject: COMMON,
  make: (...made) => new CommonObjects(COMMON.map((token, at) => [token, made[at]])),
};

/** What the common objects are made from, and they themselves: these have them one by one. */
const BELOW_COMMON = new Set<Token>([CommonObjects, ...COMMON]);
// A set also gives what is added to it meanwhile.
for (const token of BELOW_COMMON)
  for (const needed of APP_BINDINGS.find((one) => one.token === token)?.inject ?? [])
    BELOW_COMMON.add(needed);

/** A binding that has the common objects it needs as one dependency; the same if it needs few. */
function throughCommon(binding: Binding): Binding {
  const { token, inject, make } = binding;
  const others = inject.filter((needed) => !COMMON.includes(needed));
  if (BELOW_COMMON.has(token) || inject.length - others.length < 2) return binding;
  return {
    ...binding,
    inject: [CommonObjects, ...others],
    make: (given, ...made) => {
      const common = given as CommonObjects;
      const rest = made.values();
      return make(
        ...inject.map((needed) => (common.has(needed) ? common.get(needed) : rest.next().value)),
      );
    },
  };
}

/** Where the options of an app come from. */
interface OptionProviders {
  readonly imports: DynamicModule['imports'];
  readonly providers: Provider[];
  /** What they provide for the rest of the app. */
  readonly tokens: readonly Token[];
}

/** The provider of one binding, under the tokens of an app. */
type ProviderOf = (binding: Binding, token: PlatformModules['token']) => Provider;

/**
 * The root module of an app that Nest makes: each binding becomes a provider.
 * @param options the providers of the options and of the host's context, with what they need
 * @throws {InvalidOptionsError} when the name is none, or a plug-in
 */
export function appModule(
  root: DynamicModule,
  { name = DEFAULT_APP, isGlobal = name === DEFAULT_APP, plugins = [] }: PlatformExtras,
  options: OptionProviders,
): DynamicModule {
  refuseWrong(name, plugins);
  const madeByNest: ProviderOf = (binding, token) => {
    const { token: bound, inject, make } = throughCommon(binding);
    return { provide: token(bound), useFactory: make, inject: inject.map(token) };
  };
  const tokenOf = (token: Token) => getPlatformToken(token, name) as InjectionToken;
  const app = featuresOf(name, madeByNest, {
    ...options,
    providers: [madeByNest(COMMON_OBJECTS, tokenOf), ...options.providers],
    tokens: [CommonObjects, ...options.tokens],
  });
  const start = StartModule.for(app, APP_BINDINGS);
  const needClasses = name !== DEFAULT_APP && plugins.some(({ byToken = false }) => !byToken);
  const imports = needClasses ? [...app.imports, classesOf(app)] : app.imports;
  const modules = [
    ShutdownModule.for(app, start),
    start,
    ...plugins.map((plugin, at) =>
      moduleOf(plugin, plugin.byToken ? app : { ...app, imports }, at),
    ),
    ...app.imports,
  ];
  const api = { provide: apiTokenOf(name), useExisting: app.token(PlatformApi) };
  return {
    module: root.module,
    global: isGlobal,
    imports: modules,
    providers: [{ provide: PLATFORM_NAME, useValue: name }, api],
    exports: [...modules, api.provide],
  };
}

/** Nest, or we, would fail on them with an error that does not name the option, or not at all. */
function refuseWrong(name: unknown, plugins: readonly unknown[]): void {
  if (typeof name !== 'string' || name === '') {
    const message = 'must be a text, and not empty: leave it out for the unnamed app';
    throw new InvalidOptionsError([{ option: 'name', message }]);
  }
  if (!Array.isArray(plugins)) {
    const message = 'must be an array: plugins: [...HOSTS, YourPlugin]';
    throw new InvalidOptionsError([{ option: 'plugins', message }]);
  }
  const problems = plugins.flatMap((plugin: Partial<PlatformPlugin> | undefined, at) => {
    if (typeof plugin?.for === 'function') return [];
    const message = `${nameOf(plugin)}is no plug-in: it has no static for(app) that returns a dynamic module; other modules stand in \`imports\` beside this one`;
    return [{ option: `plugins[${at}]`, message }];
  });
  if (problems.length > 0) throw new InvalidOptionsError(problems);
}

/** The module that a plug-in makes for an app. */
function moduleOf(plugin: PlatformPlugin, app: PlatformModules, at: number): DynamicModule {
  const made: Partial<DynamicModule> | undefined = plugin.for(app);
  if (typeof made === 'function' || made?.module) return made as DynamicModule;
  const message = `${nameOf(plugin)}returned no module from for(app): it must return { module, … }, at once`;
  throw new InvalidOptionsError([{ option: `plugins[${at}]`, message }]);
}

/** The name of a class, in front of what is said of it. */
function nameOf(plugin: object | undefined): string {
  return typeof plugin === 'function' ? `${(plugin as { readonly name: string }).name} ` : '';
}

/** The root module of an app whose objects exist already: Nest only searches and runs handlers. */
export function appModuleOver(resolver: Resolver, root: DynamicModule): DynamicModule {
  const madeAlready: ProviderOf = ({ token: bound }, token) => ({
    provide: token(bound),
    useValue: resolver.get(bound),
  });
  const { imports } = featuresOf(DEFAULT_APP, madeAlready);
  return {
    module: root.module,
    global: true,
    imports: [...imports],
    providers: [{ provide: PLATFORM_NAME, useValue: DEFAULT_APP }],
    exports: [...imports],
  };
}

/** The modules of an app's features: made first, filled after, since they need each other. */
function featuresOf(
  name: string,
  providerOf: ProviderOf,
  { imports = [], providers = [], tokens = [] }: Partial<OptionProviders> = {},
): PlatformModules {
  const token = (of: Token): InjectionToken => getPlatformToken(of, name) as InjectionToken;
  const platform = (app: PlatformModules): DynamicModule => {
    const module = featureModule(PlatformBindingsModule, app, PLATFORM_BINDINGS, {
      imports,
      providers,
    });
    return { ...module, exports: [...module.exports!, ...tokens.map(token)] };
  };
  const features: readonly PlatformPlugin[] = [{ for: platform }, ...FEATURES];
  const modules = features.map(() => ({}) as DynamicModule);
  const app: PlatformModules = {
    name,
    token,
    imports: modules,
    providers: (bindings) => bindings.map((binding) => providerOf(binding, token)).reverse(),
  };
  for (const [at, module] of modules.entries()) {
    const others = modules.filter((other) => other !== module);
    Object.assign(module, features[at]!.for({ ...app, imports: others }));
  }
  return app;
}

@Module({})
class ClassesModule {}

/**
 * The services of a named app by their classes, for its plug-ins alone: they would get those of the
 * unnamed app otherwise, which are injectable everywhere.
 */
function classesOf({ imports, token }: PlatformModules): DynamicModule {
  const classes = APP_BINDINGS.map((binding) => binding.token as InjectionToken).filter(
    (bound) => typeof bound === 'function',
  );
  return {
    module: ClassesModule,
    imports: [...imports],
    providers: classes.map((bound) => ({ provide: bound, useExisting: token(bound as Token) })),
    exports: classes,
  };
}
