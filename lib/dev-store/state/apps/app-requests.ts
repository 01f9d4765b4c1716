import { proxiedPath } from '../../base/app-proxy.js';
import type { RegisteredApp } from '../../base/app-registry.js';
import {
  PROXY_PARAMS,
  signedAppProxyQuery,
  signedExtensionToken,
  signedFlowAction,
  signedFulfillmentNotification,
  type ExtensionSurface,
  type FulfillmentNotificationKind,
} from '../../base/extension-factories.js';
import type { SignedRequest } from '../../base/request-factories.js';
import { reasonOf } from '../../http/failed-fetch.js';
import type { ShopContext } from '../shop/shop.context.js';
import type { ExtensionTokenOptions, FlowAction } from './app-request.js';

/** A visitor's request to the storefront. */
interface VisitorRequest {
  method: string;
  /** Path and query as they were sent. */
  path: string;
  search: string;
  headers: Iterable<readonly [string, string]>;
  body: Uint8Array;
}

const ANSWER_TIMEOUT = 10_000;

/**
 * The visitor's headers that do not reach the app: those of one connection, and what belongs to the
 * shop's own domain.
 */
const KEPT_BACK = new Set(
  (
    'accept-encoding authorization connection content-length cookie expect host keep-alive ' +
    'proxy-authorization proxy-connection te trailer transfer-encoding upgrade'
  ).split(' '),
);

/**
 * Sends one shop's requests to apps, other than webhooks: signed with the app's secret, in the
 * shop's time. Throws a TypeError when an app is unknown.
 */
export class AppRequests {
  /** The customer who is logged in to the storefront; undefined for nobody. */
  customerId: number | string | undefined;

  constructor(
    private readonly shop: Pick<ShopContext, 'identity' | 'apps' | 'now' | 'log'>,
    private readonly fetch: typeof globalThis.fetch,
  ) {}

  /** Runs an action of Flow. @param path in the app */
  async flowAction(apiKey: string, path: string, action: FlowAction): Promise<Response> {
    const app = this.shop.apps.require(apiKey);
    const { domain: shop, id: shopId } = this.shop.identity;
    const request = signedFlowAction({ ...action, secret: app.apiSecretKey, shop, shopId });
    return this.post('Flow action', app, path, request);
  }

  /** Notifies a fulfillment service. @param path of its callback URL in the app */
  async fulfillmentNotification(
    apiKey: string,
    path: string,
    kind: FulfillmentNotificationKind,
  ): Promise<Response> {
    const app = this.shop.apps.require(apiKey);
    const { domain: shop } = this.shop.identity;
    const request = signedFulfillmentNotification({ secret: app.apiSecretKey, shop, kind });
    const address = `${path.replace(/(?<!\/)\/+$/, '')}/fulfillment_order_notification`;
    return this.post(`fulfillment service, ${kind}`, app, address, request);
  }

  /** A session token of an extension. */
  extensionToken(
    apiKey: string,
    surface: ExtensionSurface,
    options: ExtensionTokenOptions,
  ): string {
    const { apiSecretKey: secret } = this.shop.apps.require(apiKey);
    const { domain: shop, user } = this.shop.identity;
    return signedExtensionToken({
      ...options,
      apiKey,
      secret,
      shop,
      surface,
      userId: user.id,
      now: this.shop.now(),
    });
  }

  /**
   * The address to which the platform forwards a visitor's request. @param path and query behind
   * the proxy's prefix
   * @throws TypeError when the app has no app proxy
   */
  proxyUrl(apiKey: string, path: string): string {
    const app = this.shop.apps.require(apiKey);
    if (!app.proxy)
      throw new TypeError(`The app "${apiKey}" has no app proxy: describe it as its appProxy.`);
    const rest = path === '' || /^[/?]/.test(path) ? path : `/${path}`;
    const { pathname, search } = new URL(app.proxy.prefix + rest, 'http://localhost');
    return this.proxiedUrl(app, pathname, search);
  }

  /** Forwards a visitor's request to an app proxy, and follows the redirects of its answer. */
  async forward(app: RegisteredApp, visitor: VisitorRequest): Promise<Response> {
    const headers = new Headers();
    for (const [name, value] of visitor.headers)
      if (!KEPT_BACK.has(name.toLowerCase())) headers.append(name, value);
    headers.set('X-Forwarded-Host', this.shop.identity.domain);
    headers.set('X-Forwarded-For', '127.0.0.1');
    const withBody = visitor.method !== 'GET' && visitor.method !== 'HEAD';
    return this.send('proxy', visitor.path, this.proxiedUrl(app, visitor.path, visitor.search), {
      method: visitor.method,
      headers,
      ...(withBody ? { body: new Uint8Array(visitor.body) } : {}),
    });
  }

  /** Keeps the visitor's query as it was sent, but for parameters of the platform's names. */
  private proxiedUrl({ proxy, apiSecretKey }: RegisteredApp, path: string, search: string): string {
    if (!proxy) throw new TypeError('This app has no app proxy.');
    const pairs = search.slice(1).split('&').filter(Boolean);
    const own = pairs.filter((pair) => !isReserved(pair));
    const signed = signedAppProxyQuery({
      secret: apiSecretKey,
      shop: this.shop.identity.domain,
      pathPrefix: proxy.prefix,
      params: new URLSearchParams(own.join('&')),
      now: this.shop.now(),
      ...(this.customerId === undefined ? {} : { customerId: this.customerId }),
    });
    const added = new URLSearchParams(
      PROXY_PARAMS.map((name): [string, string] => [name, signed.get(name) ?? '']),
    );
    return `${proxy.url}${proxiedPath(proxy, path) ?? ''}?${[...own, added].join('&')}`;
  }

  private async post(
    what: string,
    app: RegisteredApp,
    path: string,
    { headers, body }: SignedRequest,
  ): Promise<Response> {
    const url = new URL(app.appUrl + (path && !path.startsWith('/') ? `/${path}` : path)).href;
    const init = { method: 'POST', headers, body: new Uint8Array(body) };
    return this.send('request', what, url, { ...init, redirect: 'manual' });
  }

  private async send(
    kind: 'proxy' | 'request',
    what: string,
    url: string,
    init: RequestInit,
  ): Promise<Response> {
    // Without its query, which may hold what a visitor entered.
    const target = url.split('?', 1)[0];
    try {
      const signal = AbortSignal.timeout(ANSWER_TIMEOUT);
      const response = await this.fetch(url, { ...init, signal });
      const summary = `${init.method} ${what} to ${target}, answered ${response.status}`;
      this.shop.log.add({ kind, summary, status: response.status });
      return response;
    } catch (error) {
      const summary = `${init.method} ${what} to ${target}, failed: ${reasonOf(error)}`;
      this.shop.log.add({ kind, summary });
      throw error;
    }
  }
}

function isReserved(pair: string): boolean {
  const [name] = new URLSearchParams(pair).keys();
  return PROXY_PARAMS.some((reserved) => reserved === name);
}
