import { resolveConfig } from '../../core/config/config.schema.js';
import { flagNotices } from '../../core/config/future-flags.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { ResolveConfigContext } from '../../core/config/config.schema.js';
import type { LoggerOption } from '../../core/logger.js';
import { HOOK_NAMES, problemsInAuth } from '../../auth/auth.options.js';
import { completePaths } from '../../core/config/config.options.js';
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
  cookiePath: true,
  future: true,
  isTesting: true,
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

const ONLY_THE_PLATFORM = 'shops are accepted under the domains of the platform only';
const NO_APP_EVENTS = 'app events cannot be sent from here';
/** Options of the platform's own packages that are not honoured here, with the reason. */
const NOT_HONOURED: Readonly<Record<string, string>> = {
  customShopDomains: ONLY_THE_PLATFORM,
  domainTransformations: ONLY_THE_PLATFORM,
  apiSecretKeyFallback: 'pass apiSecretKey a list of secrets, the current one first',
  globalApiUrl: NO_APP_EVENTS,
  globalApiVersion: NO_APP_EVENTS,
  _logDisabledFutureFlags: 'the log says nothing of flags that are off',
};

/** What the log says of options that have no effect: each once, by the name the app knows. */
export function optionNotices(
  options: PlatformOptions,
  { nameOf = String, unknownOptions = [] }: HostContext,
) {
  const names = Object.entries(options).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(KNOWN, name) ? [] : [name],
  );
  const isExplained = (name: string): boolean => Object.hasOwn(NOT_HONOURED, name);
  const misspelt = [...names.filter((name) => !isExplained(name)), ...unknownWithin(options)];
  const unknown = [...misspelt.map((name) => nameOf(name)), ...unknownOptions];
  return [
    ...names
      .filter(isExplained)
      .map((name) => `The option ${nameOf(name)} has no effect: ${NOT_HONOURED[name]}.`),
    ...flagNotices(options.future ?? {}).map((notice) => `${nameOf('future')}.${notice}.`),
    ...(unknown.length > 0
      ? [`Unknown options are ignored: ${unknown.join(', ')}. Check their spelling.`]
      : []),
  ];
}

/** Paths and hooks under names that none has, such as `paths.webhook`: they do nothing. */
function unknownWithin({ paths = {}, hooks = {} }: PlatformOptions): string[] {
  const pathNames = new Set(Object.keys(completePaths({})));
  const hookNames = new Set<string>(HOOK_NAMES);
  return [
    ...Object.entries(paths).flatMap(([name, path]) =>
      pathNames.has(name) || path === undefined ? [] : [`paths.${name}`],
    ),
    // Those of an object of a class of the app may be fields of its own.
    ...Object.entries(Object.getPrototypeOf(hooks) === Object.prototype ? hooks : {}).flatMap(
      ([name, hook]) =>
        hookNames.has(name) || typeof hook !== 'function' ? [] : [`hooks.${name}`],
    ),
  ];
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
  /** Options that the host does not have, and leaves out, as the app has written them. */
  readonly unknownOptions?: readonly string[] | undefined;
  /**
   * False where deliveries go to routes of the app instead of to the toolkit: then only
   * uninstallations are subscribed for the toolkit, beside another topic of the app, and no body is
   * copied, since those routes have web requests. @default true
   */
  readonly receivesWebhooks?: boolean | undefined;
  /**
   * False where the app stores its sessions by itself: then it need not pass a storage.
   * @default true
   */
  readonly storesSessions?: boolean | undefined;
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
      nameOf: (option) =>
        (context.nameOf ?? String)(
          path !== undefined && option === 'paths.webhooks'
            ? 'webhooks.path'
            : platformNameOf(option),
        ),
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
