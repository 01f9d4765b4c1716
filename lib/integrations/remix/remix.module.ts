import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../../core/nest/platform-plugin.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { REMIX_BINDINGS } from './remix.providers.js';

/** The Remix object over an app's own container: `app.get(RemixIntegration)`. */
@Module({})
export class RemixModule {
  static readonly byToken = true;

  static for(app: PlatformModules): DynamicModule {
    return featureModule(RemixModule, app, REMIX_BINDINGS);
  }
}
