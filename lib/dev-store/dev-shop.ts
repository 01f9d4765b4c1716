import { randomBytes } from 'node:crypto';
import { AccessTokens } from './access-tokens.js';
import { coversScope, parseScopes, withImplied } from './access-scopes.js';
import { ApiBuckets, checkedLimits, type ApiLimits } from './api-limits.js';
import type { RegisteredApp } from './app-registry.js';
import { BillingCharges } from './billing.charges.js';
import { billingSurroundings } from './billing.surroundings.js';
import { BulkOperations, type BulkDuration, type BulkErrorCode, type BulkFile, type BulkOperation } from './bulk.operations.js';
import { bulkOperationPayload } from './bulk.view.js';
import { EventLog, masked, type StoreEvent } from './event-log.js';
import {
  isoTime,
  ProductCatalog,
  productPayload,
  type Product,
  type ProductChange,
  type ProductInput,
  type SeedProduct,
} from './product-catalog.js';
import { DEFAULT_PRODUCTS } from './product-seeds.js';
import { DEFAULT_USER_ID, signedAppUrl, signedSessionToken } from './request-factories.js';
import { OWNER, type DevShopOptions, type Installation, type Platform, type ShopUser } from './shop-description.js';
import { shopPayload } from './shop-payload.js';
import { StagedUploads } from './staged-uploads.js';
import { StorageSigner } from './storage.signer.js';
import { StorefrontTokens, type StorefrontTokenKind } from './storefront.tokens.js';
import type { TokenRequest, TokenRequestHook } from './token-request.js';
import { globalId, storeName } from './vendor.js';
import type { WebhookDelivery } from './webhook.simulator.js';
import { WebhookSubscriptions, type WebhookSubscription } from './webhook-subscriptions.js';
import { topicName } from './webhook-topics.js';

/** Ids of one shop start here and lie this far from those of the next. */
const ID_SPACE = 1_000_000_000;

/** One simulated shop: its products, its apps, and what can happen to them. */
export class DevShop {
  readonly domain: string;
  readonly name: string;
  readonly email: string;
  /** The shop's number on the platform. */
  readonly id: number;
  readonly createdAt: Date;
  readonly user: ShopUser;
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
  private readonly installed = new Map<string, Installation>();
  private readonly adminSession = randomBytes(32).toString('hex');

