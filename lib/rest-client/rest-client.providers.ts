import { TokenRenewer } from '../core/api-session.js';
import { bind, typedToken } from '../core/binding.js';
import { PlatformConfig } from '../core/config/platform-config.js';
import { ApiCaller } from '../core/http/api-caller.js';
import { PlatformLogger } from '../core/logger.js';
import { AdminRestClient } from './admin-rest.client.js';
import type { RestClientOptions } from './rest-client.options.js';

/** The options of the REST client, as the app passed them. */
export const REST_CLIENT_OPTIONS = typedToken<RestClientOptions>('REST_CLIENT_OPTIONS');

/** The bindings of the Admin REST client. */
export const REST_CLIENT_BINDINGS = [
  bind(
    AdminRestClient,
    {
      config: PlatformConfig,
      caller: ApiCaller,
      logger: PlatformLogger,
      options: REST_CLIENT_OPTIONS,
      renewer: TokenRenewer,
    },
    ({ config, caller, logger, options, renewer }) =>
      new AdminRestClient(config, caller, logger, options.restResources, renewer),
  ),
];
