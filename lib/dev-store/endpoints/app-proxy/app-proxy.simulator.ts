import { proxiedPath } from '../../base/app-proxy.js';
import type { AppRegistry, RegisteredApp } from '../../base/app-registry.js';
import { reasonOf } from '../../http/failed-fetch.js';
import { messagePage } from '../../http/page-layout.js';
import type { StoreReply, StoreRequest } from '../../http/store-request.js';
import type { AppRequests } from '../../state/apps/app-requests.js';
import type { Installations } from '../../state/apps/installations.js';
import type { ShopIdentity } from '../../state/shop/shop-identity.js';
import { storefrontPage } from './storefront.page.js';

/** The part of a shop that answers visitors with the pages of apps. */
interface ProxyShop extends ShopIdentity {
  /** The origin of the shop. */
  readonly origin: string;
  readonly installed: Installations;
  readonly requests: AppRequests;
}

/** The app's headers that do not reach the visitor. */
const KEPT_BACK = new Set(
  (
    'connection content-encoding content-length date keep-alive proxy-authenticate ' +
    'set-cookie te trailer transfer-encoding upgrade'
  ).split(' '),
);

/**
 * The addresses of the storefront that apps answer. A request is forwarded with the platform's
 * parameters and signature, without cookies in either direction.
 */
export class AppProxySimulator {
  constructor(
    private readonly shop: ProxyShop,
    private readonly apps: AppRegistry,
  ) {}

  /** The answer of the app whose proxy a path belongs to; undefined when it belongs to none. */
  async answer(request: StoreRequest): Promise<StoreReply | undefined> {
    const { pathname: path, search } = request.url;
    const app = this.apps
      .all()
      .find(({ proxy }) => proxy && proxiedPath(proxy, path) !== undefined);
    if (!app || !this.shop.installed.find(app.apiKey)) return undefined;
    const { method, body } = request;
    try {
      const visitor = { method, path, search, headers: this.headersOf(request), body };
      return await this.replyWith(await this.shop.requests.forward(app, visitor));
    } catch (error) {
      return this.unreachable(app, error);
    }
  }

  /** A browser knows the shop by the address of this store: the app gets to see its own domain. */
  private headersOf({ headers }: StoreRequest): (readonly [string, string])[] {
    const { domain, origin } = this.shop;
    return [...headers].map(([name, value]) =>
      /^(?:origin|referer)$/i.test(name) && `${value}/`.startsWith(`${origin}/`)
        ? [name, `https://${domain}${value.slice(origin.length)}`]
        : [name, value],
    );
  }

  private async replyWith(response: Response): Promise<StoreReply> {
    const kept = [...response.headers].filter(([name]) => !KEPT_BACK.has(name));
    const headers = Object.fromEntries(kept);
    const { status } = response;
    const isLiquid = /^application\/liquid\b/i.test(response.headers.get('content-type') ?? '');
    if (!isLiquid) return { status, headers, body: new Uint8Array(await response.arrayBuffer()) };
    const page = storefrontPage(this.shop, this.shop.origin, await response.text());
    return {
      status,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
      body: page,
    };
  }

  private unreachable({ name }: RegisteredApp, error: unknown): StoreReply {
    const text = `The request to its app proxy failed: ${reasonOf(error)}.`;
    return messagePage(this.shop, 502, `${name} did not answer`, text);
  }
}
