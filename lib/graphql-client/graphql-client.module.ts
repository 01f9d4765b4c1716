import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import { featureModule } from '../core/nest/platform-plugin.js';
import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { GRAPHQL_CLIENT_BINDINGS } from './graphql-client.providers.js';

/** The GraphQL interfaces for one app, bulk operations included. */
@Module({})
export class GraphqlClientModule {
  static for(app: PlatformModules): DynamicModule {
    return featureModule(GraphqlClientModule, app, GRAPHQL_CLIENT_BINDINGS);
  }
}
