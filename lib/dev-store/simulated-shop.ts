import type { ExtensionSurface, FulfillmentNotificationKind } from './base/extension-factories.js';
import type { ApiLimits } from './base/rate-limits.js';
import type { StoreEvent } from './base/store-event.js';
import type { DevShop } from './dev-shop.js';
import type { AccessToken, TokenPair } from './state/apps/access-token.js';
import type { ExtensionTokenOptions, FlowAction } from './state/apps/app-request.js';
import type { Installation } from './state/apps/installation.js';
import type { StorefrontTokenKind } from './state/apps/storefront-tokens.js';
import type {
  BulkDuration,
  BulkErrorCode,
  BulkFile,
  BulkOperation,
} from './state/bulk/bulk-operation.js';
import type { Product, ProductChange, ProductInput } from './state/products/product.js';
import { ShopState } from './state/shop-state.js';
import type { WebhookDelivery } from './state/webhooks/webhook-delivery.js';
import type { WebhookSubscription } from './state/webhooks/webhook-subscription.js';

/** What tokens of a storefront may do by default. */
const STOREFRONT_SCOPES = [
  'unauthenticated_read_product_listings',
  'unauthenticated_write_checkouts',
];

/** A shop as the store keeps it, with what {@link DevShop} lets a test do. */
export class SimulatedShop extends ShopState implements DevShop {
  get products(): readonly Product[] {
    return this.catalog.all();
  }

  get subscriptions(): readonly WebhookSubscription[] {
    return this.webhooks.all();
  }

  get installations(): readonly Installation[] {
    return this.installed.all();
  }

  get bulkOperations(): readonly BulkOperation[] {
    return this.bulk.all();
  }

  get limits(): ApiLimits {
    return this.buckets.limits;
  }

  set limits(limits: Partial<ApiLimits>) {
    this.buckets.change(limits);
  }

  get bulkDuration(): BulkDuration {
    return this.bulk.duration;
  }

  set bulkDuration(duration: BulkDuration) {
    this.bulk.duration = duration;
  }

  get events(): readonly StoreEvent[] {
    return this.log.entries;
  }

  installation(apiKey: string): Installation | undefined {
    return this.installed.find(apiKey);
  }

  hasGranted(apiKey: string, scopes: readonly string[]): boolean {
    return this.installed.hasGranted(apiKey, scopes);
  }

  install(apiKey: string, options: { scopes: readonly string[] | string }): string {
    return this.installed.install(apiKey, options.scopes);
  }

  setScopes(apiKey: string, scopes: readonly string[] | string): void {
    this.installed.setScopes(apiKey, scopes);
  }

  async uninstall(apiKey: string): Promise<WebhookDelivery[]> {
    return this.uninstallWithDeferredWebhook(apiKey)();
  }

  uninstallWithDeferredWebhook(apiKey: string): () => Promise<WebhookDelivery[]> {
    return this.installed.uninstall(apiKey);
  }

  revokeTokens(apiKey: string): void {
    this.tokens.revoke(this.platform.apps.require(apiKey).apiKey);
  }

  expireTokens(apiKey: string): void {
    this.tokens.expire(this.platform.apps.require(apiKey).apiKey);
  }

  expireRefreshTokens(apiKey: string): void {
    this.tokens.expireRefresh(this.platform.apps.require(apiKey).apiKey);
  }

  issueExpiringTokens(apiKey: string): TokenPair {
    return this.tokens.expiring(apiKey, this.installed.require(apiKey).scopes);
  }

  issueOnlineToken(apiKey: string): AccessToken {
    return this.tokens.online(apiKey, this.installed.require(apiKey).scopes);
  }

  accessToken(text: string): AccessToken | undefined {
    return this.tokens.find(text);
  }

  async deliver(
    topic: string,
    payload: unknown,
    options: { apiKey?: string } = {},
  ): Promise<WebhookDelivery[]> {
    return this.dispatcher.deliver(topic, payload, options);
  }

  async requestCustomerData(customerId: string | number): Promise<WebhookDelivery[]> {
    return this.privacy.requestData(customerId);
  }

  createProduct(input: ProductInput): ProductChange {
    return this.catalog.create(input);
  }

  updateProduct(id: number, input: ProductInput): ProductChange | undefined {
    return this.catalog.update(id, input);
  }

  deleteProduct(id: number): boolean {
    return this.catalog.delete(id);
  }

  async completeBulkOperations(): Promise<void> {
    await this.bulk.complete();
  }

  async failBulkOperations(
    errorCode: BulkErrorCode = 'INTERNAL_SERVER_ERROR',
    partialLines = 0,
  ): Promise<void> {
    await this.bulk.fail(errorCode, partialLines);
  }

  serveBulkFile(
    file: (BulkFile & { readonly objectCount?: number | undefined }) | undefined,
  ): void {
    this.bulk.served = file;
  }

  storefrontToken(
    kind: StorefrontTokenKind = 'public',
    scopes: readonly string[] = STOREFRONT_SCOPES,
  ): string {
    return this.storefront.issue(kind, scopes);
  }

  sessionToken(apiKey: string, overrides: Record<string, unknown> = {}): string {
    return this.opener.sessionToken(apiKey, overrides);
  }

  embeddedUrl(apiKey: string, path = ''): string {
    return this.opener.embeddedUrl(apiKey, path);
  }

  extensionToken(
    apiKey: string,
    surface: ExtensionSurface,
    options: ExtensionTokenOptions = {},
  ): string {
    return this.requests.extensionToken(apiKey, surface, options);
  }

  async runFlowAction(apiKey: string, path: string, action: FlowAction = {}): Promise<Response> {
    return this.requests.flowAction(apiKey, path, action);
  }

  async notifyFulfillmentService(
    apiKey: string,
    path: string,
    kind: FulfillmentNotificationKind = 'FULFILLMENT_REQUEST',
  ): Promise<Response> {
    return this.requests.fulfillmentNotification(apiKey, path, kind);
  }

  get customerId(): number | string | undefined {
    return this.requests.customerId;
  }

  set customerId(id: number | string | undefined) {
    this.requests.customerId = id;
  }

  appProxyUrl(apiKey: string, path = ''): string {
    return this.requests.proxyUrl(apiKey, path);
  }

  launchUrl(apiKey: string, path = ''): string {
    return this.opener.launchUrl(apiKey, path);
  }
}
