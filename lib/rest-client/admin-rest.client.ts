import { apiTarget } from '../core/api.session.js';
import type { ApiSession } from '../core/api.session.js';
import type { PlatformConfig } from '../core/config/platform.config.js';
import type { ApiCaller } from '../core/http/api.caller.js';
import { versionFor } from '../core/http/checked-api-version.js';
import { DeprecationNotices } from '../core/http/deprecation-notices.js';
import { userAgent } from '../core/http/user-agent.js';
import type { PlatformLogger } from '../core/logger.js';
import { RestClient } from './rest.client.js';
import { RestSender } from './rest.sender.js';

/** The Admin REST interface for an app: hands out a client per session. */
export class AdminRestClient {
  readonly #deprecations: DeprecationNotices;

  constructor(
    private readonly config: PlatformConfig,
    private readonly caller: ApiCaller,
    private readonly logger: PlatformLogger,
  ) {
    this.#deprecations = new DeprecationNotices(caller.clock, logger);
  }

  /**
   * A client for one session, of the app's API version unless another is named.
   * @throws {InvalidShopError} when the session names no shop
   * @throws {MissingRequiredArgument} when there is no access token
   */
  for(session: ApiSession, options: { readonly apiVersion?: string | undefined } = {}): RestClient {
    const target = apiTarget(this.config, session);
    const apiVersion = versionFor('REST', options.apiVersion, this.config.apiVersion, this.logger);
    const sender = new RestSender({ target, userAgent: userAgent(this.config), caller: this.caller });
    return new RestClient(session, apiVersion, sender, this.#deprecations);
  }
}
