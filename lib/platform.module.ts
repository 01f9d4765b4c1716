import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

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
} from './platform/nest/platform.module-definition.js';
import { PlatformRootModule } from './platform/nest/platform-root.module.js';

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

interface HostExtras {
  /**
   * Answers the OAuth, webhook and helper paths by itself; `false` gives the services only.
   * @default true
   */
  readonly routes?: boolean | undefined;
}

/**
 * The toolkit in a Nest app. The unnamed app is global: its services are injectable by class
 * everywhere. Several apps live side by side under names of their own, see `getPlatformToken`.
 * @example
 * PlatformModule.forRoot({ apiVersion: ApiVersion.July26, scopes: ['write_products'], sessionStorage })
 */
@Module({})
export class PlatformModule extends PlatformRootModule {
  /** @throws {InvalidOptionsError} at boot, naming every problem in the options */
  static override forRoot(given: PlatformModuleOptions & HostExtras): DynamicModule {
    // Without options, what is missing is named at boot, with what the environment does not have.
    const { routes, ...options } = given ?? ({} as PlatformModuleOptions & HostExtras);
    return super.forRoot({ plugins: hosts(routes), ...options });
  }

  /**
   * As `forRoot`, with options from a factory. `name`, `paths`, `isGlobal`, `plugins` and `routes`
   * stand beside the factory, not in what it returns.
   * @throws {InvalidOptionsError} when there is no factory; at boot as `forRoot`
   */
  static override forRootAsync(given: PlatformModuleAsyncOptions & HostExtras): DynamicModule {
    const { routes, ...options } = given ?? ({} as PlatformModuleAsyncOptions & HostExtras);
    const { useFactory, useClass, useExisting } = options;
    if (!useFactory && !useClass && !useExisting) {
      const message = 'is missing, and so are useClass and useExisting: pass one of them';
      throw new InvalidOptionsError([{ option: 'useFactory', message }]);
    }
    return super.forRootAsync({ plugins: hosts(routes), ...options });
  }
}

function hosts(routes = true): readonly PlatformPlugin[] {
  return routes ? HOSTS : HOSTS.filter((plugin) => plugin !== NestRoutesModule);
}
