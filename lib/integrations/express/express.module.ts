import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../../core/nest/platform-plugin.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { EXPRESS_BINDINGS } from './express.providers.js';

/**
 * The Express bundle of an app's own container: `app.get(ExpressIntegration)`. Mount what it makes
 * before `listen()`.
 */
@Module({})
export class ExpressModule {
  static readonly byToken = true;

  static for(app: PlatformModules): DynamicModule {
    return featureModule(ExpressModule, app, EXPRESS_BINDINGS);
  }
}
