import { AccessTokens } from './state/apps/access-tokens.js';
import { ApiBuckets, checkedLimits, type ApiLimits } from './base/api-limits.js';
import { AppOpener } from './state/apps/app-opener.js';
import type { RegisteredApp } from './base/app-registry.js';
import { BillingCharges } from './state/billing/billing.charges.js';
import { billingSurroundings } from './state/billing/billing.context.js';
import { BulkOperations, type BulkDuration, type BulkErrorCode, type BulkFile, type BulkOperation } from './state/bulk/bulk.operations.js';
import { EventLog, masked, type StoreEvent } from './base/event-log.js';
import { Installations } from './state/apps/installations.js';
import { ProductCatalog, type Product, type ProductChange, type ProductInput } from './state/products/product-catalog.js';
import { DEFAULT_PRODUCTS } from './state/products/product-seeds.js';
import type { DevShopOptions, Installation, Platform } from './state/shop.options.js';
import { ShopIdentity } from './state/shop/shop-identity.js';
import { StagedUploads } from './state/bulk/staged-uploads.js';
import { StorageSigner } from './state/bulk/storage.signer.js';
import { StorefrontTokens, type StorefrontTokenKind } from './state/apps/storefront.tokens.js';
import type { TokenRequest, TokenRequestHook } from './state/apps/token-request.js';
import type { WebhookDelivery } from './state/webhooks/webhook.simulator.js';
import { WebhookSubscriptions, type WebhookSubscription } from './state/webhooks/webhook-subscriptions.js';

/** Ids of one shop start here and lie this far from those of the next. */
const ID_SPACE = 1_000_000_000;

/** One simulated shop: its products, its apps, and what can happen to them. */
export class DevShop extends ShopIdentity {
  /** Where the shop answers, e.g. `http://localhost:4000`; set once it listens. */
  origin = '';
  /** What happened here, and where to note more. */
  readonly log: EventLog;
  readonly catalog: ProductCatalog;
  readonly tokens: AccessTokens;
  readonly webhooks: WebhookSubscriptions;
  /** How much of its limits each app has used up. */
  readonly buckets: ApiBuckets;
  readonly bulk: BulkOperations;
  /** What the apps charge, and what the merchant makes of it. */
  readonly billing: BillingCharges;
  readonly uploads: StagedUploads;
  /** Signs the addresses of files. */
  readonly storage: StorageSigner;
  readonly storefront = new StorefrontTokens();
  /** What the token endpoint was asked, oldest first. */
  readonly tokenRequests: TokenRequest[] = [];
  /** Stands between the token endpoint and its answers, to delay, replace or cut them; undefined lets them through. */
  onTokenRequest: TokenRequestHook | undefined;
  private readonly installed: Installations;
  private readonly opener: AppOpener;

  /** @param number place of the shop on its platform, from 1; keeps the ids of two shops apart */
  constructor(
    options: DevShopOptions,
    private readonly platform: Platform,
    number: number,
  ) {
    super(options, number, platform.now());
    const { now } = platform;
    const lastId = number * ID_SPACE;
    this.log = new EventLog(now);
    this.tokens = new AccessTokens(now, ({ token, apiKey }, kind) =>
      this.log.add({ kind: 'token', summary: `${kind} ${masked(token)} for ${platform.apps.require(apiKey).name}` }),
    );
    this.catalog = new ProductCatalog(this, now, lastId);
    this.webhooks = new WebhookSubscriptions(now, lastId);
    this.buckets = new ApiBuckets(checkedLimits({ ...platform.limits, ...options.limits }), now);
    this.storage = new StorageSigner(now);
    this.uploads = new StagedUploads(this.id, this.storage, now);
    this.bulk = new BulkOperations(this, now, options.bulkDuration ?? platform.bulkDuration, lastId);
    this.billing = new BillingCharges(billingSurroundings(this, platform), lastId);
    this.installed = new Installations(this, platform);
    this.opener = new AppOpener(this, platform);
    this.catalog.seed(options.products ?? DEFAULT_PRODUCTS);
  }

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

  /** How fast each app may call; what is assigned holds at once, as after a change of plan, and what it leaves out stays. */
  get limits(): ApiLimits {
    return this.buckets.limits;
  }

  set limits(limits: Partial<ApiLimits>) {
    this.buckets.change(limits);
  }

  /** How long a bulk operation runs: milliseconds, or `'manual'` for until `completeBulkOperations()`. Holds for those that start from now on. */
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

  /** Whether an app is installed with every one of the scopes. */
  hasGranted(apiKey: string, scopes: readonly string[]): boolean {
    return this.installed.hasGranted(apiKey, scopes);
  }

  /**
   * Installs an app, or grants an installed one other scopes, as a merchant would on the consent page. From then on it may exchange session tokens.
   * @returns the offline access token, which does not expire
   * @throws TypeError when the app is unknown or a scope is malformed
   */
  install(apiKey: string, options: { scopes: readonly string[] | string }): string {
    return this.installed.install(apiKey, options.scopes);
  }

