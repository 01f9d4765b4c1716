import { completeLogger } from '../logger.js';
import type { LoggerOption } from '../logger.js';
import { AuthScopes } from '../scopes.js';
import {
  decodeHost,
  legacyUrlToShopAdminUrl,
  sanitizeShop,
  withoutTrailingSlashes,
} from '../shop-domain.js';
import { systemClock } from '../time/clock.js';
import type { Clock } from '../time/clock.js';
import { APP_BRIDGE_PATH, CDN_ORIGIN } from '../vendor.js';
import {
  AppDistribution,
  completePaths,
  fromEnvironment,
  webhookBodyLimits,
} from './config.options.js';
import type { FutureFlags } from './future-flags.js';
import { DEFAULT_CONVENTIONS } from './page-conventions.js';
import type { PageConventions } from './page-conventions.js';
import type {
  AccessMode,
  ConfigOptions,
  Environment,
  FeatureOptions,
  PathName,
  PathOptions,
} from './config.options.js';

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
  /** As the app passed them. */
  readonly future: FutureFlags;
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
  readonly #given: Pick<ConfigOptions, 'cookiePath' | 'logger'> & FeatureOptions;

  /** @internal Use {@link resolveConfig}, which validates. */
  constructor(
    options: ConfigOptions &
      FeatureOptions & { readonly apiSecretKey: readonly string[]; readonly appUrl: string },
    environment: Environment,
    /** In what the host of the app differs from others. @internal */
    readonly conventions: PageConventions = DEFAULT_CONVENTIONS,
  ) {
    this.apiKey = options.apiKey ?? '';
    this.scopes = options.scopes === undefined ? undefined : new AuthScopes(options.scopes);
    this.appUrl = new URL(options.appUrl).origin;
    this.apiVersion = options.apiVersion;
    this.isEmbeddedApp = options.isEmbeddedApp ?? true;
    this.useOnlineTokens = options.useOnlineTokens ?? false;
    this.future = Object.freeze({ ...options.future });
    this.expiringOfflineAccessTokens =
      options.expiringOfflineAccessTokens ?? this.future.expiringOfflineAccessTokens ?? true;
    this.distribution = options.distribution ?? AppDistribution.AppStore;
    this.userErrors = options.userErrors ?? 'return';
    this.userAgentPrefix = options.userAgentPrefix;
    this.paths = new PlatformPaths(options.paths, conventions);
    this.loginPath = options.loginPath && this.paths.page(options.loginPath);
    const limits = webhookBodyLimits(options);
    this.webhookBodyLimit = limits.webhookBodyLimit;
    this.webhookBodyMemoryLimit = limits.webhookBodyMemoryLimit;
    this.isProduction = environment['NODE_ENV'] === 'production';
    this.#secrets = [...options.apiSecretKey];
    this.#adminApiAccessToken = options.adminApiAccessToken;
    this.#storefrontAccessToken = options.privateAppStorefrontAccessToken;
    this.#shopOrigin = options.shopOrigin;
    this.#appBridgeUrl = fromEnvironment(environment, 'appBridgeUrl');
    this.#clock = options.clock ?? systemClock;
    const { cookiePath, logger, billing, restResources, sessionStorage } = options;
    this.#given = { cookiePath, logger, billing, restResources, sessionStorage };
    Object.freeze(this);
  }

  /** The app's source of time. */
  get clock(): Clock {
    return this.#clock;
  }

  /** Whose session a request gets that asks for none in particular. */
  get accessMode(): AccessMode {
    return this.useOnlineTokens && !this.isCustomStoreApp ? 'online' : 'offline';
  }

  /** What the app was given to log with, and what it left out. */
  get logger(): LoggerOption {
    return completeLogger(this.#given.logger);
  }

  /** The plans of the app, by name. */
  get billing(): object | undefined {
    return this.#given.billing;
  }

  /** The typed resources of the app, as they were given: not bound to it. */
  get restResources(): object | undefined {
    return this.#given.restResources;
  }

  /** The session storage that the app was given, unless it was given a function that makes one. */
  get sessionStorage(): object | undefined {
    const { sessionStorage } = this.#given;
    return typeof sessionStorage === 'function' ? undefined : sessionStorage;
  }

  /** Host of the app, such as `app.example.com`, with its port when it has one. */
  get hostName(): string {
    return new URL(this.appUrl).host;
  }

  /** Scheme of the app's own URL. */
  get hostScheme(): 'http' | 'https' {
    return this.appUrl.startsWith('https:') ? 'https' : 'http';
  }

  /** The app's current secret. */
  get apiSecretKey(): string {
    return this.#secrets[0] ?? '';
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
  get privateAppStorefrontAccessToken(): string | undefined {
    return this.isCustomStoreApp ? this.#storefrontAccessToken : undefined;
  }

  /** True for an app created in the admin of one store. */
  get isCustomStoreApp(): boolean {
    return this.distribution === AppDistribution.PlatformAdmin;
  }

  /** The path of the cookie that carries a session outside the admin. */
  cookiePath(session: { readonly shop: string }): string {
    const { cookiePath = '/' } = this.#given;
    return typeof cookiePath === 'string' ? cookiePath : cookiePath(session);
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

  /** A page of the admin of a shop, by its path there, such as `/products`. */
  adminPage(shop: string, path: string): string {
    const address = this.#shopOrigin ? null : legacyUrlToShopAdminUrl(shop);
    return address === null ? `${this.shopOrigin(shop)}/admin${path}` : `https://${address}${path}`;
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

type BasePath = 'belowBasePath' | 'basePath';

/**
 * The resolved paths. A host that mounts the app below a prefix (Nest's global prefix) says so once
 * with {@link mount}.
 */
export class PlatformPaths {
  readonly #paths: Readonly<Record<PathName, string>>;
  #mounted: (path: string, name: PathName) => string = (path) => this.conventions.basePath + path;

  constructor(
    options: PathOptions = {},
    private readonly conventions: Pick<PageConventions, BasePath> = DEFAULT_CONVENTIONS,
  ) {
    const paths = Object.entries(completePaths(options));
    this.#paths = Object.fromEntries(
      paths.map(([name, path]) => [name, normalizedPath(path)]),
    ) as Record<PathName, string>;
  }

  /** From now on every path is what `mounted` makes of it. */
  mount(mounted: (path: string, name: PathName) => string): void {
    this.#mounted = mounted;
  }

  get auth(): string {
    return this.#mounted(this.#paths.auth, 'auth');
  }
  get authCallback(): string {
    return this.#mounted(this.#paths.authCallback, 'authCallback');
  }
  get exitIframe(): string {
    return this.#mounted(this.#paths.exitIframe, 'exitIframe');
  }
  get sessionToken(): string {
    return this.#mounted(this.#paths.sessionToken, 'sessionToken');
  }
  get webhooks(): string {
    return this.#mounted(this.#paths.webhooks, 'webhooks');
  }

  /** A path of the app below its base path, which it may have already; a query stays. */
  page(path: string): string {
    const base = this.conventions.basePath;
    const isBelow = path === base || /^[/?#]/.test(path.slice(base.length));
    return base === '' || (isBelow && path.startsWith(base)) ? path : base + path;
  }

  /**
   * Where a path is mounted at which a webhook handler gets its deliveries; a query stays as it is.
   */
  mountedWebhook(target: string): string {
    const [path = ''] = target.split('?', 1);
    return this.#mounted(path, 'webhooks') + target.slice(path.length);
  }

  /** Every path by name, before it is mounted anywhere. */
  entries(): [PathName, string][] {
    return Object.entries(this.#paths) as [PathName, string][];
  }

  /** Which of the paths this is, if any; a trailing slash makes no difference. */
  match(pathname: string): PathName | undefined {
    const path = normalizedPath(pathname);
    return (
      NAMES.find((name) => this[name] === path) ??
      HELPER_PAGES.find((name) => this.isAt(path, this[name]))
    );
  }

  /** True when a request is for `path`, by the conventions of the host also below a base path. */
  isAt(pathname: string, path: string): boolean {
    // Every path with a slash at its end ends like that of the root.
    const { belowBasePath } = this.conventions;
    return pathname === path || (belowBasePath && path !== '/' && pathname.endsWith(path));
  }
}

const NAMES = ['auth', 'authCallback', 'exitIframe', 'sessionToken', 'webhooks'] as const;

const HELPER_PAGES = ['exitIframe', 'sessionToken'] as const;

/** A path as paths are compared: with a slash in front and none at its end. */
export function normalizedPath(path: string): string {
  const trimmed = withoutTrailingSlashes(path);
  return trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
}
