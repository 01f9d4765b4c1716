import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Controller, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import type { DevShop } from '../../lib/dev-store/index.js';
import {
  AdminApi,
  AuthenticatedSessionGuard,
  CurrentSession,
  PlatformApi,
  PlatformModule,
  WebhookContext,
  WebhookHandler,
  getPlatformToken,
} from '../../lib/index.js';
import type { AdminContext, PlatformOptions, Session, WebhookDelivery } from '../../lib/index.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import type { SessionStorage } from '../../lib/sessions/session.storage.js';
import { appOptions } from '../support/app.js';

export const APPS = ['a', 'b'] as const;
/** One of the two apps: the first part of its paths. */
export type AppName = (typeof APPS)[number];

/** What the code of an app was given, as the platform and the app know it. */
export interface Sighting {
  /** Whose code it is. */
  readonly app: AppName;
  /** Whose token the API client was given: the client id that the platform answers with. */
  readonly client: string;
  /** Of the session that came with it. */
  readonly accessToken: string | undefined;
}

interface Served {
  readonly listener: RequestListener;
  /** What an app can do in the background. */
  clientsOf(app: AppName): Pick<PlatformApi['clients'], 'forShop'>;
  close(): Promise<void>;
}

type Options = Readonly<Record<AppName, PlatformOptions>>;
/** Notes what the code of an app was given. @param id of the delivery, for a webhook handler */
type Look = (app: AppName, session: Session, graphql: Query, id?: number) => Promise<Sighting>;
/** Sends a query with the client that the code was given. */
type Query = (query: string) => Promise<{ data?: unknown }>;

/** A way to run both apps in one process, with a page of each at `/<app>/page`. */
export interface Wiring {
  readonly name: string;
  serve(options: Options, look: Look): Promise<Served>;
}

export const apiKeyOf = (app: AppName): string => `key-of-${app}`;
const secretOf = (app: AppName): string => `secret-of-${app}-0123456789`;
const SCOPES = ['write_products'];
const QUERY = '{ currentAppInstallation { app { apiKey } } }';

const pathsOf = (app: AppName) => ({
  auth: `/${app}/auth`,
  webhooks: `/${app}/webhooks`,
  exitIframe: `/${app}/exitiframe`,
});

const handled = (look: Look, app: AppName, delivery: WebhookDelivery): Promise<Sighting> => {
  const { id } = delivery.payload as { id: number };
  return look(app, delivery.session!, (query) => delivery.admin!.graphql(query), id);
};

