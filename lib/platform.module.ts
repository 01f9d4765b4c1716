import { Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';

import { InvalidOptionsError } from './core/core.errors.js';
import type { PlatformPlugin } from './core/nest/platform-plugin.js';
import { ExpressModule } from './integrations/express/express.module.js';
import {
  NestBootReportModule,
  NestFiltersModule,
  NestPreflightsModule,
  NestRoutesModule,
} from './integrations/nest/nest.module.js';
import { ReactRouterModule } from './integrations/react-router/react-router.module.js';
import { RemixModule } from './integrations/remix/remix.module.js';
import type {
  PlatformModuleAsyncOptions,
  PlatformModuleOptions,
  PlatformOptionsFactory,
} from './platform/nest/platform.module-definition.js';
import { PlatformRootModule } from './platform/nest/platform-root.module.js';
import { PLATFORM_NAME } from './platform/nest/platform-tokens.js';

/** The hosts every app gets: routes of its own, the Express bundle, and the objects for Remix
 * and React Router. */
export const HOSTS: readonly PlatformPlugin[] = [
  NestRoutesModule,
  NestFiltersModule,
  NestPreflightsModule,
  NestBootReportModule,
  ExpressModule,
  RemixModule,
  ReactRouterModule,
];

/** Where the options of `forRootAsync` come from. */
const SOURCES = ['useFactory', 'useClass', 'useExisting'] as const;

interface HostExtras {
  /**
   * Answers the OAuth, webhook and helper paths by itself; `false` gives the services only.
   * @default true
   */
  readonly routes?: boolean | undefined;
}

/**
 * What the class has where it is imported by itself; `forRoot` puts the name of the app in its
 * place. It needs nothing, so that Nest makes it before it misses the services of the module.
 */
const WITHOUT_OPTIONS: Provider = {
  provide: PLATFORM_NAME,
  useFactory: () => {
    const message =
      'is missing: import PlatformModule.forRoot() or forRootAsync() once, in the root module, and PlatformModule by itself nowhere: its services are injectable in every module';
    throw new InvalidOptionsError([{ option: 'forRoot', message }]);
  },
};

/**
 * The toolkit in a Nest app. The unnamed app is global: its services are injectable by class
 * everywhere. Several apps live side by side under names of their own, see `getPlatformToken`.
 * @example
 * PlatformModule.forRoot({ apiVersion: ApiVersion.July26, scopes: ['write_products'], sessionStorage })
 */
@Module({ providers: [WITHOUT_OPTIONS] })
export class PlatformModule extends PlatformRootModule {
  /**
   * @throws {InvalidOptionsError} for options of `forRootAsync`; at boot, naming every problem in
   * the options
   */
  static override forRoot(given: PlatformModuleOptions & HostExtras): DynamicModule {
    // Without options, what is missing is named at boot, with what the environment does not have.
    const { routes, ...options } = given ?? ({} as PlatformModuleOptions & HostExtras);
    const late = SOURCES.filter((source) => Reflect.get(options, source) !== undefined);
    if (late.length > 0) {
      const message = 'makes options that arrive later: pass it to forRootAsync()';
      throw new InvalidOptionsError(late.map((option) => ({ option, message })));
    }
    return super.forRoot({ plugins: hosts(routes), ...options });
  }

  /**
   * As `forRoot`, with options from a factory. `name`, `paths`, `isGlobal`, `plugins` and `routes`
   * stand beside the factory, not in what it returns.
   * @throws {InvalidOptionsError} when there is no factory, or it is none; at boot as `forRoot`,
   * and when the class has no method `createPlatformOptions()`
   */
  static override forRootAsync(given: PlatformModuleAsyncOptions & HostExtras): DynamicModule {
    const { routes, ...options } = given ?? ({} as PlatformModuleAsyncOptions & HostExtras);
    if (SOURCES.every((source) => !options[source])) {
      const message = 'is missing, and so are useClass and useExisting: pass one of them';
      throw new InvalidOptionsError([{ option: 'useFactory', message }]);
    }
    const problems = (['useFactory', 'useClass'] as const).flatMap((option) => {
      const what = option === 'useClass' ? 'class' : 'function';
      return !options[option] || typeof options[option] === 'function'
        ? []
        : [{ option, message: `must be a ${what}` }];
    });
    if (problems.length > 0) throw new InvalidOptionsError(problems);
    return super.forRootAsync({ plugins: hosts(routes), ...withFactory(options) });
  }
}

/** What Nest would do with a class, but with an error that names what the class lacks. */
function withFactory(given: PlatformModuleAsyncOptions): PlatformModuleAsyncOptions {
  const { useFactory, useClass, useExisting, ...rest } = given;
  const from = useExisting ?? useClass;
  if (useFactory || !from) return given;
  const option = useExisting ? 'useExisting' : 'useClass';
  return {
    ...rest,
    inject: [from],
    // Provides the class beside the factory, where it finds what `imports` export.
    ...(!useExisting && { provideInjectionTokensFrom: [from] }),
    useFactory: (made: Partial<PlatformOptionsFactory> | undefined) => {
      if (typeof made?.createPlatformOptions === 'function') return made.createPlatformOptions();
      const name = typeof from === 'function' ? from.name : String(from);
      const message = `${name} has no method createPlatformOptions() that returns the options, see PlatformOptionsFactory`;
      throw new InvalidOptionsError([{ option, message }]);
    },
  };
}

function hosts(routes = true): readonly PlatformPlugin[] {
  return routes ? HOSTS : HOSTS.filter((plugin) => plugin !== NestRoutesModule);
}
