import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { PlatformKernel } from '../../platform/kernel/platform-kernel.js';
import { PlatformServices } from '../../platform/kernel/platform-services.js';
import { ExpressIntegration } from './express.integration.js';

/**
 * The Express bundle of an app's own container: `app.get(ExpressIntegration)`. Mount what it makes
 * before `listen()`.
 */
@Module({})
export class ExpressModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: ExpressModule,
      imports: [app.kernel, app.services],
      providers: [
        {
          provide: ExpressIntegration,
          useFactory: (kernel: PlatformKernel, services: PlatformServices) =>
            new ExpressIntegration(kernel, () => Promise.resolve(services)),
          inject: [PlatformKernel, PlatformServices],
        },
      ],
      exports: [ExpressIntegration],
    };
  }
}
