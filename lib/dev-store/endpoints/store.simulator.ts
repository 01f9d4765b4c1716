import { randomUUID } from 'node:crypto';
import type { AppRegistry } from '../base/app-registry.js';
import { HEADERS, WIRE } from '../base/vendor.js';
import type { Answerer } from '../http/http-listener.js';
import { messagePage } from '../http/page-layout.js';
import {
  findEndpoint,
  jsonReply,
  StoreReplyError,
  replyOrThrownReply,
  type Route,
  type StoreReply,
  type StoreRequest,
} from '../http/store-request.js';
import type { ShopState } from '../state/shop-state.js';
import { GraphqlSimulator } from './admin-graphql/graphql.simulator.js';
import { AdminSimulator } from './admin-pages/admin.simulator.js';
import { TrafficSimulator } from './admin-pages/traffic.simulator.js';
import { AppProxySimulator } from './app-proxy/app-proxy.simulator.js';
import { appBridgeReply } from './app-bridge/cdn.simulator.js';
import { BillingSimulator } from './billing/billing.simulator.js';
import { StorageSimulator, uploadLimit } from './bulk/storage.simulator.js';
import { OAuthSimulator } from './oauth/oauth.simulator.js';
import { ScopesSimulator } from './oauth/scopes.simulator.js';
import { accessScopesReply, revocationReply } from './rest/rest-others.js';
import { answerRest } from './rest/rest.simulator.js';
import { checkoutRoute } from './storefront/checkout.page.js';
import { StorefrontSimulator } from './storefront/storefront.simulator.js';

const API_PATH = /^(\/admin)?\/api\/(\d{4}-\d{2}|unstable)\/(.+)$/;
const BODY_LIMIT = 1024 * 1024;
const GRAPHQL = [{ method: 'POST', pattern: /^graphql\.json$/ }] as const;

/** The HTTP server of one shop. */
export class StoreSimulator implements Answerer {
  private readonly routes: readonly Route[];
  private readonly graphql: GraphqlSimulator;
  private readonly storefront: StorefrontSimulator;
  private readonly appProxies: AppProxySimulator;

  constructor(
    private readonly shop: ShopState,
    private readonly apps: AppRegistry,
    private readonly now: () => Date,
  ) {
    this.graphql = new GraphqlSimulator(apps, now);
    this.storefront = new StorefrontSimulator(now);
    this.appProxies = new AppProxySimulator(shop, apps);
    const bridge: Route = {
      method: 'GET',
      pattern: new RegExp(`^${WIRE.appBridgePath}$`),
      answer: () => appBridgeReply(),
    };
    const scopes: Route = {
      method: 'GET',
      pattern: /^\/admin\/oauth\/access_scopes\.json$/,
      answer: (request) => accessScopesReply(shop, request),
    };
    const revocation: Route = {
      method: 'DELETE',
      pattern: /^\/admin\/api_permissions\/current\.json$/,
      answer: (request) => revocationReply(shop, request),
    };
    const simulators = [
      new OAuthSimulator(shop, apps, now),
      new ScopesSimulator(shop, apps, now),
      new BillingSimulator(shop, apps, now),
      new AdminSimulator(shop, shop.opener, apps),
      new StorageSimulator(shop, now),
      new TrafficSimulator(shop),
    ];
    this.routes = [
      bridge,
      scopes,
      revocation,
      checkoutRoute(shop, now),
      ...simulators.flatMap(({ routes }) => routes),
    ];
  }

  /**
   * Responds to any request. An error of the store becomes a 500, with details in the event log.
   */
  async answer(request: StoreRequest): Promise<StoreReply> {
    const reply = await this.reply(request);
    // In the store's own time: apps calculate from it when their tokens expire.
    return { ...reply, headers: { Date: this.now().toUTCString(), ...reply.headers } };
  }

  private async reply(request: StoreRequest): Promise<StoreReply> {
    try {
      return await this.dispatch(request);
    } catch (error) {
      if (error instanceof StoreReplyError) return error.reply;
      const summary = `${request.method} ${request.url.pathname} failed: ${error instanceof Error ? error.message : String(error)}`;
      this.shop.log.add({ kind: 'api', summary, status: 500 });
      return jsonReply(500, { errors: 'Internal Server Error' });
    }
  }

  /** The size limit of request bodies for a path, in bytes. */
  bodyLimit(path: string): number {
    return uploadLimit(path) ?? BODY_LIMIT;
  }

  private async dispatch(request: StoreRequest): Promise<StoreReply> {
    // A name that points to this machine from elsewhere (DNS rebinding) must not reach a store that
    // trusts its own pages.
    if (!this.isOwnHost(request.header('host') ?? ''))
      return jsonReply(421, { errors: 'This host name is not served here' });
    const [, admin, version, path] = API_PATH.exec(request.url.pathname) ?? [];
    if (version && path)
      return this.answerApi(request, version, () =>
        (admin ? this.callAdmin : this.callStorefront).call(this, request, version, path),
      );
    if (/^(\/admin)?\/api\//.test(request.url.pathname))
      return jsonReply(404, { errors: 'Not Found' });
    const proxied = await this.appProxies.answer(request);
    if (proxied) return proxied;
    const found = findEndpoint(this.routes, request.method, request.url.pathname);
    return found
      ? found.endpoint.answer(request, found.params)
      : messagePage(this.shop, 404, 'This page does not exist', 'The address may be mistyped.');
  }

  private async answerApi(
    request: StoreRequest,
    version: string,
    call: () => Promise<StoreReply>,
  ): Promise<StoreReply> {
    const reply = await replyOrThrownReply(call);
    const summary = [request.method, request.url.pathname, reply.note].filter(Boolean).join(' ');
    this.shop.log.add({
      kind: reply.throttled ? 'throttled' : 'api',
      summary,
      status: reply.status,
    });
    const headers: Record<string, string> = {
      [HEADERS.apiVersion]: version,
      [HEADERS.requestId]: randomUUID(),
      ...reply.headers,
    };
    return { ...reply, headers };
  }

  private async callAdmin(
    request: StoreRequest,
    version: string,
    path: string,
  ): Promise<StoreReply> {
    if (findEndpoint(GRAPHQL, request.method, path))
      return this.graphql.answer(this.shop, request, version);
    const { apps, now } = this;
    return answerRest(this.shop, request, { version, path }, { apps, now });
  }

  private async callStorefront(
    request: StoreRequest,
    version: string,
    path: string,
  ): Promise<StoreReply> {
    if (findEndpoint(GRAPHQL, request.method, path))
      return this.storefront.answer(this.shop, request, version);
    return jsonReply(404, { errors: 'Not Found' });
  }

  private isOwnHost(host: string): boolean {
    const name = host.replace(/:\d+$/, '');
    return (
      name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === this.shop.domain
    );
  }
}
