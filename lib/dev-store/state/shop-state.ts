import { ApiBuckets, checkedLimits } from '../base/api-limits.js';
import { EventLog, masked } from '../base/event-log.js';
import type { Faults } from '../faults/faults.js';
import type { TrafficLog } from '../traffic/traffic-log.js';
import { AccessTokens } from './apps/access-tokens.js';
import { AppOpener } from './apps/app-opener.js';
import { AppRequests } from './apps/app-requests.js';
import { Installations } from './apps/installations.js';
import { StorefrontTokens } from './apps/storefront-tokens.js';
import type { TokenRequest, TokenRequestHook } from './apps/token-request.js';
import { BillingCharges } from './billing/billing-charges.js';
import { billingContext } from './billing/billing.context.js';
import { BulkOperations } from './bulk/bulk-operations.js';
import { StagedUploads } from './bulk/staged-uploads.js';
import { StorageSigner } from './bulk/storage-signer.js';
import { CartStore } from './carts/cart-store.js';
import { PrivacyRequests } from './customers/privacy-requests.js';
import { IdSequence } from './id-sequence.js';
import { seedNodes } from './nodes/node-seeds.js';
import { NodeStore } from './nodes/node-store.js';
import type { OwnResolvers } from './nodes/own-resolvers.js';
import { MetafieldStore } from './metafields/metafield-store.js';
import { MetaobjectStore } from './metaobjects/metaobject-store.js';
import { ProductCatalog } from './products/product-catalog.js';
import { onlineSince } from './products/publications.js';
import { DEFAULT_PRODUCTS } from './products/product-seeds.js';
import type { DevShopOptions } from './shop.options.js';
import type { Platform } from './platform.context.js';
import { ShopIdentity } from './shop/shop-identity.js';
import type { ShopContext } from './shop/shop.context.js';
import { ThemeFiles } from './themes/theme-files.js';
import { WebhookSubscriptions } from './webhooks/webhook-subscriptions.js';
import { WebhookDispatcher } from './webhooks/webhook.dispatcher.js';

/** The first id of a shop, and the distance to the first id of the next. */
const ID_SPACE = 1_000_000_000;

/**
 * The state of one shop. Each endpoint takes the part that it reads; `DevShop` adds the methods for
 * tests.
 */
export class ShopState extends ShopIdentity {
  /** The origin of the shop, e.g. `http://localhost:4000`; set once it listens. */
  origin = '';
  /** The event log. */
  readonly log: EventLog;
  readonly catalog: ProductCatalog;
  /** What has no rules of its own, such as customers and orders; a test may add to it. */
  readonly nodes: NodeStore;
  /** What customers ask about their data. */
  readonly privacy: PrivacyRequests;
  readonly themes: ThemeFiles;
  /** The carts of the storefront. */
  readonly carts: CartStore;
  readonly tokens: AccessTokens;
  readonly metafields: MetafieldStore;
  readonly metaobjects: MetaobjectStore;
  readonly webhooks: WebhookSubscriptions;
  /** How much of its limits each app has used. */
  readonly buckets: ApiBuckets;
  readonly bulk: BulkOperations;
  /** The charges of the apps. */
  readonly billing: BillingCharges;
  readonly uploads: StagedUploads;
  /** Signs the addresses of files. */
  readonly storage: StorageSigner;
  readonly storefront = new StorefrontTokens();
  /** What goes wrong, in all shops of the platform. */
  readonly faults: Faults;
  /** What went over the wire, of all shops of the platform. */
  readonly wire: TrafficLog;
  /** The last thousand requests to the token endpoint, oldest first. */
  readonly tokenRequests: TokenRequest[] = [];
  /** Intercepts the responses of the token endpoint, to delay, replace or drop them. */
  onTokenRequest: TokenRequestHook | undefined;
  /** The installed apps. */
  readonly installed: Installations;
  /** Opens apps as the admin does. */
  readonly opener: AppOpener;
  /** Sends apps what is no webhook. */
  readonly requests: AppRequests;
  protected readonly dispatcher: WebhookDispatcher;

  /** @param number index of the shop on its platform, from 1; keeps the ids of two shops apart */
  constructor(
    options: DevShopOptions,
    protected readonly platform: Platform,
    number: number,
  ) {
    super(options, number, platform.now());
    const { apps, now } = platform;
    const lastId = number * ID_SPACE;
    const ids = new IdSequence(lastId);
    this.faults = platform.faults;
    this.wire = platform.traffic;
    this.log = new EventLog(now);
    this.webhooks = new WebhookSubscriptions(now, lastId);
    this.dispatcher = new WebhookDispatcher({
      shop: this.domain,
      subscriptions: this.webhooks,
      simulator: platform.webhooks,
      log: this.log,
      ...{ now, apps, isInstalled: (apiKey) => this.installed.find(apiKey) !== undefined },
    });
    const context: ShopContext = {
      identity: this,
      apps,
      now,
      log: this.log,
      dispatcher: this.dispatcher,
    };
    this.tokens = new AccessTokens(now, ({ token, apiKey }, kind) =>
      this.log.add({
        kind: 'token',
        summary: `${kind} ${masked(token)} for ${apps.require(apiKey).name}`,
      }),
    );
    this.nodes = new NodeStore(now, ids, {
      onDelete: (id) => {
        this.metafields.deleteOwner(id);
        this.themes.deleteTheme(id);
      },
      onFailure: (error) =>
        this.log.add({
          kind: 'api',
          summary: `Work in the background failed: ${error instanceof Error ? error.message : String(error)}`,
          status: 500,
        }),
    });
    this.carts = new CartStore(now);
    this.themes = new ThemeFiles(now);
    this.privacy = new PrivacyRequests(context, this.nodes);
    const stocked = (): string | undefined => this.nodes.first('Location')?.id;
    this.catalog = new ProductCatalog(
      context,
      ids,
      stocked,
      (product) => onlineSince(this, product, now()),
      this.nodes,
    );
    this.metafields = new MetafieldStore(now, lastId);
    this.metaobjects = new MetaobjectStore(now, lastId);
    this.buckets = new ApiBuckets(checkedLimits({ ...platform.limits, ...options.limits }), now);
    this.storage = new StorageSigner(now);
    this.uploads = new StagedUploads(this.id, this.storage, now);
    this.bulk = new BulkOperations(context, options.bulkDuration ?? platform.bulkDuration, lastId);
    this.billing = new BillingCharges(
      billingContext(context, () => this.origin),
      lastId,
    );
    this.installed = new Installations(context, {
      tokens: this.tokens,
      billing: this.billing,
      subscriptions: this.webhooks,
    });
    this.opener = new AppOpener(context);
    this.requests = new AppRequests(context, platform.fetch);
    seedNodes(this.nodes, this.themes, this);
    this.catalog.seed(options.products ?? DEFAULT_PRODUCTS);
  }

  /** The resolvers of an app's tests. */
  get resolvers(): OwnResolvers {
    return this.platform.resolvers;
  }

  /** Sends an event to the subscriptions of a topic, without waiting for them. */
  notify(topic: string, payload: object): void {
    void this.dispatcher.deliver(topic, payload);
  }
}
