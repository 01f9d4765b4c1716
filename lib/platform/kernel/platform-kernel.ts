import { ApiClients } from '../../auth/clients/shop-clients.js';
import type { AuthHooks } from '../../auth/auth.options.js';
import { problemsInAuth } from '../../auth/auth.options.js';
import { InstallationCheck } from '../../auth/lifecycle/installation-check.js';
import { InstallationRecords } from '../../auth/installations/installation-records.js';
import { LifecycleHandlers } from '../../auth/lifecycle/lifecycle-handlers.js';
import { Uninstallation } from '../../auth/lifecycle/uninstallation.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { TokenClient } from '../../auth/tokens/token.client.js';
import { TokenManager } from '../../auth/tokens/token-manager.js';
import { BillingClient } from '../../billing/billing.client.js';
import { BillingService } from '../../billing/billing.service.js';
import { BillingStateCache } from '../../billing/billing-state-cache.js';
import { problemsInBilling } from '../../billing/billing.options.js';
import { ChargeRequests } from '../../billing/charge-requests.js';
import { PlanCatalog } from '../../billing/plan-catalog.js';
import { isKnownApiVersion } from '../../core/api-version.js';
import { systemClock } from '../../core/time/clock.js';
import type { Clock } from '../../core/time/clock.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import { resolveConfig } from '../../core/config/platform-config.js';
import type { PlatformConfig, ResolveConfigContext } from '../../core/config/platform-config.js';
import { SecretKeys } from '../../core/crypto/secret-keys.js';
import { SessionTokenVerifier } from '../../core/crypto/session-token.verifier.js';
import { ApiCaller } from '../../core/http/api-caller.js';
import { bodyCopies } from '../../core/http/body-copies.js';
import { teeSignedBodies } from '../../core/http/body-tee.js';
import { HttpTransport } from '../../core/http/http-transport.js';
import { PlatformLogger } from '../../core/logger.js';
import type { LoggerOption } from '../../core/logger.js';
import { unpaced } from '../../core/pacing/pacer.js';
import type { Pacer } from '../../core/pacing/pacer.js';
import { createPacer } from '../../core/pacing/pacing-option.js';
import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { AdminBulkClient } from '../../graphql-client/bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from '../../graphql-client/storefront-graphql.client.js';
import { billingChanges } from './billing-changes.js';
import { WebhookBulkFinished } from './bulk-finished.js';
import { PlatformClients } from './platform-clients.js';
import { platformNameOf, unknownOptions } from './platform.options.js';
import type { PlatformOptions } from './platform.options.js';
import { scopeChanges } from './scope-changes.js';
import { occupy, storageFor } from './storage-choice.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import { problemsInRestClient } from '../../rest-client/rest-client.options.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { problemsInStorage } from '../../sessions/session.storage.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionSweeper } from '../../sessions/session-sweeper.js';
import type { WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { WebhookTimeLimit } from '../../webhooks/handlers/webhook.dispatcher.js';
import { WebhookVerifier } from '../../webhooks/deliveries/webhook.verifier.js';
import { uninstallHandler } from '../../webhooks/handlers/uninstall-handler.js';
import { problemsInWebhooks, timeoutsIn, topicsIn } from '../../webhooks/webhooks.options.js';

/**
 * Of a call to the platform: attempts after the first, and how long each may take in milliseconds.
 */
const RETRIES = 2;
const TIMEOUT = 30_000;

export interface KernelContext extends ResolveConfigContext {
  /** Used when the options name no logger. @default a console logger */
  readonly logger?: LoggerOption | undefined;
  /**
   * False where deliveries go to routes of the app instead of to us: then only uninstallations are
   * subscribed on our own account, where another topic of the app arrives at the webhook path; and
   * nothing that arrives is copied, since those routes have web requests. @default true
   */
  readonly receivesWebhooks?: boolean | undefined;
}

/**
 * The plain objects of one app, shared by every host and by the container. Made synchronously,
 * without Nest.
 */
export class PlatformKernel {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  /** What a shutdown waits for. */
  readonly inFlight: InFlight;
  readonly hooks: AuthHooks;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: SessionStorage;
  readonly lock: Lock;
  readonly inbox: WebhookInbox;
  readonly installations: InstallationRecords;
  readonly lifecycleHandlers: LifecycleHandlers;
  readonly uninstallation: Uninstallation;
  readonly transport: HttpTransport;
  readonly tokenClient: TokenClient;
  readonly tokens: TokenManager;
  readonly pacer: Pacer;
  readonly caller: ApiCaller;
  readonly rest: AdminRestClient;
  readonly graphql: AdminGraphqlClient;
  readonly storefront: StorefrontGraphqlClient;
  readonly bulk: AdminBulkClient;
  /** Binds the clients to sessions. */
  readonly sessionClients: ApiClients;
  readonly clients: PlatformClients;
  readonly billing: BillingService;
  readonly scopes: ScopesService;
  readonly handlers: WebhookRegistry;
  readonly webhookVerifier: WebhookVerifier;
  readonly webhookTimeLimit: WebhookTimeLimit;
  /**
   * What lets go of what the kernel holds: its session storage, and the requests of the process
   * that it watches.
   */
  readonly #held: (() => void)[];

  /** @internal Use {@link createKernel}. */
  constructor(
    readonly config: PlatformConfig,
    options: PlatformOptions,
    { logger, receivesWebhooks = true }: KernelContext,
  ) {
    this.clock = options.clock ?? systemClock;
    this.logger = new PlatformLogger(options.logger ?? logger, this.clock, secretsIn(config));
    const { shutdownTimeout, handlerTimeout } = timeoutsIn(options);
    this.inFlight = new InFlight({
      clock: this.clock,
      logger: this.logger,
      limit: shutdownTimeout,
    });
    this.hooks = options.hooks ?? {};
    this.keys = new SecretKeys(config.apiSecretKeys, this.clock);
    this.sessionTokens = new SessionTokenVerifier(this.keys, config, this.clock);

    const { sessions, lock, inbox, installations } = storageFor(
      options,
      config,
      this.clock,
      this.logger,
    );
    this.storage = sessions;
    this.lock = lock;
    this.inbox = inbox;
    this.installations = new InstallationRecords({
      app: config.apiKey,
      clock: this.clock,
      store: installations,
    });
    this.lifecycleHandlers = new LifecycleHandlers(this.hooks);
    const remembering = {
      config,
      clock: this.clock,
      logger: this.logger,
      inFlight: this.inFlight,
      lock,
      storage: sessions,
      records: this.installations,
      handlers: this.lifecycleHandlers,
    };
    this.transport = new HttpTransport({
      fetch: options.fetch,
      clock: this.clock,
      logger: this.logger,
    });
    this.tokenClient = new TokenClient(config, this.transport, this.logger);
    const sweeper = new SessionSweeper(sessions, this.clock, this.logger);
    this.tokens = new TokenManager({
      ...remembering,
      client: this.tokenClient,
      sweeper,
      sessionTokens: this.sessionTokens,
    });

    this.pacer = createPacer(options.pacing ?? 'memory', this.clock, this.logger);
    const calling = {
      transport: this.transport,
      app: config.apiKey,
      retries: RETRIES,
      timeout: TIMEOUT,
    };
    this.caller = new ApiCaller({ ...calling, pacer: this.pacer });
    this.rest = new AdminRestClient(
      config,
      this.caller,
      this.logger,
      options.restResources,
      this.tokens,
    );
    this.graphql = new AdminGraphqlClient(config, this.caller, this.logger, this.tokens);
    // The platform limits this interface per buyer, not per app.
    this.storefront = new StorefrontGraphqlClient(
      config,
      new ApiCaller({ ...calling, pacer: unpaced }),
      this.logger,
    );
    const askingOnce = new ApiCaller({ ...calling, pacer: unpaced, retries: 0 });
    const graphql = new AdminGraphqlClient(config, askingOnce, this.logger);
    const check = new InstallationCheck({ ...remembering, tokens: this.tokens, graphql });
    this.uninstallation = new Uninstallation({ ...remembering, check });
    const finished = new WebhookBulkFinished();
    this.bulk = new AdminBulkClient(config, this.transport, this.logger, finished);
    this.sessionClients = new ApiClients(this.graphql, this.rest, this.bulk, this.storefront);
    this.clients = new PlatformClients(this.tokens, this.sessionClients);
    const billingState = new BillingStateCache(this.clock);
    const plans = new PlanCatalog(options.billing);
    const billing = new BillingClient(this.graphql, billingState);
    const requests = new ChargeRequests(config, billing, plans, this.logger);
    this.billing = new BillingService(billing, requests, plans);
    this.scopes = new ScopesService({ ...remembering, graphql: this.graphql });

    const uninstallation = uninstallHandler(this.uninstallation, this.logger, receivesWebhooks);
    this.handlers = new WebhookRegistry(this.logger, { enhancers: options.enhancers }, [
      uninstallation,
    ]);
    this.handlers.addHandlers(topicsIn(options));
    if (receivesWebhooks) {
      const ours = [
        finished.handler,
        ...(options.billing ? billingChanges(billingState) : []),
        scopeChanges(this.scopes),
      ];
      for (const handler of ours) this.handlers.add(handler);
    }
    this.webhookVerifier = new WebhookVerifier(this.keys);
    this.webhookTimeLimit = new WebhookTimeLimit({
      clock: this.clock,
      logger: this.logger,
      inFlight: this.inFlight,
      handlerTimeout,
    });
    // Last of all: these end with the closing of a kernel that was made.
    this.#held = [occupy(options, config), bodyCopies.limitTo(config.webhookBodyMemoryLimit)];
    if (receivesWebhooks) this.#held.push(teeSignedBodies(config.webhookBodyLimit));
  }

  /**
   * Refuses new deliveries and waits for what is in flight, then stops watching incoming requests
   * and pacing outgoing ones. What the app passed in (storage, inbox) stays open: it belongs to the
   * app.
   */
  async close(): Promise<void> {
    await this.inFlight.drain();
    for (const release of this.#held.splice(0)) release();
    await this.pacer.close();
  }
}

/**
 * Builds what the rooms of one app share.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 */
export function createKernel(
  options: PlatformOptions,
  context: KernelContext = {},
): PlatformKernel {
  const kernel = new PlatformKernel(configOf(options, context), options, context);
  const { config, logger } = kernel;
  const unknown = unknownOptions(options);
  if (unknown.length > 0)
    logger.warn(
      `Unknown options are ignored: ${unknown.map(context.nameOf ?? String).join(', ')}. Check their spelling.`,
    );
  reportUnknownVersion(config, logger);
  if (
    config.adminApiAccessToken !== undefined &&
    config.apiSecretKeys.includes(config.adminApiAccessToken)
  ) {
    logger.warn(
      'adminApiAccessToken is set to the API secret key: it must be the access token of the custom app.',
    );
  }
  return kernel;
}

function configOf(options: PlatformOptions, context: KernelContext): PlatformConfig {
  const { path, bodyLimit, bodyMemoryLimit } = options.webhooks ?? {};
  return resolveConfig(
    {
      ...options,
      paths: { ...options.paths, ...(path !== undefined && { webhooks: path }) },
      webhookBodyLimit: bodyLimit,
      webhookBodyMemoryLimit: bodyMemoryLimit,
    },
    {
      ...context,
      nameOf: (option) => (context.nameOf ?? String)(platformNameOf(option)),
      problems: [
        ...(context.problems ?? []),
        ...problemsInStorage(options.sessionStorage),
        ...problemsInRestClient(options),
        ...problemsInAuth(options),
        ...problemsInBilling(options),
        ...problemsInWebhooks(options),
      ],
    },
  );
}

function secretsIn({
  apiSecretKeys,
  adminApiAccessToken = '',
  storefrontAccessToken = '',
}: PlatformConfig): string[] {
  return [...apiSecretKeys, adminApiAccessToken, storefrontAccessToken];
}

const reported = new Set<string>();

function reportUnknownVersion({ apiVersion }: PlatformConfig, logger: PlatformLogger): void {
  if (isKnownApiVersion(apiVersion) || reported.has(apiVersion)) return;
  reported.add(apiVersion);
  logger.warn(
    `API version ${apiVersion} is newer or older than this release of the toolkit knows; it is used as it is.`,
  );
}
