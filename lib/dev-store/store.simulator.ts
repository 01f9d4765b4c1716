import { randomUUID } from 'node:crypto';
import { AdminSimulator } from './admin.simulator.js';
import { APP_BRIDGE_SOURCE } from './app-bridge.script.js';
import type { AppRegistry } from './app-registry.js';
import type { DevShop } from './dev-shop.js';
import { GraphqlSimulator } from './graphql.simulator.js';
import { OAuthSimulator } from './oauth.simulator.js';
import { messagePage } from './page.layout.js';
import { answerRest } from './rest.simulator.js';
import { findEndpoint, jsonReply, Refusal, type Route, type StoreReply, type StoreRequest } from './store-request.js';
import { HEADERS, WIRE } from './vendor.js';

const API_PATH = /^\/admin\/api\/(\d{4}-\d{2}|unstable)\/(.+)$/;
const GRAPHQL = [{ method: 'POST', pattern: /^graphql\.json$/ }] as const;

/** Everything one shop answers over HTTP. */
export class StoreSimulator {
  private readonly routes: readonly Route[];
  private readonly graphql: GraphqlSimulator;

  constructor(
    private readonly shop: DevShop,
    apps: AppRegistry,
    now: () => Date,
  ) {
    this.graphql = new GraphqlSimulator(apps);
    const bridge: Route = { method: 'GET', pattern: new RegExp(`^${WIRE.appBridgePath}$`), answer: appBridge };
    this.routes = [bridge, ...new OAuthSimulator(shop, apps, now).routes, ...new AdminSimulator(shop, apps).routes];
  }

  /** Answers any request. A mistake of our own becomes a 500 that the event log explains. */
  async answer(request: StoreRequest): Promise<StoreReply> {
    try {
      return await this.dispatch(request);
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      const summary = `${request.method} ${request.url.pathname} failed: ${error instanceof Error ? error.message : String(error)}`;
      this.shop.log.add({ kind: 'api', summary, status: 500 });
      return jsonReply(500, { errors: 'Internal Server Error' });
    }
  }

  private async dispatch(request: StoreRequest): Promise<StoreReply> {
    // A name that points to this machine from elsewhere (DNS rebinding) must not reach a store that trusts its own pages.
    if (!this.isOwnHost(request.header('host') ?? '')) return jsonReply(421, { errors: 'This host name is not served here' });
    const [, version, path] = API_PATH.exec(request.url.pathname) ?? [];
    if (version && path) return this.answerApi(request, version, path);
    if (request.url.pathname.startsWith('/admin/api/')) return jsonReply(404, { errors: 'Not Found' });
    const found = findEndpoint(this.routes, request.method, request.url.pathname);
    return found
      ? found.endpoint.answer(request, found.params)
      : messagePage(this.shop, 404, 'This page does not exist', 'The address may be mistyped.');
  }

  private async answerApi(request: StoreRequest, version: string, path: string): Promise<StoreReply> {
    const reply = await this.callApi(request, version, path);
    const summary = [request.method, request.url.pathname, reply.note].filter(Boolean).join(' ');
    this.shop.log.add({ kind: 'api', summary, status: reply.status });
    const headers: Record<string, string> = { [HEADERS.apiVersion]: version, [HEADERS.requestId]: randomUUID(), ...reply.headers };
    return { ...reply, headers };
  }

  private async callApi(request: StoreRequest, version: string, path: string): Promise<StoreReply> {
    try {
      if (findEndpoint(GRAPHQL, request.method, path)) return await this.graphql.answer(this.shop, request, version);
      const reply = answerRest(this.shop, request, version, path);
      return { ...reply, headers: { ...reply.headers, [HEADERS.callLimit]: '1/40' } };
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  }

  private isOwnHost(host: string): boolean {
    const name = host.replace(/:\d+$/, '');
    return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === this.shop.domain;
  }
}

function appBridge(): StoreReply {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  return { status: 200, headers, body: APP_BRIDGE_SOURCE };
}