  /** Records the merchant's consent; the app gets its token later, in exchange for a code. */
  grant(app: RegisteredApp, scopes: readonly string[]): void {
    this.installed.grant(app, scopes);
  }

  /**
   * Gives an installed app other scopes, as the grant page and the app itself can: its tokens cover them at once, and it hears `app/scopes_update`.
   * @throws TypeError when the app is not installed or a scope is malformed
   */
  setScopes(apiKey: string, scopes: readonly string[] | string): void {
    this.installed.setScopes(apiKey, scopes);
  }

  /** Removes an app: its tokens stop working, it hears `app/uninstalled`, its subscriptions are gone. Resolves when the delivery is done or given up. */
  async uninstall(apiKey: string): Promise<WebhookDelivery[]> {
    return this.uninstallUnheard(apiKey)();
  }

  /**
   * Removes an app that is to hear of it later: what is returned delivers `app/uninstalled`, with the time and the signature of the uninstall, each
   * time it is called. Install the app again before, and the delivery comes late.
   */
  uninstallUnheard(apiKey: string): () => Promise<WebhookDelivery[]> {
    return this.installed.uninstall(apiKey);
  }

  /** Ends every token of an app that stays installed, refresh tokens included: the Admin API answers 401. @throws TypeError when the app is unknown */
  revokeTokens(apiKey: string): void {
    this.tokens.revoke(this.platform.apps.require(apiKey).apiKey);
  }

  /** Lets every access token of an app that can expire do so now, before its time; refresh tokens live on. @throws TypeError when the app is unknown */
  expireTokens(apiKey: string): void {
    this.tokens.expire(this.platform.apps.require(apiKey).apiKey);
  }

  /** Lets the refresh tokens of an app expire now; access tokens live on. @throws TypeError when the app is unknown */
  expireRefreshTokens(apiKey: string): void {
    this.tokens.expireRefresh(this.platform.apps.require(apiKey).apiKey);
  }

  /**
   * Sends a signed webhook to the subscriptions of a topic, in either spelling. Resolves when each delivery is done or given up.
   * @throws TypeError when there is no such topic
   */
  async deliver(topic: string, payload: unknown, options: { apiKey?: string } = {}): Promise<WebhookDelivery[]> {
    const event = { shop: this.domain, payload, triggeredAt: this.platform.now(), log: this.log };
    return this.platform.webhooks.deliver(event, this.webhooks.to(topic, options.apiKey));
  }

  /** Adds a product and tells the apps, without waiting for them. */
  createProduct(input: ProductInput): ProductChange {
    return this.catalog.create(input);
  }

  /** Changes a product and tells the apps, without waiting for them. Undefined when there is no such product. */
  updateProduct(id: number, input: ProductInput): ProductChange | undefined {
    return this.catalog.update(id, input);
  }

  /** Removes a product and tells the apps, without waiting for them. Whether there was one. */
  deleteProduct(id: number): boolean {
    return this.catalog.delete(id);
  }

  /** Completes every bulk operation that is under way. Resolves when the apps have heard of it. */
  async completeBulkOperations(): Promise<void> {
    await this.bulk.complete();
  }

  /** Fails every bulk operation that is under way. @param partialLines how many lines of the result are kept as partial data */
  async failBulkOperations(errorCode: BulkErrorCode = 'INTERNAL_SERVER_ERROR', partialLines = 0): Promise<void> {
    await this.bulk.fail(errorCode, partialLines);
  }

  /**
   * Answers every bulk query from now on with a file of your own, such as one too large to hold; undefined for what the query finds.
   * `open` is called for each download; when what it returns throws, the download breaks off. Only a file of known `size` (bytes) can be continued.
   */
  serveBulkFile(file: (BulkFile & { readonly objectCount?: number | undefined }) | undefined): void {
    this.bulk.served = file;
  }

  /** A new token for the Storefront API. @param scopes what it may see. @default the products */
  storefrontToken(kind: StorefrontTokenKind = 'public', scopes: readonly string[] = ['unauthenticated_read_product_listings']): string {
    return this.storefront.issue(kind, scopes);
  }

  /** A session token of the shop's user for an app, valid for 60 seconds; `overrides` replace claims. @throws TypeError when the app is unknown */
  sessionToken(apiKey: string, overrides: Record<string, unknown> = {}): string {
    return this.opener.sessionToken(apiKey, overrides);
  }

  /** The address at which the admin opens an embedded app in its frame, signed and with a session token. @throws TypeError when the app is unknown */
  embeddedUrl(apiKey: string, path = ''): string {
    return this.opener.embeddedUrl(apiKey, path);
  }

  /** The app's own address with the signed parameters the admin adds when a merchant opens the app outside of the frame. */
  launchUrl(apiKey: string, path = ''): string {
    return this.opener.launchUrl(apiKey, path);
  }
}
