import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { featureModule } from '../core/nest/platform-plugin.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { authNestProviders } from './auth.nest.providers.js';
import { AUTH_BINDINGS } from './auth.providers.js';

/** Installation, sessions and who is calling, for one app. */
@Module({})
export class AuthModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(AuthModule, app, AUTH_BINDINGS, {
      imports: [DiscoveryModule],
      providers: authNestProviders(app),
    });
  }
}
