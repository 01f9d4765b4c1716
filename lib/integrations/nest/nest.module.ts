import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { NestRoutes } from './nest-routes.js';

/** The Nest host: the toolkit's own routes in front of the app. */
@Module({})
export class NestRoutesModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: NestRoutesModule,
      imports: [app.kernel, app.services],
      providers: [NestRoutes],
    };
  }
}