  /** @param number place of the shop on its platform, from 1; keeps the ids of two shops apart */
  constructor(
    options: DevShopOptions,
    private readonly platform: Platform,
    number: number,
  ) {
    const store = storeName(options.domain);
    this.domain = options.domain;
    this.name = options.name ?? store.replace(/-+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    this.email = options.email ?? `owner@${store}.example`;
    this.id = 60_000_000_000 + number;
    this.createdAt = platform.now();
    this.user = { ...OWNER, id: DEFAULT_USER_ID, email: this.email };
    this.log = new EventLog(platform.now);
    this.tokens = new AccessTokens(platform.now, ({ token, apiKey }, kind) =>
      this.log.add({ kind: 'token', summary: `${kind} ${masked(token)} for ${platform.apps.require(apiKey).name}` }),
    );
    this.catalog = new ProductCatalog(this.name, platform.now, number * ID_SPACE);
    this.webhooks = new WebhookSubscriptions(platform.now, number * ID_SPACE);
    this.buckets = new ApiBuckets(checkedLimits({ ...platform.limits, ...options.limits }), platform.now);
    this.storage = new StorageSigner(platform.now);
    this.uploads = new StagedUploads(this.id, this.storage, platform.now);
    this.bulk = new BulkOperations(
      {
        now: platform.now,
        duration: options.bulkDuration ?? platform.bulkDuration,
        announce: (operation) => this.deliver('bulk_operations/finish', bulkOperationPayload(operation), { apiKey: operation.apiKey }),
        note: ({ id, type }, text) =>
          this.log.add({ kind: 'bulk', summary: `${type.toLowerCase()} ${globalId('BulkOperation', id)} ${text}` }),
      },
      number * ID_SPACE,
    );
    this.billing = new BillingCharges(billingSurroundings(this, platform), number * ID_SPACE);
    for (const seed of options.products ?? DEFAULT_PRODUCTS) this.seed(seed);
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
    return [...this.installed.values()];
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
    return this.installed.get(apiKey);
  }

  /** Whether an app is installed with every one of the scopes. */
  hasGranted(apiKey: string, scopes: readonly string[]): boolean {
    const granted = this.installed.get(apiKey)?.scopes;
    return granted !== undefined && scopes.every((scope) => coversScope(granted, scope));
  }

  /**
   * Installs an app, or grants an installed one other scopes, as a merchant would on the consent page. From then on it may exchange session tokens.
   * @returns the offline access token, which does not expire
   * @throws TypeError when the app is unknown or a scope is malformed
   */
  install(apiKey: string, options: { scopes: readonly string[] | string }): string {
    const scopes = scopesIn(options.scopes);
    this.grant(this.platform.apps.require(apiKey), scopes);
    return this.tokens.offline(apiKey, scopes).token;
  }

  /** Records the merchant's consent; the app gets its token later, in exchange for a code. */
  grant(app: RegisteredApp, scopes: readonly string[]): void {
    const before = this.installed.get(app.apiKey);
    const required = app.scopes ?? scopes.filter((scope) => !app.optionalScopes.includes(scope));
    this.installed.set(app.apiKey, { apiKey: app.apiKey, scopes, required, installedAt: before?.installedAt ?? this.platform.now() });
    this.log.add({ kind: 'install', summary: `${app.name} installed with ${scopes.join(', ') || 'no scopes'}` });
    if (before) this.announceScopes(app.apiKey, before.scopes, scopes);
  }

  /**
   * Gives an installed app other scopes, as the grant page and the app itself can: its tokens cover them at once, and it hears `app/scopes_update`.
   * @throws TypeError when the app is not installed or a scope is malformed
   */
  setScopes(apiKey: string, scopes: readonly string[] | string): void {
    const installation = this.installed.get(apiKey);
    if (!installation) throw new TypeError(`The app "${apiKey}" is not installed on ${this.domain}.`);
    const granted = scopesIn(scopes);
    this.installed.set(apiKey, { ...installation, scopes: granted });
    this.tokens.rescope(apiKey, granted);
    this.log.add({ kind: 'install', summary: `${this.platform.apps.require(apiKey).name} may ${granted.join(', ') || 'do nothing'}` });
    this.announceScopes(apiKey, installation.scopes, granted);
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
    const app = this.platform.apps.require(apiKey);
    if (!this.installed.delete(apiKey)) return async () => [];
    this.billing.end(apiKey);
    this.tokens.revoke(apiKey);
    this.log.add({ kind: 'install', summary: `${app.name} uninstalled` });
    const subscriptions = this.webhooks.drop(apiKey).filter((subscription) => subscription.topic === 'app/uninstalled');
    const [payload, triggeredAt] = [shopPayload(this), this.platform.now()];
    return () => this.send(payload, subscriptions, triggeredAt);
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
    const name = topicName(topic);
    if (!name) throw new TypeError(`There is no webhook topic "${topic}"; topics look like "PRODUCTS_CREATE" or "products/create".`);
    const subscriptions = this.webhooks.all().filter((subscription) => subscription.topic === name);
    return this.send(
      payload,
      options.apiKey === undefined ? subscriptions : subscriptions.filter(({ apiKey }) => apiKey === options.apiKey),
    );
  }

  /** Adds a product and tells the apps, without waiting for them. */
  createProduct(input: ProductInput): ProductChange {
    const change = this.catalog.create(input);
    this.announce('create', change.product);
    return change;
  }

  /** Changes a product and tells the apps, without waiting for them. Undefined when there is no such product. */
  updateProduct(id: number, input: ProductInput): ProductChange | undefined {
    const change = this.catalog.update(id, input);
    this.announce('update', change?.product);
    return change;
  }

  /** Removes a product and tells the apps, without waiting for them. Whether there was one. */
  deleteProduct(id: number): boolean {
    const product = this.catalog.find(id);
    if (!product || !this.catalog.delete(id)) return false;
    this.announce('delete', product);
    return true;
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

  /**
   * A session token of the shop's user for an app, valid for 60 seconds; `overrides` replace claims.
   * @throws TypeError when the app is unknown
   */
  sessionToken(apiKey: string, overrides: Record<string, unknown> = {}): string {
    const { apiSecretKey: secret } = this.platform.apps.require(apiKey);
    return signedSessionToken({ apiKey, secret, shop: this.domain, userId: this.user.id, overrides, now: this.platform.now() });
  }

  /**
   * The address at which the admin opens an embedded app in its frame, signed and with a session token.
   * @throws TypeError when the app is unknown
   */
  embeddedUrl(apiKey: string, path = ''): string {
    return this.appUrl(apiKey, path, {
      embedded: '1',
      session: this.adminSession,
      locale: this.user.locale,
      id_token: this.sessionToken(apiKey),
    });
  }

  /** The app's own address with the signed parameters the admin adds when a merchant opens the app outside of the frame. */
  launchUrl(apiKey: string, path = ''): string {
    return this.appUrl(apiKey, path, {});
  }

  private appUrl(apiKey: string, path: string, params: Record<string, string>): string {
    const app = this.platform.apps.require(apiKey);
    return signedAppUrl({ ...app, shop: this.domain, path, params, now: this.platform.now() });
  }

  private seed({ price, sku, ...input }: SeedProduct): void {
    const { problems } = this.catalog.create({ ...input, variants: [{ ...(price ? { price } : {}), ...(sku ? { sku } : {}) }] });
    if (problems)
      throw new TypeError(
        `The seed product "${input.title}" of ${this.domain} is refused: ${problems.map((p) => `${p.field} ${p.message}`).join(', ')}.`,
      );
  }

  private announce(action: 'create' | 'update' | 'delete', product: Product | undefined): void {
    if (!product) return;
    this.log.add({ kind: 'product', summary: `${product.title}: ${action}d` });
    void this.deliver(`products/${action}`, action === 'delete' ? { id: product.id } : productPayload(product));
  }

  private announceScopes(apiKey: string, before: readonly string[], after: readonly string[]): void {
    const [previous, current] = [withImplied(before), withImplied(after)];
    if (previous.length === current.length && previous.every((scope) => current.includes(scope))) return;
    const payload = { id: this.id, shop_id: globalId('Shop', this.id), previous, current, updated_at: isoTime(this.platform.now()) };
    void this.deliver('app/scopes_update', payload, { apiKey });
  }

  private send(
    payload: unknown,
    subscriptions: readonly WebhookSubscription[],
    triggeredAt: Date = this.platform.now(),
  ): Promise<WebhookDelivery[]> {
    const addressed = subscriptions.map((subscription) => ({ subscription, app: this.platform.apps.require(subscription.apiKey) }));
    return this.platform.webhooks.deliver({ shop: this.domain, payload, triggeredAt, log: this.log }, addressed);
  }
}

function scopesIn(scopes: readonly string[] | string): string[] {
  const parsed = parseScopes(typeof scopes === 'string' ? scopes : scopes.join(','));
  if (!parsed) throw new TypeError(`Scopes look like "read_products" or "write_orders", got "${String(scopes)}".`);
  return parsed;
}
