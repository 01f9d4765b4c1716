import { ApiClients } from './auth/admin/admin.context.js';
import type { AuthHooks } from './auth/auth.options.js';
import { problemsInAuth } from './auth/auth.options.js';
import { InstallationRecords } from './auth/lifecycle/installation.records.js';
import { LifecycleHandlers } from './auth/lifecycle/lifecycle.handlers.js';
import { Uninstallation } from './auth/lifecycle/uninstallation.js';
import { ScopesService } from './auth/scopes/scopes.service.js';
import { TokenClient } from './auth/tokens/token.client.js';
import { TokenManager } from './auth/tokens/token.manager.js';
import { BillingService } from './billing/billing.service.js';
import { BillingStateCache } from './billing/billing.state.cache.js';
import { problemsInBilling } from './billing/billing.options.js';
import { PlanCatalog } from './billing/plan.catalog.js';
import { isKnownApiVersion } from './core/api-version.js';
import { systemClock } from './core/clock.js';
import type { Clock } from './core/clock.js';
import { resolveConfig } from './core/config/platform.config.js';
import type { PlatformConfig, ResolveConfigContext } from './core/config/platform.config.js';
import { SecretKeys } from './core/crypto/secret-keys.js';
import { SessionTokenVerifier } from './core/crypto/session-token.verifier.js';
import { ApiCaller } from './core/http/api.caller.js';
import { HttpTransport } from './core/http/http.transport.js';
import { teeSignedBodies } from './core/http/raw-body.js';
import { PlatformLogger } from './core/logger.js';
import type { LoggerOption } from './core/logger.js';
import { unpaced } from './core/pacing/pacer.js';
import type { Pacer } from './core/pacing/pacer.js';
import { createPacer } from './core/pacing/pacing.option.js';
import { AdminGraphqlClient } from './graphql-client/admin-graphql.client.js';
import type { BulkFinished } from './graphql-client/bulk/bulk.finished.js';
import { AdminBulkClient } from './graphql-client/bulk/admin-bulk.client.js';
import { StorefrontGraphqlClient } from './graphql-client/storefront-graphql.client.js';
import { billingChanges } from './platform.billing-changes.js';
import { WebhookBulkFinished } from './platform.bulk-finished.js';
import { PlatformClients } from './platform.clients.js';
import { unknownOptions } from './platform.options.js';
import type { PlatformOptions } from './platform.options.js';
import { scopeChanges } from './platform.scope-changes.js';
import { storageFor } from './platform.storage.js';
import type { PlatformStorage } from './platform.storage.js';
import { AdminRestClient } from './rest-client/admin-rest.client.js';
import type { ResourceSet } from './rest-client/resources/resource.set.js';
import { problemsInRestClient } from './rest-client/rest-client.options.js';
import type { Lock } from './sessions/lock.js';
import { problemsInStorage } from './sessions/session.storage.js';
import type { SessionStorage } from './sessions/session.storage.js';
import { SessionSweeper } from './sessions/session.sweeper.js';
import type { WebhookInbox } from './sessions/webhook.inbox.js';
import { WebhookRegistry } from './webhooks/webhook.registry.js';
import { problemsInWebhooks, topicsIn } from './webhooks/webhooks.options.js';

/** Of a call to the platform: attempts after the first, and how long each may take in milliseconds. */
const RETRIES = 2;
const TIMEOUT = 30_000;

/** What a kernel is put together from. */
interface KernelParts {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly transport: HttpTransport;
  readonly pacer: Pacer;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: PlatformStorage;
  readonly handlers: WebhookRegistry;
  readonly hooks: AuthHooks;
  readonly finished: BulkFinished;
  readonly plans: PlanCatalog;
  readonly billingState: BillingStateCache;
  readonly restResources: ResourceSet | undefined;
}

/** The plain objects of one app, shared by every host and by the container. Made synchronously, without Nest. */
export class PlatformKernel {
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
  readonly #release: () => void;

  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly transport: HttpTransport;
  readonly pacer: Pacer;
  readonly keys: SecretKeys;
  readonly sessionTokens: SessionTokenVerifier;
  readonly storage: SessionStorage;
  readonly lock: Lock;
  readonly inbox: WebhookInbox;
  readonly handlers: WebhookRegistry;
  readonly lifecycleHandlers: LifecycleHandlers;
  readonly installations: InstallationRecords;
  readonly uninstallation: Uninstallation;
  readonly tokenClient: TokenClient;
  readonly tokens: TokenManager;
  readonly hooks: AuthHooks;

