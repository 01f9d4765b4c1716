import { resolveConfig } from '../../core/config/config.schema.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { ResolveConfigContext } from '../../core/config/config.schema.js';
import type { LoggerOption } from '../../core/logger.js';
import { problemsInAuth } from '../../auth/auth.options.js';
import { problemsInBilling } from '../../billing/billing.options.js';
import { problemsInRestClient } from '../../rest-client/rest-client.options.js';
import { problemsInStorage } from '../../sessions/session.storage.js';
import { problemsInWebhooks } from '../../webhooks/webhooks.options.js';
import type { AuthOptions } from '../../auth/auth.options.js';
import type { BillingOptions } from '../../billing/billing.options.js';
import type { ConfigOptions } from '../../core/config/config.options.js';
import type { RestClientOptions } from '../../rest-client/rest-client.options.js';
import type { SessionsOptions } from '../../sessions/sessions.options.js';
import type { WebhooksOptions } from '../../webhooks/webhooks.options.js';

/** What `webhooks` says as well: an app sets it there. */
type ConfigElsewhere = 'webhookBodyLimit' | 'webhookBodyMemoryLimit';

/** The options of an app; each module defines its own. */
export interface PlatformOptions
  extends
    Omit<ConfigOptions, ConfigElsewhere>,
    SessionsOptions,
    RestClientOptions,
    AuthOptions,
    BillingOptions,
    WebhooksOptions {}

/** Every option by name; the compiler keeps it complete. */
const KNOWN: Readonly<Record<keyof PlatformOptions, true>> = {
  apiKey: true,
  apiSecretKey: true,
  scopes: true,
  appUrl: true,
  apiVersion: true,
  isEmbeddedApp: true,
  useOnlineTokens: true,
  expiringOfflineAccessTokens: true,
  distribution: true,
  adminApiAccessToken: true,
  privateAppStorefrontAccessToken: true,
  userAgentPrefix: true,
  userErrors: true,
  paths: true,
  loginPath: true,
  shopOrigin: true,
  fetch: true,
  clock: true,
  pacing: true,
  logger: true,
  restResources: true,
  sessionStorage: true,
  inbox: true,
  lock: true,
  installations: true,
  hooks: true,
  billing: true,
  webhooks: true,
  enhancers: true,
};

/** Names among the options that mean nothing here: typing errors, or options of another library. */
export function unknownOptions(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(KNOWN, name) ? [] : [name],
  );
}

const NAMES: Readonly<Record<ConfigElsewhere, string>> = {
  webhookBodyLimit: 'webhooks.bodyLimit',
  webhookBodyMemoryLimit: 'webhooks.bodyMemoryLimit',
};

/** What an app calls an option of the config. */
function platformNameOf(option: string): string {
  return Object.hasOwn(NAMES, option) ? NAMES[option as ConfigElsewhere] : option;
}

/** What a host knows beside the options of the app. */
export interface HostContext extends ResolveConfigContext {
  /** Used when the options name no logger. @default a console logger */
  readonly logger?: LoggerOption | undefined;
  /**
   * False where deliveries go to routes of the app instead of to the toolkit: then no topic is
   * subscribed for the toolkit alone, save uninstallations beside another topic of the app, and no
   * body is copied, since those routes have web requests. @default true
   */
  readonly receivesWebhooks?: boolean | undefined;
}

/**
 * The config of an app.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 */
export function configOf(options: PlatformOptions, context: HostContext): PlatformConfig {
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
