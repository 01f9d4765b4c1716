import type { ApiLimits } from './base/rate-limits.js';
import { AppRegistry } from './base/app-registry.js';
import type { DevApp } from './base/dev-app.js';
import { DevClock } from './base/dev-clock.js';
import { WIRE } from './base/vendor.js';
import type { DevShop } from './dev-shop.js';
import {
  CDN_PATTERN,
  cdnReply,
  type CdnReply,
  type InterceptingBrowser,
} from './endpoints/app-bridge/cdn.simulator.js';
import { StoreSimulator } from './endpoints/store.simulator.js';
import { Faults } from './faults/faults.js';
import { FaultyAnswerer } from './faults/faulty-answerer.js';
import { HttpListener } from './http/http-listener.js';
import { SimulatedShop } from './simulated-shop.js';
import type { BulkDuration } from './state/bulk/bulk-operation.js';
import type { OwnResolvers } from './state/nodes/own-resolvers.js';
import type { DevShopOptions } from './state/shop.options.js';
import type { Platform } from './state/platform.context.js';
import { configuredSubscriptions } from './state/webhooks/configured-subscriptions.js';
import { WebhookSimulator } from './state/webhooks/webhook.simulator.js';
import type { RecordedExchange } from './traffic/recorded-exchange.js';
import { TrafficLog } from './traffic/traffic-log.js';

/** Options of a simulated platform. */
export interface DevStoreOptions {
  /** Port of the first shop; each further shop takes the next one. 0 for free ports. @default 0 */
  port?: number;
  /** @default ['dev-shop.myshopify.com'] */
  shops?: ReadonlyArray<string | DevShopOptions>;
  /** The registered apps; `addApp` adds more. @default [] */
  apps?: readonly DevApp[];
  /** The time of tokens and signatures, until `advance` is called. @default the system's clock */
  clock?: { now(): Date };
  /** Sends every request to apps. @default the global one, looked up at each request */
  fetch?: typeof fetch;
  /**
   * Milliseconds between the attempts of a failed delivery; `[]` for a single attempt.
   * @default [1000, 5000]
   */
  deliveryRetries?: readonly number[];
  /**
   * The rate limits of each app for each shop's Admin API; `'off'` for none. @default the
   * platform's standard plan: 40 requests, 2/s; 2000 points, 100/s
   */
  limits?: Partial<ApiLimits>;
  /**
   * How long a bulk operation runs: milliseconds, or `'manual'` to run until
   * `shop.completeBulkOperations()`. @default 0
   */
  bulkDuration?: BulkDuration;
  /** Of the faults that have a probability: the same seed, the same faults. @default 1 */
  seed?: number;
}

const SHOP_DOMAIN = /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/;

/**
 * A simulated platform: shops that speak the wire protocol over HTTP on this machine, offline and
 * in memory. Each shop has an origin of its own; its name, its signatures and its tokens are as
 * real as the app's secret.
 * @example
 * const devStore = await DevStore.open({ apps: [{ apiKey: 'key', apiSecretKey: 'secret', appUrl: 'http://localhost:3000' }] });
 * const app = platformApp({ ...options, shopOrigin: devStore.shopOrigin });
 * const accessToken = devStore.shop().install('key', { scopes: ['write_products'] });
 */
export class DevStore {
  private constructor(
    /** The store's clock; pass it as the `clock` option of an app that shares its time. */
    readonly clock: DevClock,
    /** What goes wrong on command: answers, connections, deliveries, the clock. */
    readonly faults: Faults,
    private readonly recorded: TrafficLog,
    private readonly apps: AppRegistry,
    private readonly webhooks: WebhookSimulator,
    private readonly shops: ReadonlyMap<string, SimulatedShop>,
    private readonly listeners: readonly HttpListener[],
    private readonly resolvers: OwnResolvers,
  ) {}

  /** Resolvers of queries that come before the store's, by name; empty at first. */
  get queries(): OwnResolvers['queries'] {
    return this.resolvers.queries;
  }

