import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Controller, Get, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

import { DevStore } from '../../lib/dev-store/index.js';
import type { DevShop } from '../../lib/dev-store/index.js';
import { AdminApi, AuthenticatedSessionGuard, PlatformModule } from '../../lib/index.js';
import type { AdminContext, PlatformOptions } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import type { ExpressApp } from '../../lib/integrations/express/index.js';
import { platformApp as reactRouterApp } from '../../lib/integrations/react-router/index.js';
import type {
  ReactRouterApp,
  ReactRouterAppOptions,
} from '../../lib/integrations/react-router/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import type { RemixApp, RemixAppOptions } from '../../lib/integrations/remix/index.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, appOptions } from '../support/app.js';
import { reloadIn } from '../support/bounced.js';
import { webRequestOf } from '../support/hosts.js';

/** Answers requests of an app whose page at any other path asks the shop for its name. */
interface Served {
  readonly listener: RequestListener;
  close(): Promise<void>;
}

/** A host, and a way to wire the app on it. */
export interface Wiring {
  readonly name: string;
  /** Where no app has a window of its own. @default false */
  readonly alwaysEmbedded?: boolean;
  serve(options: PlatformOptions): Promise<Served>;
}

const SHOP_NAME = '{ shop { name } }';

@Controller()
@UseGuards(AuthenticatedSessionGuard)
class PageController {
  @Get(['/', '/page'])
  async page(@AdminApi() admin: AdminContext): Promise<string> {
    return (await admin.graphql(SHOP_NAME)).data.shop.name;
  }
}

async function serveNest(
  adapter: ExpressAdapter | FastifyAdapter,
  options: PlatformOptions,
): Promise<Served> {
  @Module({ imports: [PlatformModule.forRoot(options)], controllers: [PageController] })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  await app.init();
  if (adapter instanceof FastifyAdapter) await adapter.getInstance().ready();
  const server = app.getHttpServer() as Server;
  return {
    listener: (req, res) => void server.emit('request', req, res),
    close: () => app.close(),
  };
}

function serveExpress(
  options: PlatformOptions,
  wire: (app: express.Express, shopify: ExpressApp) => void,
): Served {
  const { apiKey, apiSecretKey, scopes, apiVersion, appUrl, isEmbeddedApp, shopOrigin, clock } =
    options;
  const { host, protocol } = new URL(appUrl!);
  const shopify = expressApp({
    api: {
      ...{ apiKey, apiSecretKey, scopes, apiVersion, isEmbeddedApp, shopOrigin, clock },
      logger: options.logger,
      hostName: host,
      hostScheme: protocol.slice(0, -1) as 'http',
    },
    useOnlineTokens: options.useOnlineTokens,
    sessionStorage: options.sessionStorage,
  });
  const app = express();
  wire(app, shopify);
  app.get(['/', '/page'], shopify.validateAuthenticatedSession(), async (_req, res) => {
    const client = new shopify.api.clients.Graphql({ session: res.locals.shopify.session });
    res.send((await client.request(SHOP_NAME)).data.shop.name);
  });
  return { listener: app, close: () => shopify.close() };
}

function serveWeb(shopify: RemixApp | ReactRouterApp): Served {
  const load = async (request: Request): Promise<Response> => {
    const { admin } = await shopify.authenticate.admin(request);
    return new Response((await admin.graphql(SHOP_NAME)).data.shop.name);
  };
  const listener: RequestListener = async (req, res) => {
    // Both answer a thrown Response as it is and everything else with 500.
    const response = await load(webRequestOf(req)).catch((thrown: unknown) =>
      thrown instanceof Response ? thrown : new Response(String(thrown), { status: 500 }),
    );
    res.statusCode = response.status;
    res.setHeaders(response.headers);
    res.end(Buffer.from(await response.arrayBuffer()));
  };
  return { listener: (req, res) => void listener(req, res), close: () => shopify.close() };
}

