import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../../core/nest/platform-plugin.js';
import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { REACT_ROUTER_BINDINGS } from './react-router.providers.js';

/** The React Router object over an app's own container: `app.get(ReactRouterIntegration)`. */
@Module({})
export class ReactRouterModule {
  static readonly byToken = true;

  static for(app: PlatformModules): DynamicModule {
    return featureModule(ReactRouterModule, app, REACT_ROUTER_BINDINGS);
  }
}
