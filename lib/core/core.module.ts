import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { CORE_BINDINGS } from './core.providers.js';
import { featureModule } from './nest/platform-plugin.js';
import type { PlatformModules } from './nest/platform-plugin.js';

/** The core module of one app: ports, keys and calls to the platform. */
@Module({})
export class CoreModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(CoreModule, app, CORE_BINDINGS);
  }
}
