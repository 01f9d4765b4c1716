import type { ApiLimits } from './base/api-limits.js';
import type { StoreEvent } from './base/event-log.js';
import type { ExtensionSurface, FulfillmentNotificationKind } from './base/extension-factories.js';
import type { ExtensionTokenOptions, FlowAction } from './state/apps/app-requests.js';
import type { Installation } from './state/apps/installations.js';
import type { StorefrontTokenKind } from './state/apps/storefront-tokens.js';
import type {
  BulkDuration,
  BulkErrorCode,
  BulkFile,
  BulkOperation,
} from './state/bulk/bulk-operation.js';
import type { Product, ProductChange, ProductInput } from './state/products/product.js';
import { ShopState } from './state/shop-state.js';
import type { WebhookSubscription } from './state/webhooks/webhook-subscriptions.js';
import type { WebhookDelivery } from './state/webhooks/webhook.simulator.js';

/** What tokens of a storefront may do by default. */
const STOREFRONT_SCOPES = [
  'unauthenticated_read_product_listings',
  'unauthenticated_write_checkouts',
];

/** One simulated shop: its products and apps, and what a test can do with them. */
export class DevShop extends ShopState {
  /** The shop's products, in the order of their ids. */
  get products(): readonly Product[] {
    return this.catalog.all();
  }

  /** The webhook subscriptions of all apps. */
  get subscriptions(): readonly WebhookSubscription[] {
    return this.webhooks.all();
  }

  get installations(): readonly Installation[] {
    return this.installed.all();
  }

  /** The bulk operations of all apps, oldest first. */
  get bulkOperations(): readonly BulkOperation[] {
    return this.bulk.all();
  }

  /**
   * The rate limits of each app. An assignment takes effect at once, as after a change of plan;
   * limits that it omits stay.
   */
  get limits(): ApiLimits {
    return this.buckets.limits;
  }

  set limits(limits: Partial<ApiLimits>) {
    this.buckets.change(limits);
  }

  /**
   * How long a bulk operation runs: milliseconds, or `'manual'` to run until
   * `completeBulkOperations()`. Applies to operations that start from now on.
   */
  get bulkDuration(): BulkDuration {
    return this.bulk.duration;
  }

  set bulkDuration(duration: BulkDuration) {
    this.bulk.duration = duration;
  }

  /** The last 500 events, oldest first. */
  get events(): readonly StoreEvent[] {
    return this.log.entries;
  }

  installation(apiKey: string): Installation | undefined {
    return this.installed.find(apiKey);
  }

  /** True when an app is installed with all of the scopes. */
  hasGranted(apiKey: string, scopes: readonly string[]): boolean {
    return this.installed.hasGranted(apiKey, scopes);
  }

  /**
   * Installs an app, or grants an installed one other scopes, as a merchant would on the consent
   * page. From then on it may exchange session tokens.
   * @returns the offline access token, which does not expire
   * @throws TypeError when the app is unknown or a scope is malformed
   */
  install(apiKey: string, options: { scopes: readonly string[] | string }): string {
    return this.installed.install(apiKey, options.scopes);
  }

  /**
   * Changes the scopes of an installed app, as the grant page and the app itself can: its tokens
   * cover them at once, and `app/scopes_update` is delivered.
   * @throws TypeError when the app is not installed or a scope is malformed
   */
  setScopes(apiKey: string, scopes: readonly string[] | string): void {
    this.installed.setScopes(apiKey, scopes);
  }

  /**
   * Removes an app: its tokens stop working, `app/uninstalled` is delivered, its subscriptions are
   * deleted. Resolves when the delivery has succeeded or finally failed.
   */
  async uninstall(apiKey: string): Promise<WebhookDelivery[]> {
    return this.uninstallWithDeferredWebhook(apiKey)();
  }

  /**
   * Removes an app without notifying it: the returned function delivers `app/uninstalled`, with the
   * time of the uninstall, each time it is called. Call it after the app was installed again to
   * simulate a late delivery.
   */
  uninstallWithDeferredWebhook(apiKey: string): () => Promise<WebhookDelivery[]> {
    return this.installed.uninstall(apiKey);
  }

  /**
   * Revokes every token of an app that stays installed, refresh tokens included: the Admin API
   * responds with 401. @throws TypeError when the app is unknown
   */
  revokeTokens(apiKey: string): void {
    this.tokens.revoke(this.platform.apps.require(apiKey).apiKey);
  }

  /**
   * Expires every expiring access token of an app now; refresh tokens stay valid. @throws TypeError
   * when the app is unknown
   */
  expireTokens(apiKey: string): void {
    this.tokens.expire(this.platform.apps.require(apiKey).apiKey);
  }

  /**
   * Expires the refresh tokens of an app now; access tokens stay valid. @throws TypeError when the
   * app is unknown
   */
  expireRefreshTokens(apiKey: string): void {
    this.tokens.expireRefresh(this.platform.apps.require(apiKey).apiKey);
  }