export const WIRINGS: readonly Wiring[] = [
  { name: 'Nest on Express', serve: (options) => serveNest(new ExpressAdapter(), options) },
  { name: 'Nest on Fastify', serve: (options) => serveNest(new FastifyAdapter(), options) },
  {
    name: 'Express with routes()',
    serve: async (options) => serveExpress(options, (app, shopify) => app.use(shopify.routes())),
  },
  {
    name: 'Express route by route',
    serve: async (options) =>
      serveExpress(options, (app, shopify) => {
        const { auth, exitIframePath } = shopify.config;
        app.get(auth.path, shopify.auth.begin());
        app.get(auth.callbackPath, shopify.auth.callback(), shopify.redirectToShopifyOrAppRoot());
        app.get(exitIframePath, shopify.exitIframe());
      }),
  },
  {
    name: 'Express with ensureInstalledOnShop()',
    serve: async (options) =>
      serveExpress(options, (app, shopify) => {
        app.use(shopify.routes());
        app.get(['/', '/page'], async (req, res, next) => {
          const isFetch = req.headers['sec-fetch-dest'] === 'empty';
          await (isFetch ? next() : shopify.ensureInstalledOnShop()(req, res, next));
        });
      }),
  },
  {
    name: 'Remix',
    serve: async (options) => serveWeb(remixApp(options as RemixAppOptions)),
  },
  {
    name: 'React Router',
    alwaysEmbedded: true,
    serve: async ({ isEmbeddedApp: _, ...options }) =>
      serveWeb(reactRouterApp(options as ReactRouterAppOptions)),
  },
];

/** How an app is set up in its shop. */
export interface Setup {
  readonly isEmbeddedApp: boolean;
  readonly useOnlineTokens: boolean;
}

const SCOPES = ['write_products'];
const SHOWN = 'the page';

/** An app, its simulated shop, and the browser of a merchant. */
export class Visited {
  readonly storage: MemorySessionStorage;
  readonly shop: DevShop;
  /** Requests to the app since the merchant came: their paths, and how they were answered. */
  #requests: string[] = [];
  /** The most redirects in a row by which the app sent the browser to itself. */
  longestRound = 0;
  readonly #cookies = new Map<string, string>();

  private constructor(
    private readonly store: DevStore,
    private readonly server: Server,
    private readonly url: string,
    private readonly setup: Setup,
    storage: MemorySessionStorage,
    private readonly served: Served,
  ) {
    this.shop = store.shop();
    this.storage = storage;
  }