  /**
   * Resolvers of mutations that come before the store's, by name; empty at first.
   * @example
   * devStore.mutations.commentApprove = ({ id }) => ({ comment: id, userErrors: [] });
   */
  get mutations(): OwnResolvers['mutations'] {
    return this.resolvers.mutations;
  }

  /**
   * @throws TypeError when the description of a shop or an app is invalid; the system's error when
   * a port is taken
   */
  static async open(options: DevStoreOptions = {}): Promise<DevStore> {
    const clock = new DevClock(options.clock ?? { now: () => new Date() });
    const faults = new Faults(options.seed ?? 1);
    const now = (): Date => new Date(clock.now().getTime() + faults.clockSkew);
    const recorded = new TrafficLog(now, (input, init) =>
      (options.fetch ?? globalThis.fetch)(input, init),
    );
    const resolvers: OwnResolvers = { queries: {}, mutations: {} };
    const apps = new AppRegistry();
    for (const app of options.apps ?? []) configuredSubscriptions(apps.add(app));
    const webhooks = new WebhookSimulator({
      ...{ apps, faults, clock },
      fetch: recorded.toApp,
      retries: options.deliveryRetries ?? [1000, 5000],
    });
    const platform: Platform = {
      ...{ apps, webhooks, now, faults },
      traffic: recorded,
      fetch: recorded.toApp,
      limits: options.limits ?? {},
      bulkDuration: options.bulkDuration ?? 0,
      resolvers,
    };
    const shops = describeShops(options.shops ?? ['dev-shop.myshopify.com'], platform);
    const listeners: HttpListener[] = [];
    try {
      for (const shop of shops.values()) {
        const store = new FaultyAnswerer(new StoreSimulator(shop, apps, now), {
          ...{ shop: shop.domain, faults, clock, now },
          limits: () => shop.limits,
          apiKeyOf: (token) => shop.tokens.find(token)?.apiKey,
          revoke: (apiKey) => shop.tokens.revoke(apiKey),
          note: (summary, status) =>
            shop.log.add({ kind: 'fault', summary, ...(status === undefined ? {} : { status }) }),
        });
        const port = options.port ? options.port + listeners.length : 0;
        const listener = await HttpListener.open(port, recorded.recording(shop.domain, store));
        listeners.push(listener);
        shop.origin = listener.origin;
      }
    } catch (error) {
      await Promise.all(listeners.map((listener) => listener.close()));
      throw error;
    }
    return new DevStore(clock, faults, recorded, apps, webhooks, shops, listeners, resolvers);
  }

  /** Registers an app. @throws TypeError when its description is invalid or its API key is taken */
  addApp(app: DevApp): void {
    configuredSubscriptions(this.apps.add(app));
  }

  /**
   * Gives an app another client secret, which signs everything from now on. The token endpoint
   * takes the previous one as well, unless `keepsPrevious` is false.
   * @throws TypeError when the app is unknown or the secret is empty
   * @see https://shopify.dev/docs/apps/build/authentication-authorization/client-secrets
   */
  rotateSecret(apiKey: string, secret: string, { keepsPrevious = true } = {}): void {
    this.apps.rotateSecret(apiKey, secret, keepsPrevious);
  }

  /**
   * What went over the wire between the shops and the apps, oldest first, without tokens and
   * secrets: the last 1000 exchanges, and at most 32 MB of bodies.
   */
  get traffic(): readonly RecordedExchange[] {
    return this.recorded.exchanges;
  }

  /**
   * Sends a recorded request again, byte for byte: one to the store with its token of then, a
   * delivery with its id and signature of then. Resolves with the answer, whatever its status.
   * @throws TypeError when there is no such exchange any more, or its body was not kept; what
   * `fetch` throws
   */
  async replay(id: number): Promise<Response> {
    return this.recorded.replay(id, (shop) => this.shop(shop).origin);
  }

  /**
   * A shop by its domain; without a domain, the first shop. @throws TypeError when there is no such
   * shop
   */
  shop(domain?: string): DevShop {
    const shop = domain === undefined ? this.allShops[0] : this.shops.get(domain);
    if (!shop)
      throw new TypeError(
        `The dev store has no shop "${domain}"; it has ${[...this.shops.keys()].join(', ')}.`,
      );
    return shop;
  }