  /**
   * Sends a signed webhook to the subscriptions of a topic, in either spelling. Resolves when each
   * delivery has succeeded or finally failed.
   * @throws TypeError when there is no such topic
   */
  async deliver(
    topic: string,
    payload: unknown,
    options: { apiKey?: string } = {},
  ): Promise<WebhookDelivery[]> {
    return this.dispatcher.deliver(topic, payload, options);
  }

  /**
   * Sends `customers/data_request` about a customer, as a merchant can. Resolves when each delivery
   * has succeeded or finally failed. @param customerId global id or number
   * @throws TypeError when there is no such customer
   */
  async requestCustomerData(customerId: string | number): Promise<WebhookDelivery[]> {
    return this.privacy.requestData(customerId);
  }

  /** Adds a product and notifies the apps, without waiting for them. */
  createProduct(input: ProductInput): ProductChange {
    return this.catalog.create(input);
  }

  /**
   * Changes a product and notifies the apps, without waiting for them. Undefined when there is no
   * such product.
   */
  updateProduct(id: number, input: ProductInput): ProductChange | undefined {
    return this.catalog.update(id, input);
  }

  /**
   * Removes a product and notifies the apps, without waiting for them. Returns whether there was
   * one.
   */
  deleteProduct(id: number): boolean {
    return this.catalog.delete(id);
  }

  /**
   * Completes every bulk operation that is in progress. Resolves when the apps have been notified.
   */
  async completeBulkOperations(): Promise<void> {
    await this.bulk.complete();
  }

  /**
   * Fails every bulk operation that is in progress. @param partialLines how many lines of the
   * result are kept as partial data
   */
  async failBulkOperations(
    errorCode: BulkErrorCode = 'INTERNAL_SERVER_ERROR',
    partialLines = 0,
  ): Promise<void> {
    await this.bulk.fail(errorCode, partialLines);
  }

  /**
   * Uses a custom file as the result of every bulk query from now on, such as one that is too large
   * for memory; undefined for the real result. `open` is called for each download; when the stream
   * throws, the download is aborted. Only a file of known `size` (bytes) can be resumed.
   */
  serveBulkFile(
    file: (BulkFile & { readonly objectCount?: number | undefined }) | undefined,
  ): void {
    this.bulk.served = file;
  }

  /** A new token for the Storefront API. @param scopes default: the products and carts */
  storefrontToken(
    kind: StorefrontTokenKind = 'public',
    scopes: readonly string[] = STOREFRONT_SCOPES,
  ): string {
    return this.storefront.issue(kind, scopes);
  }

  /**
   * A session token of the shop's user for an app, valid for 60 seconds; `overrides` replace
   * claims. @throws TypeError when the app is unknown
   */
  sessionToken(apiKey: string, overrides: Record<string, unknown> = {}): string {
    return this.opener.sessionToken(apiKey, overrides);
  }

  /**
   * The URL at which the admin opens an embedded app in its frame, signed and with a session token.
   * @throws TypeError when the app is unknown
   */
  embeddedUrl(apiKey: string, path = ''): string {
    return this.opener.embeddedUrl(apiKey, path);
  }

  /**
   * A session token of an extension in checkout, in a customer account or at the point of sale.
   * @throws TypeError when the app is unknown
   */
  extensionToken(
    apiKey: string,
    surface: ExtensionSurface,
    options: ExtensionTokenOptions = {},
  ): string {
    return this.requests.extensionToken(apiKey, surface, options);
  }

  /**
   * Runs an action of Flow: one signed request to a path of the app. Resolves with its answer,
   * whatever its status. @throws TypeError when the app is unknown; what `fetch` throws
   */
  async runFlowAction(apiKey: string, path: string, action: FlowAction = {}): Promise<Response> {
    return this.requests.flowAction(apiKey, path, action);
  }

  /**
   * Notifies an app's fulfillment service, whose callback URL has the path: one signed request to
   * `<path>/fulfillment_order_notification`. Resolves with its answer, whatever its status. @throws
   * TypeError when the app is unknown; what `fetch` throws
   */
  async notifyFulfillmentService(
    apiKey: string,
    path: string,
    kind: FulfillmentNotificationKind = 'FULFILLMENT_REQUEST',
  ): Promise<Response> {
    return this.requests.fulfillmentNotification(apiKey, path, kind);
  }

  /** The customer who is logged in to the storefront, for app proxies; undefined for nobody. */
  get customerId(): number | string | undefined {
    return this.requests.customerId;
  }

  set customerId(id: number | string | undefined) {
    this.requests.customerId = id;
  }

  /**
   * The app's own URL to which the platform forwards a visitor's request to the app proxy, signed.
   * @param path and query behind the proxy's prefix, e.g. `/reviews?page=2`
   * @throws TypeError when the app is unknown or has no app proxy
   */
  appProxyUrl(apiKey: string, path = ''): string {
    return this.requests.proxyUrl(apiKey, path);
  }

  /**
   * The app's own URL with the signed parameters that the admin adds when a merchant opens the app
   * outside the frame.
   */
  launchUrl(apiKey: string, path = ''): string {
    return this.opener.launchUrl(apiKey, path);
  }
}
