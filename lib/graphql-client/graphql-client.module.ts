import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';

import type { PlatformModules } from '../core/nest/platform-plugin.js';
import { AdminGraphqlClient } from './admin-graphql.client.js';
import { AdminBulkClient } from './bulk/admin-bulk.client.js';
import { GRAPHQL_CLIENT_PROVIDERS } from './graphql-client.providers.js';
import { StorefrontGraphqlClient } from './storefront-graphql.client.js';

/** The GraphQL interfaces for one app, bulk operations included. */
@Module({})
export class GraphqlClientModule {
  static for(app: PlatformModules): DynamicModule {
    return {
      module: GraphqlClientModule,
      imports: [app.kernel],
      providers: GRAPHQL_CLIENT_PROVIDERS,
      exports: [AdminGraphqlClient, AdminBulkClient, StorefrontGraphqlClient],
    };
  }
}
