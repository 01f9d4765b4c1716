import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';

const KEY = 'walk-key-0123';
const SECRET = 'walk-secret-0123';
const API_VERSION = '2026-07';
const SCOPES = ['write_products'];
const DOMAIN = 'dev-shop.myshopify.com';

/** An Express app and a Remix app of one shop, with the requests that are walked. */
export class WalkedApp {
  #server = createServer();
  #cookie;
  #callback;

  /** Opens the simulated store and both apps; `load` imports an entry point of the toolkit. */
  static async open(load) {
    const app = new WalkedApp();
    await app.#open(load);
    return app;
  }

  async #open(load) {
    this.#server.listen(0);
    await once(this.#server, 'listening');
    this.url = `http://localhost:${this.#server.address().port}`;
    const { DevStore } = await load('dev-store');
    const registration = { apiKey: KEY, apiSecretKey: SECRET, appUrl: this.url };
    this.store = await DevStore.open({ apps: [registration] });
    this.shop = this.store.shop();
    await this.#openExpress(await load('express'));
    await this.#openRemix(await load('remix'), await load('sessions'));
  }

  get #options() {
    const { shopOrigin } = this.store;
    const logger = { level: 0 };
    const keys = { apiKey: KEY, apiSecretKey: SECRET, scopes: SCOPES };
    return { ...keys, apiVersion: API_VERSION, shopOrigin, logger };
  }

  async #openExpress({ platformApp }) {
    this.express = platformApp({
      api: { ...this.#options, hostName: new URL(this.url).host, hostScheme: 'http' },
      auth: { path: '/auth', callbackPath: '/auth/callback' },
      webhooks: { path: '/webhooks', PRODUCTS_CREATE: async () => {} },
    });
    const routes = express();
    routes.use(this.express.routes());
    routes.use('/api', this.express.validateAuthenticatedSession());
    routes.get('/api/ping', (_request, response) => {
      response.json({ shop: response.locals.shopify.session.shop });
    });
    this.#server.on('request', routes);
    await this.express.ready();
  }

  async #openRemix({ platformApp }, { MemorySessionStorage }) {
    const sessionStorage = new MemorySessionStorage();
    this.remix = platformApp({ ...this.#options, appUrl: this.url, sessionStorage });
    await this.remix.ready();
  }

  /** Installs the app in the shop's admin: the app itself holds no access token yet. */
  install() {
    this.shop.install(KEY, { scopes: SCOPES });
  }

  /** Revokes every access token of the shop; the app is not told. */
  revokeTokens() {
    this.shop.revokeTokens(KEY);
  }

  async deliverWebhook() {
    const body = JSON.stringify({ id: 1, title: 'x' });
    const headers = {
      'content-type': 'application/json',
      'x-shopify-topic': 'products/create',
      'x-shopify-shop-domain': DOMAIN,
      'x-shopify-api-version': API_VERSION,
      'x-shopify-webhook-id': randomUUID(),
      'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
    };
    expectStatus(200, await fetch(`${this.url}/webhooks`, { method: 'POST', body, headers }));
  }

  async requestExpress() {
    expectStatus(200, await fetch(`${this.url}/api/ping`, { headers: this.#authorization }));
  }

  async authenticateRemix() {
    const request = new Request(`${this.url}/app`, { headers: this.#authorization });
    this.admin = (await this.remix.authenticate.admin(request)).admin;
  }

  async query() {
    const { data } = await this.admin.graphql('{ shop { name } }');
    if (!data?.shop?.name) throw new Error('the query brought no data');
  }

  /** Follows the redirects of an OAuth installation up to the callback, which is not called. */
  async beginOAuth() {
    const begin = await visit(`${this.url}/auth?shop=${DOMAIN}`);
    this.#cookie = begin.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    let next = locationOf(begin);
    while (new URL(next).origin !== this.url) next = locationOf(await visit(next));
    this.#callback = next;
  }

  async finishOAuth() {
    expectStatus(302, await visit(this.#callback, { cookie: this.#cookie.join('; ') }));
  }

  get #authorization() {
    return { authorization: `Bearer ${this.shop.sessionToken(KEY)}` };
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all([this.express.close(), this.remix.close()]);
    await this.store.close();
  }
}

function visit(url, headers = {}) {
  return fetch(url, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
}

function locationOf(response) {
  expectStatus(302, response);
  return new URL(response.headers.get('location'), response.url).href;
}

function expectStatus(status, response) {
  if (response.status === status) return;
  throw new Error(`${response.url} answered ${response.status} instead of ${status}`);
}
