import type { ExtensionSurface, FulfillmentNotificationKind } from './base/extension-factories.js';
import type { ApiLimits } from './base/rate-limits.js';
import type { StoreEvent } from './base/store-event.js';
import type { AccessToken, TokenPair } from './state/apps/access-token.js';
import type { ExtensionTokenOptions, FlowAction } from './state/apps/app-request.js';
import type { Installation } from './state/apps/installation.js';
import type { StorefrontTokenKind } from './state/apps/storefront-tokens.js';
import type { TokenRequest, TokenRequestHook } from './state/apps/token-request.js';
import type { ShopBilling } from './state/billing/shop-billing.js';
import type {
  BulkDuration,
  BulkErrorCode,
  BulkFile,
  BulkOperation,
} from './state/bulk/bulk-operation.js';
import type { ShopNodes } from './state/nodes/shop-nodes.js';
import type { Product, ProductChange, ProductInput } from './state/products/product.js';
import type { ShopUser } from './state/shop/shop-identity.js';
import type { WebhookDelivery } from './state/webhooks/webhook-delivery.js';
import type { WebhookSubscription } from './state/webhooks/webhook-subscription.js';

/** One simulated shop: its products and apps, and what a test can do with them. */
export interface DevShop {
  /** e.g. `dev-shop.myshopify.com` */
  readonly domain: string;
  readonly name: string;
  /** Email address of the shop and its owner. */
  readonly email: string;
  /** The shop's number on the platform. */
  readonly id: number;
  /** The person who uses the admin. */
  readonly user: ShopUser;
  /** The code of its currency. */
  readonly currency: string;
  /** The code of its country. */
  readonly country: string;
  readonly createdAt: Date;
  /** Where it listens, e.g. `http://localhost:4000`. */
  readonly origin: string;
  /** The shop's products, in the order of their ids. */
  readonly products: readonly Product[];
  /** What has no rules of its own, such as customers and orders; a test may add to it. */
  readonly nodes: ShopNodes;
  /** The charges of the apps, and the merchant's decisions about them. */
  readonly billing: ShopBilling;
  /** The last thousand requests to the token endpoint, oldest first. */
  readonly tokenRequests: TokenRequest[];
  /** Intercepts the responses of the token endpoint, to delay, replace or drop them. */
  onTokenRequest: TokenRequestHook | undefined;
  /** The webhook subscriptions of all apps. */
  readonly subscriptions: readonly WebhookSubscription[];
  /** The apps that are installed. */
  readonly installations: readonly Installation[];
  /** The bulk operations of all apps, oldest first. */
  readonly bulkOperations: readonly BulkOperation[];
  /**
   * The rate limits of each app. An assignment takes effect at once, as after a change of plan;
   * limits that it omits stay.
   */
  get limits(): ApiLimits;
  set limits(limits: Partial<ApiLimits>);
  /**
   * How long a bulk operation runs: milliseconds, or `'manual'` to run until
   * `completeBulkOperations()`. Applies to operations that start from now on.
   */
  bulkDuration: BulkDuration;
  /** The last 500 events, oldest first. */
  readonly events: readonly StoreEvent[];
  /** The installation of an app; undefined when it is not installed. */
  installation(apiKey: string): Installation | undefined;
  /** True when an app is installed with all of the scopes. */
  hasGranted(apiKey: string, scopes: readonly string[]): boolean;
  /**
   * Installs an app, or grants an installed one other scopes, as a merchant would on the consent
   * page. From then on it may exchange session tokens.
   * @returns the offline access token, which does not expire
   * @throws TypeError when the app is unknown or a scope is malformed
   */
  install(apiKey: string, options: { scopes: readonly string[] | string }): string;
  /**
   * Changes the scopes of an installed app, as the grant page and the app itself can: its tokens
   * cover them at once, and `app/scopes_update` is delivered.
   * @throws TypeError when the app is not installed or a scope is malformed
   */
  setScopes(apiKey: string, scopes: readonly string[] | string): void;
  /**
   * Removes an app: its tokens stop working, `app/uninstalled` is delivered, its subscriptions are
   * deleted. Resolves when the delivery has succeeded or finally failed.
   */
  uninstall(apiKey: string): Promise<WebhookDelivery[]>;
  /**
   * Removes an app without notifying it: the returned function delivers `app/uninstalled`, with the
   * time of the uninstall, each time it is called. Call it after the app was installed again to
   * simulate a late delivery.
   */
  uninstallWithDeferredWebhook(apiKey: string): () => Promise<WebhookDelivery[]>;
  /**
   * Revokes every token of an app that stays installed, refresh tokens included: the Admin API
   * responds with 401. @throws TypeError when the app is unknown
   */
  revokeTokens(apiKey: string): void;
  /**
   * Expires every expiring access token of an app now; refresh tokens stay valid. @throws TypeError
   * when the app is unknown
   */
  expireTokens(apiKey: string): void;
  /**
   * Expires the refresh tokens of an app now; access tokens stay valid. @throws TypeError when the
   * app is unknown
   */
  expireRefreshTokens(apiKey: string): void;
  /**
   * A new expiring token and its refresh token for the scopes that are granted, as the token
   * endpoint issues them; they end the previous pair. @throws TypeError when the app is not
   * installed
   */
  issueExpiringTokens(apiKey: string): TokenPair;
  /** A new token of the shop's user. @throws TypeError when the app is not installed */
  issueOnlineToken(apiKey: string): AccessToken;
  /** An access token by its text; undefined when it is unknown, was revoked or has expired. */
  accessToken(text: string): AccessToken | undefined;
  /**
   * Sends a signed webhook to the subscriptions of a topic, in either spelling. Resolves when each
   * delivery has succeeded or finally failed.
   * @throws TypeError when there is no such topic
   */
  deliver(
    topic: string,
    payload: unknown,
    options?: { apiKey?: string },
  ): Promise<WebhookDelivery[]>;
  /**
   * Sends `customers/data_request` about a customer, as a merchant can. Resolves when each delivery
   * has succeeded or finally failed. @param customerId global id or number
   * @throws TypeError when there is no such customer
   */
  requestCustomerData(customerId: string | number): Promise<WebhookDelivery[]>;
  /** Adds a product and notifies the apps, without waiting for them. */
  createProduct(input: ProductInput): ProductChange;
  /**
   * Changes a product and notifies the apps, without waiting for them. Undefined when there is no
   * such product.
   */
  updateProduct(id: number, input: ProductInput): ProductChange | undefined;
  /**
   * Removes a product and notifies the apps, without waiting for them. Returns whether there was
   * one.
   */
  deleteProduct(id: number): boolean;
  /**
   * Completes every bulk operation that is in progress. Resolves when the apps have been notified.
   */
  completeBulkOperations(): Promise<void>;
  /**
   * Fails every bulk operation that is in progress. @param partialLines how many lines of the
   * result are kept as partial data
   */
  failBulkOperations(errorCode?: BulkErrorCode, partialLines?: number): Promise<void>;
  /**
   * Uses a custom file as the result of every bulk query from now on, such as one that is too large
   * for memory; undefined for the real result. `open` is called for each download; when the stream
   * throws, the download is aborted. Only a file of known `size` (bytes) can be resumed.
   */
  serveBulkFile(file: (BulkFile & { readonly objectCount?: number | undefined }) | undefined): void;
  /** A new token for the Storefront API. @param scopes default: the products and carts */
  storefrontToken(kind?: StorefrontTokenKind, scopes?: readonly string[]): string;
  /**
   * A session token of the shop's user for an app, valid for 60 seconds; `overrides` replace
   * claims. @throws TypeError when the app is unknown
   */
  sessionToken(apiKey: string, overrides?: Record<string, unknown>): string;
  /**
   * The URL at which the admin opens an embedded app in its frame, signed and with a session token.
   * @throws TypeError when the app is unknown
   */
  embeddedUrl(apiKey: string, path?: string): string;
  /**
   * A session token of an extension in checkout, in a customer account or at the point of sale.
   * @throws TypeError when the app is unknown
   */
  extensionToken(
    apiKey: string,
    surface: ExtensionSurface,
    options?: ExtensionTokenOptions,
  ): string;
  /**
   * Runs an action of Flow: one signed request to a path of the app. Resolves with its answer,
   * whatever its status. @throws TypeError when the app is unknown; what `fetch` throws
   */
  runFlowAction(apiKey: string, path: string, action?: FlowAction): Promise<Response>;
  /**
   * Notifies an app's fulfillment service, whose callback URL has the path: one signed request to
   * `<path>/fulfillment_order_notification`. Resolves with its answer, whatever its status.
   * @throws TypeError when the app is unknown; what `fetch` throws
   */
  notifyFulfillmentService(
    apiKey: string,
    path: string,
    kind?: FulfillmentNotificationKind,
  ): Promise<Response>;
  /** The customer who is logged in to the storefront, for app proxies; undefined for nobody. */
  customerId: number | string | undefined;
  /**
   * The app's own URL to which the platform forwards a visitor's request to the app proxy, signed.
   * @param path and query behind the proxy's prefix, e.g. `/reviews?page=2`
   * @throws TypeError when the app is unknown or has no app proxy
   */
  appProxyUrl(apiKey: string, path?: string): string;
  /**
   * The app's own URL with the signed parameters that the admin adds when a merchant opens the app
   * outside the frame.
   */
  launchUrl(apiKey: string, path?: string): string;
}
