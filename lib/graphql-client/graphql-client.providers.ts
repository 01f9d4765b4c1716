import type { Provider } from '@nestjs/common';

import { AdminGraphqlClient } from './admin-graphql.client.js';
import { AdminBulkClient } from './bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from './storefront-graphql.client.js';

/** Where the floor above puts the app's clients: they also serve code that knows no container. */
export const ADMIN_GRAPHQL = Symbol.for('shopwright:ADMIN_GRAPHQL');
export const ADMIN_BULK = Symbol.for('shopwright:ADMIN_BULK');
export const STOREFRONT_GRAPHQL = Symbol.for('shopwright:STOREFRONT_GRAPHQL');

export const GRAPHQL_CLIENT_PROVIDERS: Provider[] = [
  { provide: AdminGraphqlClient, useExisting: ADMIN_GRAPHQL },
  { provide: AdminBulkClient, useExisting: ADMIN_BULK },
  { provide: StorefrontGraphqlClient, useExisting: STOREFRONT_GRAPHQL },
];
