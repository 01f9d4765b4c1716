import { AUTH_BINDINGS } from '../../auth/auth.providers.js';
import { AUTH_HOOKS } from '../../auth/auth.options.js';
import { AfterInstall } from '../../auth/lifecycle/lifecycle.js';
import { Uninstallation } from '../../auth/lifecycle/uninstallation.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { BILLING_BINDINGS, BILLING_OPTIONS } from '../../billing/billing.providers.js';
import { BillingStateCache } from '../../billing/billing-state-cache.js';
import { bind, bindValue, typedToken } from '../../core/binding.js';
import type { Binding } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { CORE_BINDINGS, CORE_OPTIONS } from '../../core/core.providers.js';
import { bodyCopies, teeSignedBodies } from '../../core/http/body-copies.js';
import { PlatformLogger } from '../../core/logger.js';
import { Clock } from '../../core/time/clock.js';
import { BulkFinished } from '../../graphql-client/bulk/bulk-finished.js';
import { GRAPHQL_CLIENT_BINDINGS } from '../../graphql-client/graphql-client.providers.js';
import {
  REST_CLIENT_BINDINGS,
  REST_CLIENT_OPTIONS,
} from '../../rest-client/rest-client.providers.js';
import { InstallationStore } from '../../sessions/coordination/installation.store.js';
import { Lock } from '../../sessions/coordination/lock.js';
import { WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';
import { SessionStorage } from '../../sessions/session.storage.js';
import { uninstallHandler } from '../../webhooks/handlers/uninstall-handler.js';
import { WebhookRegistrar } from '../../webhooks/subscriptions/webhook.registrar.js';
import { timeoutsIn } from '../../webhooks/webhooks.options.js';
import {
  BUILT_IN_HANDLERS,
  OWN_WEBHOOKS,
  WEBHOOKS_BINDINGS,
  WEBHOOKS_OPTIONS,
} from '../../webhooks/webhooks.providers.js';
import { HOST_BINDINGS } from '../host/host.providers.js';
import { API_BINDINGS } from '../api/api.providers.js';
import { WebhookBulkFinished, billingChanges, scopeChanges } from './own-webhooks.js';
import { configOf } from './platform.options.js';
import type { HostContext, PlatformOptions } from './platform.options.js';
import { Resolver } from './resolver.js';
import { Hold, StartUpNotices } from './start-up.js';
import { givenStorage, occupy, storageFor } from './storage-choice.js';
import type { GivenStorage, PlatformStorage } from './storage-choice.js';

/** The options as the app passed them, in the names of `PlatformModule`. */
export const PLATFORM_OPTIONS = typedToken<PlatformOptions>('PLATFORM_OPTIONS');

/** In what the host of the app differs from others. */
export const HOST_CONTEXT = typedToken<HostContext>('HOST_CONTEXT');

/** The session storage as the app passed it, or had it made. */
export const GIVEN_STORAGE = typedToken<GivenStorage>('GIVEN_STORAGE');

const STORES = typedToken<PlatformStorage>('STORES');
const STORAGE_OCCUPATION = typedToken<Hold>('STORAGE_OCCUPATION');
const BODY_MEMORY = typedToken<Hold>('BODY_MEMORY');
const BODY_TEE = typedToken<Hold>('BODY_TEE');

const whileOpen = { start: (hold: Hold) => hold.begin(), close: (hold: Hold) => hold.end() };

/** Each feature's share of the options. */
const OPTION_BINDINGS = [
  bind(PlatformConfig, { options: PLATFORM_OPTIONS, host: HOST_CONTEXT }, ({ options, host }) =>
    configOf(options, host),
  ),
  bind(CORE_OPTIONS, { options: PLATFORM_OPTIONS, host: HOST_CONTEXT }, ({ options, host }) => ({
    clock: options.clock,
    fetch: options.fetch,
    logger: options.logger ?? host.logger,
    pacing: options.pacing,
    shutdownTimeout: timeoutsIn(options).shutdownTimeout,
  })),
  bind(REST_CLIENT_OPTIONS, { options: PLATFORM_OPTIONS }, ({ options }) => options),
  bind(AUTH_HOOKS, { options: PLATFORM_OPTIONS }, ({ options }) => options.hooks ?? {}),
  bind(BILLING_OPTIONS, { options: PLATFORM_OPTIONS }, ({ options }) => options),
  bind(WEBHOOKS_OPTIONS, { options: PLATFORM_OPTIONS }, ({ options }) => options),
];

/** Where the app keeps what it has to remember. The first to be made is the last to be closed. */
const STORAGE_BINDINGS = [
  bind(
    GIVEN_STORAGE,
    // None is made for an app whose options are wrong.
    { options: PLATFORM_OPTIONS, checked: PlatformConfig },
    ({ options }) => givenStorage(options),
    { close: async ({ storage, isOurs }) => void (isOurs && (await storage?.close?.())) },
  ),
  bind(
    STORES,
    { options: PLATFORM_OPTIONS, given: GIVEN_STORAGE, clock: Clock },
    ({ options, given, clock }) => storageFor({ ...options, sessionStorage: given.storage }, clock),
  ),
  bind(SessionStorage, { stores: STORES }, ({ stores }) => stores.sessions),
  bind(Lock, { stores: STORES }, ({ stores }) => stores.lock),
  bind(WebhookInbox, { stores: STORES }, ({ stores }) => stores.inbox),
  bind(InstallationStore, { stores: STORES }, ({ stores }) => stores.installations),
];

/** What lower features ask for and higher ones provide. */
const PORT_BINDINGS = [
  bind(AfterInstall, { registrar: WebhookRegistrar }, ({ registrar }): AfterInstall => ({
    run: async (session) => void (await registrar.register(session)),
  })),
  bind(WebhookBulkFinished, {}, () => new WebhookBulkFinished()),
  bind(BulkFinished, { finished: WebhookBulkFinished }, ({ finished }) => finished),
  bind(
    OWN_WEBHOOKS,
    {
      options: PLATFORM_OPTIONS,
      host: HOST_CONTEXT,
      finished: WebhookBulkFinished,
      cache: BillingStateCache,
      scopes: ScopesService,
    },
    ({ options, host, finished, cache, scopes }) => {
      if (host.receivesWebhooks === false) return [];
      return [
        finished.handler,
        ...(options.billing ? billingChanges(cache) : []),
        scopeChanges(scopes),
      ];
    },
  ),
  bind(
    BUILT_IN_HANDLERS,
    { host: HOST_CONTEXT, uninstallation: Uninstallation, logger: PlatformLogger },
    ({ host, uninstallation, logger }) => [
      uninstallHandler(uninstallation, logger, host.receivesWebhooks === false),
    ],
  ),
];

/** What begins and ends with the app. */
const LIFETIME_BINDINGS = [
  bind(
    StartUpNotices,
    {
      options: PLATFORM_OPTIONS,
      host: HOST_CONTEXT,
      config: PlatformConfig,
      logger: PlatformLogger,
      given: GIVEN_STORAGE,
    },
    ({ options, host, config, logger, given }) =>
      new StartUpNotices(options, host, config, logger, given),
    { start: (notices) => notices.write() },
  ),
  bind(
    STORAGE_OCCUPATION,
    { given: GIVEN_STORAGE, config: PlatformConfig },
    ({ given, config }) => new Hold(() => occupy(given.storage, config)),
    whileOpen,
  ),
  bind(
    BODY_MEMORY,
    { config: PlatformConfig },
    ({ config }) => new Hold(() => bodyCopies.limitTo(config.webhookBodyMemoryLimit)),
    whileOpen,
  ),
  bind(
    BODY_TEE,
    { config: PlatformConfig, host: HOST_CONTEXT },
    ({ config, host }) =>
      new Hold(() =>
        host.receivesWebhooks === false ? () => {} : teeSignedBodies(config.webhookBodyLimit),
      ),
    whileOpen,
  ),
];

const ABOVE_FEATURES = [
  ...OPTION_BINDINGS,
  ...PORT_BINDINGS,
  ...API_BINDINGS,
  ...HOST_BINDINGS,
  ...LIFETIME_BINDINGS,
];

/** What the features need of the app as a whole, and what hosts need of the features. */
export const PLATFORM_BINDINGS = [...STORAGE_BINDINGS, ...ABOVE_FEATURES];

/** Everything an app consists of, but its options and its host: what is first is closed last. */
export const APP_BINDINGS = [
  ...STORAGE_BINDINGS,
  ...CORE_BINDINGS,
  ...REST_CLIENT_BINDINGS,
  ...GRAPHQL_CLIENT_BINDINGS,
  ...AUTH_BINDINGS,
  ...BILLING_BINDINGS,
  ...WEBHOOKS_BINDINGS,
  ...ABOVE_FEATURES,
];

/**
 * An app that Nest does not make. Nothing is made or started yet.
 * @param others of the host, and what takes the place of one of the app's own
 */
export function createResolver(
  options: PlatformOptions,
  context: HostContext = {},
  others: readonly Binding[] = [],
): Resolver {
  return new Resolver([
    ...APP_BINDINGS,
    bindValue(PLATFORM_OPTIONS, options),
    bindValue(HOST_CONTEXT, context),
    ...others,
  ]);
}
