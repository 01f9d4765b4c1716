import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { AdminRestClient } from './admin-rest.client.js';
import { REST_CLIENT_PROVIDERS } from './rest-client.providers.js';

/** The Admin REST interface for one app. */
@Module({})
export class RestClientModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: RestClientModule,
      imports: [app.kernel],
      providers: REST_CLIENT_PROVIDERS,
      exports: [AdminRestClient],
    };
  }
}