  /** @internal Use {@link createKernel}. */
  constructor(parts: KernelParts) {
    const { config, clock, logger, transport, pacer, storage, restResources, finished } = parts;
    this.config = config;
    this.clock = clock;
    this.logger = logger;
    this.transport = transport;
    this.pacer = pacer;
    this.keys = parts.keys;
    this.sessionTokens = parts.sessionTokens;
    this.storage = storage.sessions;
    this.lock = storage.lock;
    this.inbox = storage.inbox;
    this.handlers = parts.handlers;
    this.hooks = parts.hooks;
    this.lifecycleHandlers = new LifecycleHandlers(parts.hooks);
    this.installations = new InstallationRecords({ app: config.apiKey, clock, store: storage.installations });
    this.uninstallation = new Uninstallation({
      config,
      clock,
      logger,
      lock: this.lock,
      storage: this.storage,
      records: this.installations,
      handlers: this.lifecycleHandlers,
    });
    this.tokenClient = new TokenClient(config, transport, logger);
    this.tokens = new TokenManager({
      config,
      clock,
      logger,
      lock: this.lock,
      storage: this.storage,
      records: this.installations,
      handlers: this.lifecycleHandlers,
      client: this.tokenClient,
      sweeper: new SessionSweeper(this.storage, clock, logger),
      sessionTokens: this.sessionTokens,
    });
    const calling = { transport, app: config.apiKey, retries: RETRIES, timeout: TIMEOUT };
    this.caller = new ApiCaller({ ...calling, pacer });
    this.rest = new AdminRestClient(config, this.caller, logger, restResources, this.tokens);
    this.graphql = new AdminGraphqlClient(config, this.caller, logger, this.tokens);
    // The platform limits this interface per buyer, not per app.
    this.storefront = new StorefrontGraphqlClient(config, new ApiCaller({ ...calling, pacer: unpaced }), logger);
    this.bulk = new AdminBulkClient(config, transport, logger, finished);
    this.sessionClients = new ApiClients(this.graphql, this.rest, this.bulk, this.storefront);
    this.clients = new PlatformClients(this.tokens, this.sessionClients);
    this.billing = new BillingService(config, this.graphql, parts.plans, parts.billingState, logger);
    this.scopes = new ScopesService({
      config,
      clock,
      logger,
      lock: this.lock,
      storage: this.storage,
      records: this.installations,
      graphql: this.graphql,
    });
    this.#release = teeSignedBodies(config.webhookBodyLimit);
  }

  /** Stops watching incoming requests and pacing outgoing ones. What the app passed in (storage, inbox) stays open: it belongs to the app. */
  async close(): Promise<void> {
    this.#release();
    await this.pacer.close();
  }
}

export interface KernelContext extends ResolveConfigContext {
  /** Used when the options name no logger. @default a console logger */
  readonly logger?: LoggerOption | undefined;
  /** False where deliveries go to routes of the app instead of to us: then nothing is subscribed on our own account. @default true */
  readonly receivesWebhooks?: boolean | undefined;
}

/**
 * Builds what the rooms of one app share.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 */
export function createKernel(options: PlatformOptions, context: KernelContext = {}): PlatformKernel {
  const { path, bodyLimit } = options.webhooks ?? {};
  const config = resolveConfig(
    {
      ...options,
      paths: { ...options.paths, ...(path !== undefined && { webhooks: path }) },
      webhookBodyLimit: bodyLimit ?? options.webhookBodyLimit,
    },
    {
      ...context,
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
  const clock = options.clock ?? systemClock;
  const secrets = [...config.apiSecretKeys, config.adminApiAccessToken ?? '', config.storefrontAccessToken ?? ''];
  const logger = new PlatformLogger(options.logger ?? context.logger, clock, secrets);
  const keys = new SecretKeys(config.apiSecretKeys, clock);
  const handlers = new WebhookRegistry(logger, { enhancers: options.enhancers });
  handlers.addHandlers(topicsIn(options));
  const finished = new WebhookBulkFinished();
  const billingState = new BillingStateCache(clock);
  if (context.receivesWebhooks ?? true) {
    const changes = options.billing ? billingChanges(billingState) : [];
    for (const handler of [finished.handler, ...changes]) handlers.add(handler);
  }
  // Last of all: a kernel watches the process's requests from its making to its closing.
  const kernel = new PlatformKernel({
    config,
    clock,
    logger,
    transport: new HttpTransport({ fetch: options.fetch, clock, logger }),
    pacer: createPacer(options.pacing ?? 'memory', clock, logger),
    keys,
    sessionTokens: new SessionTokenVerifier(keys, config, clock),
    storage: storageFor(options, config, clock, logger),
    handlers,
    hooks: options.hooks ?? {},
    finished,
    plans: new PlanCatalog(options.billing),
    billingState,
    restResources: options.restResources,
  });
  if (context.receivesWebhooks ?? true) handlers.add(scopeChanges(kernel.scopes));
  const unknown = unknownOptions(options);
  if (unknown.length > 0)
    logger.warn(`Unknown options are ignored: ${unknown.map(context.nameOf ?? String).join(', ')}. Check their spelling.`);
  reportUnknownVersion(config, logger);
  if (config.adminApiAccessToken !== undefined && config.apiSecretKeys.includes(config.adminApiAccessToken)) {
    logger.warn('adminApiAccessToken is set to the API secret key: it must be the access token of the custom app.');
  }
  return kernel;
}

const reported = new Set<string>();

function reportUnknownVersion({ apiVersion }: PlatformConfig, logger: PlatformLogger): void {
  if (isKnownApiVersion(apiVersion) || reported.has(apiVersion)) return;
  reported.add(apiVersion);
  logger.warn(`API version ${apiVersion} is newer or older than this release of the toolkit knows; it is used as it is.`);
}
