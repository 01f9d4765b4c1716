import { bind, typedToken } from '../core/binding.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { SINGLE_ATTEMPT_CALLER, UNPACED_CALLER } from '../core/core.providers.js';
import { ApiCaller } from '../core/http/api-caller.js';
import { HttpTransport } from '../core/http/http-transport.js';
import { PlatformLogger } from '../core/logger.js';
import { TokenRenewer } from '../core/api-session.js';
import { AdminGraphqlClient } from './admin-graphql.client.js';
import { AdminBulkClient } from './bulk/admin-bulk.client.js';
import { BulkFinished } from './bulk/bulk-finished.js';
import { StorefrontGraphqlClient } from './storefront-graphql.client.js';

/** Asks the Admin API once, with the token as it is: no pacing, no retry, no renewal. */
export const SINGLE_ATTEMPT_GRAPHQL = typedToken<AdminGraphqlClient>('SINGLE_ATTEMPT_GRAPHQL');

/** The GraphQL clients of an app. */
export const GRAPHQL_CLIENT_BINDINGS = [
  bind(
    AdminGraphqlClient,
    { config: PlatformConfig, caller: ApiCaller, logger: PlatformLogger, renewer: TokenRenewer },
    ({ config, caller, logger, renewer }) =>
      new AdminGraphqlClient(config, caller, logger, renewer),
  ),
  bind(
    SINGLE_ATTEMPT_GRAPHQL,
    { config: PlatformConfig, caller: SINGLE_ATTEMPT_CALLER, logger: PlatformLogger },
    ({ config, caller, logger }) => new AdminGraphqlClient(config, caller, logger),
  ),
  bind(
    StorefrontGraphqlClient,
    { config: PlatformConfig, caller: UNPACED_CALLER, logger: PlatformLogger },
    ({ config, caller, logger }) => new StorefrontGraphqlClient(config, caller, logger),
  ),
  bind(
    AdminBulkClient,
    {
      config: PlatformConfig,
      transport: HttpTransport,
      logger: PlatformLogger,
      finished: BulkFinished,
    },
    ({ config, transport, logger, finished }) =>
      new AdminBulkClient(config, transport, logger, finished),
  ),
];
