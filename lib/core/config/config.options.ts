import type { ApiVersion } from '../api-version.js';
import type { Clock } from '../time/clock.js';
import type { LoggerOption } from '../logger.js';
import type { PacingOption } from '../pacing/pacing-option.js';
import type { ScopesLike } from '../scopes.js';
import { withoutTrailingSlashes } from '../shop-domain.js';
import { ENVIRONMENT } from '../vendor.js';
import type { FutureFlags } from './future-flags.js';

/** How the app reaches its merchants. */
export enum AppDistribution {
  /** A public app. */
  AppStore = 'app_store',
  /** An app for one merchant, installed over OAuth. */
  SingleMerchant = 'single_merchant',
  /** A custom app created in the admin of one store: it has a fixed token and no OAuth. */
  PlatformAdmin = 'shopify_admin',
  /** The same as {@link PlatformAdmin}, under the name the ecosystem knows. */
  ShopifyAdmin = 'shopify_admin',
}

/**
 * Whose session a request gets: that of its user (`online`), or the app's own in the shop
 * (`offline`).
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens
 */
export type AccessMode = 'online' | 'offline';

/** The path of the cookie of a session; declared so that a function of a `Session` fits, too. */
type CookiePathOf = {
  of(session: { readonly shop: string }): string;
}['of'];

/** What every feature needs to know about the app. Features add their own options to these. */
export interface ConfigOptions {
  /** The app's client id. @default environment `PLATFORM_API_KEY`, `SHOPIFY_API_KEY` */
  readonly apiKey?: string | undefined;
  /**
   * The app's client secret; a list while one is being rotated, current first. @default environment
   * `PLATFORM_API_SECRET`, `SHOPIFY_API_SECRET`, and behind it that of `PLATFORM_API_SECRET_OLD`,
   * `SHOPIFY_API_SECRET_OLD`
   */
  readonly apiSecretKey?: string | readonly string[] | undefined;
  /** Access scopes the app asks for. @default environment `SCOPES` (comma-separated), else none */
  readonly scopes?: ScopesLike;
  /**
   * Public URL of the app, with scheme; only its origin counts. @default environment `HOST`,
   * `PLATFORM_APP_URL`, `SHOPIFY_APP_URL`
   */
  readonly appUrl?: string | undefined;
  /** Version of the platform's APIs, such as `ApiVersion.July26` or `'2026-07'`. */
  readonly apiVersion: ApiVersion | (string & {});
  /** The app is shown inside the admin. @default true */
  readonly isEmbeddedApp?: boolean | undefined;
  /**
   * Requests of a user are made with that user's own token; an offline token is kept besides.
   * @default false
   */
  readonly useOnlineTokens?: boolean | undefined;
  /**
   * Offline tokens are asked for that live an hour and come with a refresh token; the toolkit
   * renews them. What is stored already stays as it is until it is migrated. @default true
   */
  readonly expiringOfflineAccessTokens?: boolean | undefined;
  /** @default AppDistribution.AppStore */
  readonly distribution?: AppDistribution | undefined;
  /** The fixed token of a custom app; only with `AppDistribution.PlatformAdmin`. */
  readonly adminApiAccessToken?: string | undefined;
  /**
   * The fixed token a custom app calls the Storefront interface with; only with
   * `AppDistribution.PlatformAdmin`.
   */
  readonly privateAppStorefrontAccessToken?: string | undefined;
  /**
   * What a GraphQL mutation refuses (`userErrors`): it stays data of the answer, or is thrown as
   * `UserErrorsError`. @default 'return'
   */
  readonly userErrors?: 'return' | 'throw' | undefined;
  /** Put in front of the toolkit's own `User-Agent`. */
  readonly userAgentPrefix?: string | undefined;
  /**
   * Which requests the session cookie of an app outside the admin comes along with: a path, or a
   * function that answers the path of a session, for apps whose shops each have one. @default '/'
   */
  readonly cookiePath?: string | CookiePathOf | undefined;
  /** Flags of the platform's own packages, for apps that come from them. */
  readonly future?: FutureFlags | undefined;
  /** Accepted for compatibility: clients can be made wherever the toolkit runs. */
  readonly isTesting?: boolean | undefined;
  readonly paths?: PathOptions | undefined;
  /**
   * A page of the app where merchants type the domain of their shop: page loads that name none are
   * sent there. @default none
   */
  readonly loginPath?: string | undefined;
  /** Longest webhook body that is accepted, in bytes. @default 5 MB */
  readonly webhookBodyLimit?: number | undefined;
  /**
   * Memory that the webhook bodies which are being received may take together, in bytes; of several
   * apps in a process, the largest counts for all. @default 64 MB
   */
  readonly webhookBodyMemoryLimit?: number | undefined;
  /**
   * Where a shop is reached: every URL toward a shop, fetched or redirected to, begins with it. For
   * stores that are not on the internet, such as a `DevStore`. @default environment
   * `SHOPWRIGHT_DEV_STORE` (never in production), else (shop) => `https://${shop}`
   */
  readonly shopOrigin?: ((shop: string) => string) | undefined;
  /** Used for every request to the platform. @default the global `fetch`, looked up at each call */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;
  readonly logger?: LoggerOption | undefined;
  /**
   * Holds calls back so that the platform refuses none: counted in this process (`'memory'`), in
   * all processes that use one Redis (`{ redis }`), or not at all (`false`). @default 'memory'
   */
  readonly pacing?: PacingOption | undefined;
}

const MEGABYTE = 1024 * 1024;

/** How long one webhook body may be, and all of them together, in bytes. */
export function webhookBodyLimits({
  webhookBodyLimit = 5 * MEGABYTE,
  webhookBodyMemoryLimit = Math.max(64 * MEGABYTE, webhookBodyLimit),
}: Pick<ConfigOptions, 'webhookBodyLimit' | 'webhookBodyMemoryLimit'>) {
  return { webhookBodyLimit, webhookBodyMemoryLimit };
}

/** Options of features, which the config keeps for whoever reads it. */
export interface FeatureOptions {
  readonly billing?: object | undefined;
  readonly restResources?: object | undefined;
  readonly sessionStorage?: object | undefined;
}

/** Where defaults are read from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The first of the variables of `name` that is set, trimmed. */
export function fromEnvironment(
  environment: Environment,
  name: keyof typeof ENVIRONMENT,
): string | undefined {
  return ENVIRONMENT[name].map((variable) => environment[variable]?.trim()).find((value) => value);
}

/** Where the toolkit answers by itself, as paths on the app's origin. */
export interface PathOptions {
  /** Start of the OAuth grant. @default '/auth' */
  readonly auth?: string | undefined;
  /** End of the OAuth grant. @default `<auth>/callback` */
  readonly authCallback?: string | undefined;
  /** The page that leaves the admin's frame. @default '/exitiframe' */
  readonly exitIframe?: string | undefined;
  /** The page that fetches a fresh session token and returns. @default `<auth>/session-token` */
  readonly sessionToken?: string | undefined;
  /** Where deliveries arrive. @default '/webhooks' */
  readonly webhooks?: string | undefined;
}

/** What the path of each answer is called. */
export type PathName = keyof PathOptions;

/** Every path, as the app has written it or by its default. */
export function completePaths({
  auth = '/auth',
  authCallback = `${withoutTrailingSlashes(auth)}/callback`,
  exitIframe = '/exitiframe',
  sessionToken = `${withoutTrailingSlashes(auth)}/session-token`,
  webhooks = '/webhooks',
}: PathOptions): Readonly<Record<PathName, string>> {
  return { auth, authCallback, exitIframe, sessionToken, webhooks };
}
