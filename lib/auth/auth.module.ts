import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { AUTH_PROVIDERS } from './auth.providers.js';
import { AuthService } from './auth.service.js';
import { Lifecycle } from './lifecycle/lifecycle.js';
import { lifecycleProviders } from './lifecycle/lifecycle.providers.js';
import { AuthUrls } from './responses/auth-urls.js';

/** Installation, sessions and authentication, for one app. */
@Module({})
export class AuthModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: AuthModule,
      imports: [app.kernel, app.ports, DiscoveryModule],
      providers: [...AUTH_PROVIDERS, ...lifecycleProviders(app.name)],
      exports: [AuthService, AuthUrls, Lifecycle],
    };
  }
}
