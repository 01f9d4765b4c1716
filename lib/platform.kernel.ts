import { ApiClients } from './auth/admin/admin.context.js';
import type { AuthHooks } from './auth/auth.options.js';
import { problemsInAuth } from './auth/auth.options.js';
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
import { WebhookBulkFinished } from './platform.bulk-finished.js';
import { PlatformClients } from './platform.clients.js';
import { unknownOptions } from './platform.options.js';
import type { PlatformOptions } from './platform.options.js';
import { AdminRestClient } from './rest-client/admin-rest.client.js';
import { ForeignSessionStorage } from './sessions/foreign-session.storage.js';
import { SessionStorage, problemsInStorage } from './sessions/session.storage.js';
import { MemorySessionStorage } from './sessions/storages/memory/memory-session.storage.js';
import { MemoryWebhookInbox } from './sessions/storages/memory/memory-webhook.inbox.js';
import type { WebhookInbox } from './sessions/webhook.inbox.js';
import { WebhookRegistry } from './webhooks/webhook.registry.js';
import { problemsInWebhooks, topicsIn } from './webhooks/webhooks.options.js';

/** Of a call to the platform: attempts after the first, and how long each may take in milliseconds. */
const RETRIES = 2;
const TIMEOUT = 30_000;

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
  readonly #release: () => void;

  /** @internal Use {@link createKernel}. */
  constructor(
    readonly config: PlatformConfig,
    readonly clock: Clock,
    readonly logger: PlatformLogger,
    readonly transport: HttpTransport,
    readonly pacer: Pacer,
    readonly keys: SecretKeys,
    readonly sessionTokens: SessionTokenVerifier,
    readonly storage: SessionStorage,
    readonly inbox: WebhookInbox,
    readonly handlers: WebhookRegistry,
    readonly hooks: AuthHooks,
    finished: BulkFinished,
  ) {
    const calling = { transport, app: config.apiKey, retries: RETRIES, timeout: TIMEOUT };
    this.caller = new ApiCaller({ ...calling, pacer });
    this.rest = new AdminRestClient(config, this.caller, logger);
    this.graphql = new AdminGraphqlClient(config, this.caller, logger);
    // The platform limits this interface per buyer, not per app.
    this.storefront = new StorefrontGraphqlClient(config, new ApiCaller({ ...calling, pacer: unpaced }), logger);
    this.bulk = new AdminBulkClient(config, transport, logger, finished);
    this.sessionClients = new ApiClients(this.graphql, this.rest, this.bulk, this.storefront);
    this.clients = new PlatformClients(config, storage, this.sessionClients);
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
        ...problemsInAuth(options),
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
  if (context.receivesWebhooks ?? true) handlers.add(finished.handler);
  // Last of all: a kernel watches the process's requests from its making to its closing.
  const kernel = new PlatformKernel(
    config,
    clock,
    logger,
    new HttpTransport({ fetch: options.fetch, clock, logger }),
    createPacer(options.pacing ?? 'memory', clock, logger),
    keys,
    new SessionTokenVerifier(keys, config, clock),
    storageOf(options.sessionStorage, config, logger),
    options.inbox ?? new MemoryWebhookInbox(clock),
    handlers,
    options.hooks ?? {},
    finished,
  );
  const unknown = unknownOptions(options);
  if (unknown.length > 0)
    logger.warn(`Unknown options are ignored: ${unknown.map(context.nameOf ?? String).join(', ')}. Check their spelling.`);
  reportUnknownVersion(config, logger);
  if (config.adminApiAccessToken !== undefined && config.apiSecretKeys.includes(config.adminApiAccessToken)) {
    logger.warn('adminApiAccessToken is set to the API secret key: it must be the access token of the custom app.');
  }
  return kernel;
}

function storageOf(storage: SessionStorage | undefined, config: PlatformConfig, logger: PlatformLogger): SessionStorage {
  if (storage === undefined) {
    if (config.isProduction && !config.isCustomStoreApp) {
      logger.warn('Sessions are kept in memory: they are lost with the process. Pass a sessionStorage, such as SqliteSessionStorage.');
    }
    return new MemorySessionStorage();
  }
  return storage instanceof SessionStorage ? storage : new ForeignSessionStorage(storage);
}

const reported = new Set<string>();

function reportUnknownVersion({ apiVersion }: PlatformConfig, logger: PlatformLogger): void {
  if (isKnownApiVersion(apiVersion) || reported.has(apiVersion)) return;
  reported.add(apiVersion);
  logger.warn(`API version ${apiVersion} is newer or older than this release of the toolkit knows; it is used as it is.`);
}
