import { apiTarget } from '../core/api-session.js';
import type { ApiSession, ClientOptions, TokenRenewer } from '../core/api-session.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import type { ApiCaller } from '../core/http/api-caller.js';
import { versionFor, userAgent } from '../core/http/api-request.js';
import { DeprecationNotices } from '../core/http/deprecation-notices.js';
import type { PlatformLogger } from '../core/logger.js';
import { mountResources } from './resources/resource-set.js';
import type { ResourceSet } from './resources/resource-set.js';
import { servingVersion } from './resources/resource-versions.js';
import { RestClient } from './rest.client.js';
import { RestSender } from './rest-sender.js';

/** The Admin REST API of an app. Makes a client for each session. */
export class AdminRestClient {
  /** The app's classes of typed resources, from its options. */
  readonly resources: ResourceSet;
  readonly #deprecations: DeprecationNotices;

  constructor(
    private readonly config: PlatformConfig,
    private readonly caller: ApiCaller,
    private readonly logger: PlatformLogger,
    resources: ResourceSet = {},
    private readonly renewer?: TokenRenewer,
  ) {
    this.#deprecations = new DeprecationNotices(caller.clock, logger);
    const { apiVersion } = config;
    this.resources = mountResources(resources, apiVersion, (session) => this.for(session));
    const [first] = Object.values(resources);
    const serving = first && servingVersion(first.apiVersion);
    if (serving !== undefined && serving !== apiVersion) {
      logger.warn(
        `There are no REST resources made for version ${apiVersion}: those of ${serving} stand in for them.`,
      );
    }
  }

  /**
   * A client for one session, with the app's API version by default.
   * @throws {InvalidShopError} when the session names no shop
   * @throws {MissingRequiredArgument} when there is no access token
   */
  for(session: ApiSession, options: ClientOptions = {}): RestClient {
    const { renewer, config, caller, logger } = this;
    const sender = new RestSender({
      target: apiTarget(config, session, renewer),
      userAgent: userAgent(config),
      caller,
      priority: options.priority,
      observer: this.#deprecations,
    });
    const apiVersion = versionFor('REST', options.apiVersion, config.apiVersion, logger);
    return new RestClient(session, apiVersion, sender);
  }
}
