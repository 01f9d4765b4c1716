import { systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { InvalidOptionsError } from '../core.errors.js';
import type { OptionProblem } from '../core.errors.js';
import { decodeHost, sanitizeShop, withoutTrailingSlashes } from '../shop-domain.js';
import { AuthScopes } from '../scopes.js';
import { APP_BRIDGE_PATH, CDN_ORIGIN, ENVIRONMENT } from '../vendor.js';
import { AppDistribution, DEFAULT_WEBHOOK_BODY_LIMIT } from './config.options.js';
import type { ConfigOptions, Environment } from './config.options.js';
import { problemsInConfig } from './config.schema.js';
import { PlatformPaths } from './platform-paths.js';

const DEFAULT_WEBHOOK_BODY_MEMORY = 64 * 1024 * 1024;

/**
 * Everything that is known about one app, resolved once and frozen. Secrets are kept out of reach
 * of `console.log` and JSON.
 */
export class PlatformConfig {
  readonly apiKey: string;
  readonly scopes: AuthScopes | undefined;
  /** Origin of the app, such as `https://app.example.com`. */
  readonly appUrl: string;
  readonly apiVersion: string;
  readonly isEmbeddedApp: boolean;
  readonly useOnlineTokens: boolean;
  readonly expiringOfflineAccessTokens: boolean;
  readonly distribution: AppDistribution;
  readonly userErrors: 'return' | 'throw';
  readonly userAgentPrefix: string | undefined;
  readonly paths: PlatformPaths;
  /** The app's own page where merchants type the domain of their shop. */
  readonly loginPath: string | undefined;
  /** In bytes. */
  readonly webhookBodyLimit: number;
  /** In bytes. */
  readonly webhookBodyMemoryLimit: number;
  readonly isProduction: boolean;
  readonly #secrets: readonly string[];
  readonly #adminApiAccessToken: string | undefined;
  readonly #storefrontAccessToken: string | undefined;
  readonly #shopOrigin: ((shop: string) => string) | undefined;
  readonly #appBridgeUrl: string | undefined;
  readonly #clock: Clock;

  /** @internal Use {@link resolveConfig}, which validates. */
  constructor(
    options: ConfigOptions & { readonly apiSecretKey: readonly string[]; readonly appUrl: string },
    environment: Environment,
  ) {
    this.apiKey = options.apiKey ?? '';
    this.scopes = options.scopes === undefined ? undefined : new AuthScopes(options.scopes);
    this.appUrl = new URL(options.appUrl).origin;
    this.apiVersion = options.apiVersion;
    this.isEmbeddedApp = options.isEmbeddedApp ?? true;
    this.useOnlineTokens = options.useOnlineTokens ?? false;
    this.expiringOfflineAccessTokens = options.expiringOfflineAccessTokens ?? true;
    this.distribution = options.distribution ?? AppDistribution.AppStore;
    this.userErrors = options.userErrors ?? 'return';
    this.userAgentPrefix = options.userAgentPrefix;
    this.paths = new PlatformPaths(options.paths);
    this.loginPath = options.loginPath;
    this.webhookBodyLimit = options.webhookBodyLimit ?? DEFAULT_WEBHOOK_BODY_LIMIT;
    this.webhookBodyMemoryLimit =
      options.webhookBodyMemoryLimit ??
      Math.max(DEFAULT_WEBHOOK_BODY_MEMORY, this.webhookBodyLimit);
    this.isProduction = environment['NODE_ENV'] === 'production';
    this.#secrets = [...options.apiSecretKey];
    this.#adminApiAccessToken = options.adminApiAccessToken;
    this.#storefrontAccessToken = options.privateAppStorefrontAccessToken;
    this.#shopOrigin = options.shopOrigin;
    this.#appBridgeUrl = fromEnvironment(environment, 'appBridgeUrl');
    this.#clock = options.clock ?? systemClock;
    Object.freeze(this);
  }

  /** The app's source of time. */
  get clock(): Clock {
    return this.#clock;
  }

  /** The app's secrets, current first. */
  get apiSecretKeys(): readonly string[] {
    return this.#secrets;
  }

  /** The fixed token of a custom app, if this is one. */
  get adminApiAccessToken(): string | undefined {
    return this.isCustomStoreApp ? this.#adminApiAccessToken : undefined;
  }

  /** The fixed Storefront token of a custom app, if this is one. */
  get storefrontAccessToken(): string | undefined {
    return this.isCustomStoreApp ? this.#storefrontAccessToken : undefined;
  }

  /** True for an app created in the admin of one store. */
  get isCustomStoreApp(): boolean {
    return this.distribution === AppDistribution.PlatformAdmin;
  }

  /** Origin of a shop, `https://<shop>` unless the app was told otherwise. No trailing slash. */
  shopOrigin(shop: string): string {
    return this.#shopOrigin ? withoutTrailingSlashes(this.#shopOrigin(shop)) : `https://${shop}`;
  }

  /** A path of the app as an absolute URL. */
  appPath(path: string): string {
    return this.appUrl + path;
  }

  /**
   * Where the admin shows this app in a shop; `host` is the parameter of the same name, already
   * sanitised.
   */
  embeddedAppUrl(host: string): string {
    const address = decodeHost(host) ?? '';
    const shop = this.#shopOrigin ? sanitizeShop(address.replace(/\/admin\/?$/, '')) : null;
    return shop
      ? `${this.shopOrigin(shop)}/admin/apps/${this.apiKey}`
      : `https://${address}/apps/${this.apiKey}`;
  }

  /** The App Bridge script a page for `shop` loads. */
  appBridgeUrl(shop?: string): string {
    if (this.#appBridgeUrl) return this.#appBridgeUrl;
    return (this.#shopOrigin && shop ? this.shopOrigin(shop) : CDN_ORIGIN) + APP_BRIDGE_PATH;
  }

  /** True when shops are reached somewhere else than on the internet. */
  get hasOwnShopOrigin(): boolean {
    return this.#shopOrigin !== undefined;
  }
}

export interface ResolveConfigContext {
  /** @default process.env */
  readonly environment?: Environment | undefined;
  /** What a facade calls an option, so that problems name what the caller wrote. */
  readonly nameOf?: ((option: string) => string) | undefined;
  /** Problems other features found in the same options; reported together. */
  readonly problems?: readonly OptionProblem[] | undefined;
}

/**
 * Fills in the environment and the defaults, checks everything, and freezes.
 * @throws {InvalidOptionsError} naming every problem at once
 */
export function resolveConfig(
  options: ConfigOptions,
  context: ResolveConfigContext = {},
): PlatformConfig {
  const environment = context.environment ?? process.env;
  const complete = {
    ...options,
    // The key has to be there for its own message to appear.
    apiVersion: options.apiVersion,
    apiKey: options.apiKey ?? fromEnvironment(environment, 'apiKey'),
    apiSecretKey: asList(options.apiSecretKey ?? fromEnvironment(environment, 'apiSecretKey')),
    scopes: options.scopes ?? fromEnvironment(environment, 'scopes'),
    appUrl: options.appUrl ?? appUrlIn(environment) ?? '',
  };
  const problems = [...problemsInConfig(complete), ...(context.problems ?? [])];
  if (problems.length > 0) {
    const nameOf = context.nameOf ?? ((option) => option);
    throw new InvalidOptionsError(
      problems.map(({ option, message }) => ({ option: nameOf(option), message })),
    );
  }
  return new PlatformConfig(complete, environment);
}

function fromEnvironment(
  environment: Environment,
  name: keyof typeof ENVIRONMENT,
): string | undefined {
  return ENVIRONMENT[name].map((variable) => environment[variable]?.trim()).find((value) => value);
}

function asList(secrets: string | readonly string[] | undefined): readonly string[] {
  return secrets === undefined ? [] : typeof secrets === 'string' ? [secrets] : secrets;
}

/**
 * Many machines set HOST to the address they listen on: what has a scheme is meant to be a URL and
 * wins over what has none.
 */
function appUrlIn(environment: Environment): string | undefined {
  const urls = ENVIRONMENT.appUrl.map((variable) => environment[variable]?.trim() ?? '');
  return (
    urls.find((url) => /^[a-z]+:\/\//i.test(url)) ??
    urls.filter((url) => /\.[a-z]/i.test(url)).map((url) => `https://${url}`)[0]
  );
}
