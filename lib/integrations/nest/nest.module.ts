import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, MiddlewareConsumer, NestModule } from '@nestjs/common';
import { APP_FILTER, ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';

import { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { PlatformLogger } from '../../core/logger.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { PlatformRoutes } from '../../platform/host/platform-routes.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { AccessModeCheck } from './access-mode-check.js';
import { BootReport } from './boot-report.js';
import { NestPreflights } from './nest-preflights.js';
import { NestRoutes } from './nest-routes.js';
import { TokenRefusedFilter } from './token-refused.filter.js';

/** The Nest host: what guards of sessions rely on beside themselves. */
@Module({})
export class NestFiltersModule implements NestModule {
  static readonly byToken = true;

  constructor(
    @Inject(ApplicationConfig) private readonly application: ApplicationConfig,
    @Inject(TokenRefusedFilter) private readonly filter: TokenRefusedFilter,
  ) {}

  static for(app: PlatformModules): DynamicModule {
    return {
      module: NestFiltersModule,
      imports: [...app.imports],
      providers: [
        TokenRefusedFilter,
        { provide: APP_FILTER, useExisting: TokenRefusedFilter },
        {
          provide: AccessModeCheck,
          useFactory: (modules: ModulesContainer, config: PlatformConfig) =>
            new AccessModeCheck(app.name, modules, config),
          inject: [ModulesContainer, app.token(PlatformConfig)],
        },
      ],
    };
  }

  /**
   * Once more for routes, behind the filters of `useGlobalFilters()`: Nest asks the last one first.
   * Handlers of messages have the one of `APP_FILTER`; their apps may configure no middleware.
   */
  configure(): void {
    this.application.addGlobalFilter(this.filter);
  }
}

/** The Nest host: the toolkit's own routes in front of the app. */
@Module({})
export class NestRoutesModule implements NestModule {
  static readonly byToken = true;

  constructor(@Inject(NestRoutes) private readonly routes: NestRoutes) {}

  static for(app: PlatformModules): DynamicModule {
    return {
      module: NestRoutesModule,
      imports: [...app.imports],
      providers: [
        {
          provide: NestRoutes,
          useFactory: (
            host: HttpAdapterHost,
            application: ApplicationConfig,
            config: PlatformConfig,
            routes: PlatformRoutes,
            handlers: WebhookRegistry,
          ) => new NestRoutes(host, application, config, routes, handlers),
          inject: [
            HttpAdapterHost,
            ApplicationConfig,
            ...[PlatformConfig, PlatformRoutes, WebhookRegistry].map(app.token),
          ],
        },
      ],
    };
  }

  configure(): void {
    this.routes.open();
  }
}

/** The Nest host: the line that says what has started. */
@Module({})
export class NestBootReportModule {
  static readonly byToken = true;

  static for(app: PlatformModules): DynamicModule {
    return {
      module: NestBootReportModule,
      imports: [...app.imports],
      providers: [
        {
          provide: BootReport,
          useFactory: (
            config: PlatformConfig,
            logger: PlatformLogger,
            registry: WebhookRegistry,
            registrar: WebhookRegistrar,
          ) => new BootReport({ app: app.name, config, logger, registry, registrar }),
          inject: [PlatformConfig, PlatformLogger, WebhookRegistry, WebhookRegistrar].map(
            app.token,
          ),
        },
      ],
    };
  }
}

/** The Nest host: preflight requests of the routes that extensions call. */
@Module({})
export class NestPreflightsModule implements NestModule {
  static readonly byToken = true;

  constructor(@Inject(NestPreflights) private readonly preflights: NestPreflights) {}

  static for(app: PlatformModules): DynamicModule {
    return {
      module: NestPreflightsModule,
      imports: [...app.imports],
      providers: [
        {
          provide: NestPreflights,
          useFactory: (
            modules: ModulesContainer,
            config: PlatformConfig,
            extensions: ExtensionAuthenticator,
          ) => new NestPreflights({ app: app.name, modules, config, extensions }),
          inject: [ModulesContainer, ...[PlatformConfig, ExtensionAuthenticator].map(app.token)],
        },
      ],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    this.preflights.configure(consumer);
  }
}
