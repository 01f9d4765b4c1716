import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../core/nest/platform-plugin.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { REST_CLIENT_BINDINGS } from './rest-client.providers.js';

/** The Admin REST module of one app. */
@Module({})
export class RestClientModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(RestClientModule, app, REST_CLIENT_BINDINGS);
  }
}