  static async open(wiring: Wiring, setup: Setup): Promise<Visited> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const embedded = setup.isEmbeddedApp;
    const app = { apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: url, embedded };
    const store = await DevStore.open({ apps: [app], deliveryRetries: [] });
    const storage = new MemorySessionStorage();
    const served = await wiring.serve({
      ...appOptions({ ...setup, scopes: SCOPES, sessionStorage: storage }),
      ...{ appUrl: url, shopOrigin: store.shopOrigin },
    });
    server.on('request', served.listener);
    return new Visited(store, server, url, setup, storage, served);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.served.close();
    await this.store.close();
  }

  get hasApp(): boolean {
    return this.shop.installation(API_KEY) !== undefined;
  }

  /** The requests that came before the first that showed the app's page. */
  get requestsBeforePage(): readonly string[] {
    return this.#requests.slice(0, this.#requests.indexOf(SHOWN));
  }

  /** Installs the app in the shop, and opens it once. */
  async install(): Promise<void> {
    if (this.setup.isEmbeddedApp) this.shop.install(API_KEY, { scopes: SCOPES });
    await this.openApp();
  }

  /**
   * Opens the app from the admin, and follows wherever the browser is sent.
   * @returns what the page shows in the end
   */
  async openApp(): Promise<string> {
    this.#requests = [];
    return this.setup.isEmbeddedApp ? this.#admin('') : this.#load(this.shop.launchUrl(API_KEY));
  }

  /** A page of the app in a window of its own, as from a bookmark. */
  openBookmark(): Promise<string> {
    this.#requests = [];
    return this.#load(`${this.url}/page?shop=${this.shop.domain}`);
  }

  /**
   * Sends a `fetch` of a page that is open, as App Bridge does for an embedded app: it repeats the
   * request when it is told to, and takes the window to where it is told.
   */
  async fetch(): Promise<string> {
    this.#requests = [];
    for (let attempt = 1; ; attempt++) {
      const response = await this.sendFetch();
      if (response.ok) return response.text();
      const elsewhere = response.headers.get('x-shopify-api-request-failure-reauthorize-url');
      if (elsewhere) await this.#load(new URL(elsewhere, this.url).href);
      else if (response.status !== 401)
        throw new Error(`${response.status}: ${await response.text()}`);
      if (attempt === 5) throw new Error(`the fetch was answered ${response.status} to the end`);
    }
  }

  /** One `fetch` of an open page. */
  sendFetch(path = `/page?shop=${this.shop.domain}`): Promise<Response> {
    const authorization = `Bearer ${this.shop.sessionToken(API_KEY)}`;
    return this.send(this.url + path, {
      accept: '*/*',
      'sec-fetch-dest': 'empty',
      ...(this.setup.isEmbeddedApp && { authorization }),
    });
  }

  /** Has the platform grant no token. @param error that it answers with, or `cut` for no answer */
  refuseTokens(error: string | undefined): void {
    this.shop.onTokenRequest =
      error === undefined
        ? undefined
        : () => (error === 'cut' ? 'cut' : { status: 400, body: JSON.stringify({ error }) });
  }

  /** A path of the app in the shop's admin: in a frame when it is installed. */
  #admin(path: string): Promise<string> {
    return this.hasApp
      ? this.#load(this.shop.embeddedUrl(API_KEY, path), 'iframe')
      : this.#load(this.shop.launchUrl(API_KEY, path));
  }

  /** @param round how often the app has sent the browser to itself */
  async #load(url: string, destination = 'document', round = 0): Promise<string> {
    if (this.#requests.length > 12) throw new Error(`went round: ${this.#requests.join(', ')}`);
    const { origin, pathname } = new URL(url);
    if (origin !== this.url) return this.#visitShop(url);
    this.longestRound = Math.max(this.longestRound, round);
    const response = await this.send(url, { accept: 'text/html', 'sec-fetch-dest': destination });
    const location = response.headers.get('location');
    if (location) return this.#load(new URL(location, url).href, destination, round + 1);
    const text = await response.clone().text();
    if (response.status !== 200) throw new Error(`${pathname}: ${response.status} ${text}`);
    const [, top] = /window\.open\(("[^"]*"), "_top"\)/.exec(text) ?? [];
    if (top) return this.#load(JSON.parse(top) as string);
    if (!text.includes('app-bridge.js')) return text;
    // The page says where it goes on, as App Bridge reads it from the address.
    const target = await reloadIn(response, url);
    if (!target) throw new Error(`${pathname}: App Bridge is told no page: ${text}`);
    target.searchParams.set('id_token', this.shop.sessionToken(API_KEY));
    return this.#load(target.href, destination);
  }

  async #visitShop(url: string): Promise<string> {
    const { pathname, search } = new URL(url);
    const [, path] = new RegExp(`/apps/${API_KEY}(/.*)?$`).exec(pathname) ?? [];
    if (pathname.includes(`/apps/${API_KEY}`)) return this.#admin((path ?? '') + search);
    const asked = await fetch(url, { redirect: 'manual' });
    const sent = asked.status === 200 ? await this.#consent(url, await asked.text()) : asked;
    return this.#load(new URL(sent.headers.get('location')!, url).href);
  }

  /** The merchant agrees to what the consent page asks. */
  async #consent(url: string, page: string): Promise<Response> {
    const [, consent] = /name="consent" value="([^"]*)"/.exec(page) ?? [];
    if (!consent) throw new Error(`no consent page: ${page}`);
    return fetch(new URL('/admin/oauth/authorize', url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ consent, decision: 'install' }),
    });
  }

  /** Sends a request with the browser's cookies, and follows no redirect. */
  async send(url: string, headers: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { ...headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
    const shown = response.ok && (await response.clone().text()) === this.shop.name;
    this.#requests.push(shown ? SHOWN : `${new URL(url).pathname} ${response.status}`);
    return response;
  }
}
