import { ApiClients } from '../../lib/auth/clients/shop-clients.js';
import type { PlatformConfig } from '../../lib/core/config/platform-config.js';
import type { ApiCaller } from '../../lib/core/http/api-caller.js';
import { HttpTransport } from '../../lib/core/http/http-transport.js';
import type { PlatformLogger } from '../../lib/core/logger.js';
import type { TokenRenewer } from '../../lib/core/api-session.js';
import { AdminGraphqlClient } from '../../lib/graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../lib/graphql-client/bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from '../../lib/graphql-client/storefront-graphql.client.js';
import { WebhookBulkFinished } from '../../lib/platform/kernel/own-webhooks.js';
import { AdminRestClient } from '../../lib/rest-client/admin-rest.client.js';

/** The clients of an app, over a caller of the test. */
export function apiClients(
  config: PlatformConfig,
  caller: ApiCaller,
  logger: PlatformLogger,
  renewer?: TokenRenewer,
): ApiClients {
  const transport = new HttpTransport({ clock: caller.clock });
  return new ApiClients(
    new AdminGraphqlClient(config, caller, logger, renewer),
    new AdminRestClient(config, caller, logger, {}, renewer),
    new AdminBulkClient(config, transport, logger, new WebhookBulkFinished()),
    new StorefrontGraphqlClient(config, caller, logger),
  );
}
