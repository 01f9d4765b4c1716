import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../../core/nest/platform-plugin.js';
import { PlatformKernel } from '../../platform/kernel/platform-kernel.js';
import { PlatformServices } from '../../platform/kernel/platform-services.js';
import { RemixIntegration } from './remix.integration.js';

/** The Remix object over an app's own container: `app.get(RemixIntegration)`. */
@Module({})
export class RemixModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: RemixModule,
      imports: [app.kernel, app.services],
      providers: [
        {
          provide: RemixIntegration,
          useFactory: (kernel: PlatformKernel, services: PlatformServices) =>
            new RemixIntegration(kernel, () => Promise.resolve(services)),
          inject: [PlatformKernel, PlatformServices],
        },
      ],
      exports: [RemixIntegration],
    };
  }
}
