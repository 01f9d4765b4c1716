import type { AuthHooks } from './auth/auth.options.js';
import { problemsInAuth } from './auth/auth.options.js';
import { isKnownApiVersion } from './core/api-version.js';
import { systemClock } from './core/clock.js';
import type { Clock } from './core/clock.js';
import { resolveConfig } from './core/config/platform.config.js';
import type { PlatformConfig, ResolveConfigContext } from './core/config/platform.config.js';
import { SecretKeys } from './core/crypto/secret-keys.js';
import { SessionTokenVerifier } from './core/crypto/session-token.verifier.js';
import { HttpTransport } from './core/http/http.transport.js';
import { teeSignedBodies } from './core/http/raw-body.js';
import { PlatformLogger } from './core/logger.js';
import type { LoggerOption } from './core/logger.js';
import { AdminGraphqlClient } from './graphql-client/admin-graphql.client.js';
import type { PlatformOptions } from './platform.options.js';
import { AdminRestClient } from './rest-client/admin-rest.client.js';
import { ForeignSessionStorage } from './sessions/foreign-session.storage.js';
import { SessionStorage, problemsInStorage } from './sessions/session.storage.js';
import { MemorySessionStorage } from './sessions/storages/memory/memory-session.storage.js';
import { MemoryWebhookInbox } from './sessions/storages/memory/memory-webhook.inbox.js';
import type { WebhookInbox } from './sessions/webhook.inbox.js';
import { WebhookRegistry } from './webhooks/webhook.registry.js';
import { problemsInWebhooks, topicsIn } from './webhooks/webhooks.options.js';

/** The plain objects of one app, shared by every host and by the container. Made synchronously, without Nest. */
export class PlatformKernel {
  readonly rest: AdminRestClient;
  readonly graphql: AdminGraphqlClient;
  readonly #release: () => void;

  /** @internal Use {@link createKernel}. */
  constructor(
    readonly config: PlatformConfig,
    readonly clock: Clock,
    readonly logger: PlatformLogger,
    readonly transport: HttpTransport,
    readonly keys: SecretKeys,
    readonly sessionTokens: SessionTokenVerifier,
    readonly storage: SessionStorage,
    readonly inbox: WebhookInbox,
    readonly handlers: WebhookRegistry,
    readonly hooks: AuthHooks,
  ) {
    this.rest = new AdminRestClient(config, transport, logger);
    this.graphql = new AdminGraphqlClient(config, transport, logger);
    this.#release = teeSignedBodies(config.webhookBodyLimit);
  }

  /** Stops watching incoming requests. What the app passed in (storage, inbox) stays open: it belongs to the app. */
  close(): void {
    this.#release();
  }
}

export interface KernelContext extends Omit<ResolveConfigContext, 'problems'> {
  /** Used when the options name no logger. @default a console logger */
  readonly logger?: LoggerOption | undefined;
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
    { ...context, problems: [...problemsInStorage(options.sessionStorage), ...problemsInAuth(options), ...problemsInWebhooks(options)] },
  );
  const clock = options.clock ?? systemClock;
  const secrets = [...config.apiSecretKeys, config.adminApiAccessToken ?? ''];
  const logger = new PlatformLogger(options.logger ?? context.logger, clock, secrets);
  const keys = new SecretKeys(config.apiSecretKeys);
  const kernel = new PlatformKernel(
    config,
    clock,
    logger,
    new HttpTransport({ fetch: options.fetch, clock, logger }),
    keys,
    new SessionTokenVerifier(keys, config, clock),
    storageOf(options.sessionStorage, config, logger),
    options.inbox ?? new MemoryWebhookInbox(clock),
    new WebhookRegistry(logger, { enhancers: options.enhancers }),
    options.hooks ?? {},
  );
  kernel.handlers.addHandlers(topicsIn(options));
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
