import type { AppProxyOptions } from './app-proxy.js';
import type { DeclaredDefinitions } from './custom-data.js';

/** An app, as its developer would register it with the platform. */
export interface DevApp {
  apiKey: string;
  apiSecretKey: string;
  /** Where the app is served, with its scheme, e.g. `http://localhost:3000`. */
  appUrl: string;
  /** @default 'Your app' */
  name?: string;
  /** The redirect URLs the store accepts. @default any address on the app's origin */
  redirectUrls?: string[];
  /** Whether the app opens inside the admin. @default true */
  embedded?: boolean;
  /**
   * Whether the shops belong to the app's developer, so that the app may use the client credentials
   * grant. @default false
   */
  clientCredentials?: boolean;
  /**
   * Whether the admin installs the app itself, with the `scopes` of its configuration, before it
   * opens it. @default false: the app asks for its scopes over OAuth
   * @see https://shopify.dev/docs/apps/build/authentication-authorization/app-installation
   */
  managedInstallation?: boolean;
  /**
   * The scopes its configuration requires. @default the scopes it is installed with, except the
   * optional ones
   */
  scopes?: readonly string[];
  /**
   * The optional scopes of its configuration: it may request them later and revoke them.
   * @default []
   */
  optionalScopes?: readonly string[];
  /**
   * The app proxy of its configuration: addresses of the storefront that the app answers.
   * @default none
   */
  appProxy?: AppProxyOptions;
  /**
   * The webhook subscriptions of its configuration: they are delivered in every shop that has
   * installed it, and no API lists them. @default []
   */
  webhooks?: readonly ConfiguredWebhook[];
  /**
   * The definitions of its configuration file, as they stand there: `[product.metafields.app.…]`,
   * `[metaobjects.app.…]`. The whole of a parsed `shopify.app.toml` will do. @default none
   */
  definitions?: DeclaredDefinitions;
}

/** A webhook subscription of an app's configuration. */
export interface ConfiguredWebhook {
  /** In either spelling; topics of privacy requests as well. */
  topic: string;
  /** An address, or a path below the app's URL. */
  uri: string;
  /** Top-level fields of the payload. @default all */
  includeFields?: readonly string[];
  /** @default '2026-07' */
  apiVersion?: string;
}