  /** Every shop, in the order they were described. */
  get allShops(): readonly DevShop[] {
    return [...this.shops.values()];
  }

  /**
   * The origin of a shop, e.g. `http://localhost:4000`; the `shopOrigin` option of an app.
   * @throws TypeError when there is no such shop
   */
  readonly shopOrigin = (shop: string): string => this.shop(shop).origin;

  /**
   * A fetch for standalone clients: requests to `https://<shop>/…` reach the simulated shop, and
   * those to its address in the admin, `https://admin.shopify.com/store/<name>/…`, its admin.
   * @throws TypeError when the request has another destination
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = withoutAdminHost(new URL(input instanceof Request ? input.url : input));
    const shop =
      this.shops.get(url.hostname) ?? this.allShops.find(({ origin }) => origin === url.origin);
    if (!shop)
      throw new TypeError(
        `devStore.fetch reaches simulated shops alone (${[...this.shops.keys()].join(', ')}), not ${url.origin}.`,
      );
    const target = new URL(url.pathname + url.search, shop.origin);
    return globalThis.fetch(input instanceof Request ? new Request(target, input) : target, init);
  };

  /**
   * What to answer a browser that loads a file from the platform's fixed addresses, such as App
   * Bridge from `https://cdn.shopify.com/shopifycloud/app-bridge.js`; undefined for an address
   * elsewhere. For test tools that intercept requests; Playwright has `interceptCdn`.
   */
  cdnReply(address: string | URL): CdnReply | undefined {
    const stores = this.allShops.map(({ domain, origin }) => [domain, origin]);
    return cdnReply(address, Object.fromEntries(stores));
  }

  /**
   * Answers, in a page or a browser context of Playwright, what apps load from the platform's fixed
   * addresses, so that they run offline against this store.
   * @example
   * await devStore.interceptCdn(await browser.newContext());
   */
  async interceptCdn(browser: InterceptingBrowser): Promise<void> {
    await browser.route(CDN_PATTERN, async (route) => {
      const reply = this.cdnReply(route.request().url());
      if (reply) await route.fulfill(reply);
    });
  }

  /**
   * Advances the clock by milliseconds: tokens, codes and signatures age, limits recover, a
   * `clock.sleep()` whose time has passed resolves. Retries of deliveries and bulk operations run
   * on real timers.
   * @throws RangeError when the value is negative
   */
  advance(ms: number): void {
    this.clock.advance(ms);
    for (const shop of this.shops.values()) shop.privacy.deliverDue();
  }

  /** Resolves when every webhook delivery in progress has succeeded or finally failed. */
  async settled(): Promise<void> {
    await this.webhooks.settled();
  }

  /** Stops listening, aborts pending deliveries and bulk operations and leaves no handle open. */
  async close(): Promise<void> {
    for (const shop of this.shops.values()) shop.bulk.close();
    await this.webhooks.close();
    await Promise.all(this.listeners.map((listener) => listener.close()));
  }
}

function describeShops(
  descriptions: ReadonlyArray<string | DevShopOptions>,
  platform: Platform,
): Map<string, SimulatedShop> {
  const shops = new Map<string, SimulatedShop>();
  for (const description of descriptions) {
    const options = typeof description === 'string' ? { domain: description } : description;
    if (!SHOP_DOMAIN.test(options.domain))
      throw new TypeError(
        `A shop's domain looks like "dev-shop${WIRE.shopDomainSuffix}", got "${options.domain}".`,
      );
    if (shops.has(options.domain))
      throw new TypeError(`The shop "${options.domain}" is described twice.`);
    shops.set(options.domain, new SimulatedShop(options, platform, shops.size + 1));
  }
  if (shops.size === 0) throw new TypeError('A dev store needs at least one shop.');
  return shops;
}

/** An address in the platform's admin as one on the shop's own domain; any other as it is. */
function withoutAdminHost(url: URL): URL {
  const [, name, path = ''] = /^\/store\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (url.hostname !== WIRE.adminHost || name === undefined) return url;
  return new URL(`https://${name}${WIRE.shopDomainSuffix}/admin${path}${url.search}`);
}