async function serveNest(
  adapter: ExpressAdapter | FastifyAdapter,
  options: Options,
  look: Look,
): Promise<Served> {
  @Controller()
  class Pages {
    @Get('a/page')
    @UseGuards(AuthenticatedSessionGuard)
    async a(@CurrentSession() session: Session, @AdminApi() admin: AdminContext): Promise<string> {
      return (await look('a', session, (query) => admin.graphql(query))).app;
    }

    @Get('b/page')
    @UseGuards(AuthenticatedSessionGuard.of('b'))
    async b(@CurrentSession() session: Session, @AdminApi() admin: AdminContext): Promise<string> {
      return (await look('b', session, (query) => admin.graphql(query))).app;
    }
  }
  @Injectable()
  class Handlers {
    @WebhookHandler('PRODUCTS_CREATE')
    async a(@WebhookContext() delivery: WebhookDelivery): Promise<void> {
      await handled(look, 'a', delivery);
    }

    @WebhookHandler('PRODUCTS_CREATE', { app: 'b' })
    async b(@WebhookContext() delivery: WebhookDelivery): Promise<void> {
      await handled(look, 'b', delivery);
    }
  }
  @Module({
    imports: [
      PlatformModule.forRoot({ ...options.a, paths: pathsOf('a') }),
      PlatformModule.forRoot({ ...options.b, name: 'b', paths: pathsOf('b') }),
    ],
    controllers: [Pages],
    providers: [Handlers],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  await app.init();
  if (adapter instanceof FastifyAdapter) await adapter.getInstance().ready();
  const server = app.getHttpServer() as Server;
  const api = {
    a: app.get(PlatformApi),
    b: app.get<PlatformApi>(getPlatformToken(PlatformApi, 'b'), { strict: false }),
  };
  return {
    listener: (req, res) => void server.emit('request', req, res),
    clientsOf: (name) => api[name].clients,
    close: () => app.close(),
  };
}

function serveExpress(options: Options, look: Look): Served {
  const server = express();
  const open = (name: AppName) => {
    const { apiKey, apiSecretKey, scopes, apiVersion, shopOrigin, logger } = options[name];
    const { auth, webhooks, exitIframe } = pathsOf(name);
    const shopify = platformApp({
      api: {
        apiKey,
        apiSecretKey,
        scopes,
        apiVersion,
        shopOrigin,
        logger,
        hostName: new URL(options[name].appUrl!).host,
        hostScheme: 'http',
      },
      auth: { path: auth, callbackPath: `${auth}/callback` },
      exitIframePath: exitIframe,
      useOnlineTokens: options[name].useOnlineTokens,
      sessionStorage: options[name].sessionStorage,
      webhooks: {
        path: webhooks,
        PRODUCTS_CREATE: {
          deliveryMethod: 'http',
          handler: (delivery) => handled(look, name, delivery),
        },
      },
    });
    server.use(shopify.routes());
    server.get(`/${name}/page`, shopify.validateAuthenticatedSession(), async (_req, res) => {
      const { session } = res.locals.shopify;
      const client = new shopify.api.clients.Graphql({ session });
      res.send((await look(name, session, (query) => client.request(query))).app);
    });
    return shopify;
  };
  const shopify = { a: open('a'), b: open('b') };
  return {
    listener: server,
    clientsOf: (name) => shopify[name].api.clients,
    close: async () => {
      await Promise.all(APPS.map((name) => shopify[name].close()));
    },
  };
}

export const WIRINGS: readonly Wiring[] = [
  {
    name: 'Nest on Express',
    serve: (options, look) => serveNest(new ExpressAdapter(), options, look),
  },
  {
    name: 'Nest on Fastify',
    serve: (options, look) => serveNest(new FastifyAdapter(), options, look),
  },
  { name: 'Express', serve: async (options, look) => serveExpress(options, look) },
];

/** How both apps are set up. */
export interface Setup {
  readonly useOnlineTokens: Readonly<Record<AppName, boolean>>;
  readonly storages: Readonly<Record<AppName, SessionStorage>>;
}

/** Two apps in one process, both installed in one simulated shop. */
export class TwoApps {
  /** In the order in which the code of the apps was called. */
  readonly sightings: Sighting[] = [];
  readonly #deliveries = new Map<number, Sighting[]>();
  readonly shop: DevShop;
  #lastDelivery = 0;

  private constructor(
    private readonly store: DevStore,
    private readonly server: Server,
    private readonly url: string,
  ) {
    this.shop = store.shop();
  }

  #served!: Served;

  static async open(wiring: Wiring, { useOnlineTokens, storages }: Setup): Promise<TwoApps> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const store = await DevStore.open({
      apps: APPS.map((app) => ({
        apiKey: apiKeyOf(app),
        apiSecretKey: secretOf(app),
        appUrl: url,
      })),
      deliveryRetries: [],
      limits: { graphql: 'off', rest: 'off' },
    });
    const options = (app: AppName): PlatformOptions => ({
      ...appOptions({ apiKey: apiKeyOf(app), apiSecretKey: secretOf(app), scopes: SCOPES }),
      useOnlineTokens: useOnlineTokens[app],
      sessionStorage: storages[app],
      appUrl: url,
      shopOrigin: store.shopOrigin,
    });
    const apps = new TwoApps(store, server, url);
    apps.#served = await wiring.serve({ a: options('a'), b: options('b') }, apps.#look);
    server.on('request', apps.#served.listener);
    for (const app of APPS) apps.install(app);
    return apps;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.#served.close();
    await this.store.close();
  }

  readonly #look: Look = async (app, session, graphql, id) => {
    const { data } = await graphql(QUERY);
    const client = (data as { currentAppInstallation: { app: { apiKey: string } } })
      .currentAppInstallation.app.apiKey;
    const sighting = { app, client, accessToken: session.accessToken };
    this.sightings.push(sighting);
    if (id !== undefined) this.#deliveries.set(id, [...(this.#deliveries.get(id) ?? []), sighting]);
    return sighting;
  };

  /** Installs an app once more: its former tokens have ended. */
  install(app: AppName): void {
    if (this.shop.installation(apiKeyOf(app)))
      void this.shop.uninstallWithDeferredWebhook(apiKeyOf(app));
    this.shop.install(apiKeyOf(app), { scopes: SCOPES });
  }

  /** Asks for a page of an app. @param token whose session token comes along */
  async visit(app: AppName, token: AppName = app): Promise<{ status: number; body: string }> {
    const authorization = `Bearer ${this.shop.sessionToken(apiKeyOf(token))}`;
    const headers = { authorization, accept: '*/*', 'sec-fetch-dest': 'empty' };
    const response = await fetch(`${this.url}/${app}/page`, { headers, redirect: 'manual' });
    return { status: response.status, body: await response.text() };
  }

  /**
   * Posts a webhook to an app. @param signer whose secret it is signed with
   * @returns the status, and what the handlers were given
   */
  async deliver(
    app: AppName,
    signer: AppName = app,
  ): Promise<{ status: number; sightings: readonly Sighting[] }> {
    const id = ++this.#lastDelivery;
    const { headers, body } = signedWebhook({
      secret: secretOf(signer),
      shop: this.shop.domain,
      topic: 'products/create',
      payload: { id },
    });
    const { status } = await fetch(`${this.url}/${app}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    return { status, sightings: this.#deliveries.get(id) ?? [] };
  }

  /** Works in the background of an app. */
  async work(app: AppName): Promise<Sighting> {
    const { session, admin } = await this.#served.clientsOf(app).forShop(this.shop.domain);
    return this.#look(app, session, (query) => admin.graphql(query));
  }
}
