import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { CORE_BINDINGS } from './core.providers.js';
import { featureModule } from './nest/platform-plugin.js';
import type { PlatformModules } from './nest/platform-plugin.js';

/** Ports, keys and calls of one app. */
@Module({})
export class CoreModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(CoreModule, app, CORE_BINDINGS);
  }
}
