import type { AuthOptions } from '../../auth/auth.options.js';
import type { BillingOptions } from '../../billing/billing.options.js';
import type { ConfigOptions } from '../../core/config/config.options.js';
import type { RestClientOptions } from '../../rest-client/rest-client.options.js';
import type { SessionsOptions } from '../../sessions/sessions.options.js';
import type { WebhooksOptions } from '../../webhooks/webhooks.options.js';

/** What `webhooks` says as well: an app sets it there. */
type ConfigElsewhere = 'webhookBodyLimit' | 'webhookBodyMemoryLimit';

/** Everything an app can be configured with; each room owns its part. */
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
export function platformNameOf(option: string): string {
  return Object.hasOwn(NAMES, option) ? NAMES[option as ConfigElsewhere] : option;
}
