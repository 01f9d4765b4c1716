import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import type { BillingSettings } from '../../billing/billing.options.js';
import type { BillingService } from '../../billing/billing.service.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { AuthApi } from './auth.api.js';
import { withBoundMethods } from './bound-methods.js';
import type { ClientsApi } from './clients.api.js';
import type { SessionApi } from './session.api.js';
import type { SignedBodyApi } from './signed-body.api.js';
import type { UtilsApi } from './utils.api.js';
import type { WebhooksApi } from './webhooks.api.js';

/** What {@link PlatformApi} consists of. */
interface PlatformApiDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly utils: UtilsApi;
  readonly auth: AuthApi;
  readonly session: SessionApi;
  readonly webhooks: WebhooksApi;
  readonly signedBody: SignedBodyApi;
  readonly clients: ClientsApi;
  readonly billing: BillingService;
  readonly scopes: ScopesService;
  readonly restClient: AdminRestClient;
}

/** `api.config`: the config, with what the app gave to its features. */
export type ApiConfig<Resources extends ResourceSet = RegisteredResources> = PlatformConfig & {
  readonly billing: BillingSettings | undefined;
  readonly restResources: Resources | undefined;
  readonly sessionStorage: SessionStorage | undefined;
};

/**
 * The library below the hosts, shaped like the one apps of the platform are written with. The
 * methods of its members work without their object.
 */
export class PlatformApi<Resources extends ResourceSet = RegisteredResources> {
  readonly config: ApiConfig<Resources>;
  readonly logger: PlatformLogger;
  readonly utils: UtilsApi;
  readonly auth: AuthApi;
  readonly session: SessionApi;
  readonly webhooks: WebhooksApi;
  /** Requests of the platform's automations. */
  readonly flow: SignedBodyApi;
  /** Requests to an app that fulfills orders. */
  readonly fulfillmentService: SignedBodyApi;
  readonly clients: ClientsApi<Resources>;
  /** What shops pay. */
  readonly billing: BillingService;
  /** What shops have granted. */
  readonly scopes: ScopesService;
  /** The app's typed resources: `api.rest.Product.all({ session })`. */
  readonly rest: Resources;

  constructor(dependencies: PlatformApiDependencies) {
    // What the options held, in the types they had there.
    this.config = dependencies.config as ApiConfig<Resources>;
    // It is called within requests: without a step in between.
    this.logger = withBoundMethods(dependencies.logger, { isLate: false });
    this.utils = withBoundMethods(dependencies.utils);
    this.auth = withBoundMethods(dependencies.auth);
    this.session = withBoundMethods(dependencies.session);
    this.webhooks = withBoundMethods(dependencies.webhooks);
    this.flow = withBoundMethods(dependencies.signedBody);
    this.fulfillmentService = this.flow;
    this.clients = withBoundMethods(dependencies.clients as ClientsApi<Resources>);
    this.billing = withBoundMethods(dependencies.billing);
    this.scopes = withBoundMethods(dependencies.scopes);
    this.rest = dependencies.restClient.resources as Resources;
  }
}
