import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Controller, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import type { DynamicModule, INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

import {
  AuthenticatedSessionGuard,
  CurrentSession,
  PlatformModule,
  RequiresPlan,
  WebhookContext,
  WebhookHandler,
} from '../../lib/index.js';
import type { PlatformOptions, Session, WebhookDelivery } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import type { ExpressApp } from '../../lib/integrations/express/index.js';
import { platformApp as reactRouterApp } from '../../lib/integrations/react-router/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import type { ReactRouterApp } from '../../lib/integrations/react-router/index.js';
import type { RemixApp, RemixAppOptions } from '../../lib/integrations/remix/index.js';
import { appOptions } from './app.js';

/**
 * A host that runs an app: our own paths, a page at `/page` that needs a session and one at `/pro`
 * that needs a plan, and a handler of PRODUCTS_CREATE.
 */
export interface RunningHost {
  readonly url: string;
  /** Deliveries that reached the handler. */
  readonly handled: WebhookDelivery[];
  /**
   * What an app calls to shut down: of a facade the server goes on listening, of a Nest app it is
   * closed at the end.
   */
  stop(): Promise<void>;
  /** Stops the app and its server. */
  close(): Promise<void>;
}

export interface HostOptions {
  readonly options?: Partial<PlatformOptions>;
  /** Further modules of the app. */
  readonly modules?: readonly DynamicModule[];
  /** Called in the handler of PRODUCTS_CREATE. */
  readonly onDelivery?: (delivery: WebhookDelivery) => unknown;
}

export interface Host {
  readonly name: string;
  readonly exitIframePath: string;
  /** Whether it hands out web requests, so that routes of the app take the deliveries. */
  readonly isWeb: boolean;
  /** Where no app has a window of its own. @default false */
  readonly alwaysEmbedded?: boolean;
  open(setup?: HostOptions): Promise<RunningHost>;
}

/**
 * The handler under test, as an app writes it: a module that every host with a container discovers.
 */
export function handlerModule(
  handled: WebhookDelivery[],
  onDelivery: HostOptions['onDelivery'],
): DynamicModule {
  @Injectable()
  class Handlers {
    @WebhookHandler('PRODUCTS_CREATE')
    async onProduct(@WebhookContext() delivery: WebhookDelivery): Promise<void> {
      handled.push(delivery);
      await onDelivery?.(delivery);
    }
  }
  @Module({})
  class HandlersModule {}
  return { module: HandlersModule, providers: [Handlers] };
}

@Controller()
export class PageController {
  @Get('page')
  @UseGuards(AuthenticatedSessionGuard)
  page(@CurrentSession() session: Session): { shop: string } {
    return { shop: session.shop };
  }

  @Get('pro')
  @RequiresPlan('Pro')
  pro(@CurrentSession() session: Session): { paidBy: string } {
    return { paidBy: session.shop };
  }
}

/** A Nest app over the given adapter, with whatever else the case needs. */
export async function openNest(
  adapter: ExpressAdapter | FastifyAdapter,
  { options, modules = [], onDelivery }: HostOptions = {},
  nest: {
    factory?: NestApplicationOptions;
    imports?: DynamicModule['imports'];
    providers?: DynamicModule['providers'];
    before?: (app: INestApplication) => void;
  } = {},
): Promise<RunningHost> {
  const handled: WebhookDelivery[] = [];
  @Module({
    imports: [
      PlatformModule.forRoot(appOptions(options)),
      handlerModule(handled, onDelivery),
      ...modules,
      ...(nest.imports ?? []),
    ],
    controllers: [PageController],
    providers: nest.providers ?? [],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, {
    logger: false,
    abortOnError: false,
    ...nest.factory,
  });
  nest.before?.(app);
  await app.listen(0, '127.0.0.1');
  return {
    url: urlOf(app.getHttpServer() as Server),
    handled,
    stop: () => app.close(),
    close: () => app.close(),
  };
}

/** An HTTP server of our own. */
export async function openServer(
  listener: RequestListener,
  handled: WebhookDelivery[],
  stop: () => Promise<void>,
): Promise<RunningHost> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: urlOf(server),
    handled,
    stop,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await stop();
    },
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The Express bundle; `mount` adds what stands before and behind it. */
export async function openExpress(
  { options, modules = [], onDelivery }: HostOptions = {},
  mount: {
    before?: (app: express.Express) => void;
    after?: (app: express.Express, shopify: ExpressApp) => void;
  } = {},
): Promise<RunningHost> {
  const handled: WebhookDelivery[] = [];
  const {
    apiKey,
    apiSecretKey,
    scopes,
    apiVersion,
    appUrl,
    isEmbeddedApp,
    fetch,
    clock,
    logger,
    shopOrigin,
    billing,
    ...rest
  } = appOptions(options);
  const shopify = expressApp({
    api: {
      apiKey,
      apiSecretKey,
      scopes,
      apiVersion,
      isEmbeddedApp,
      fetch,
      clock,
      logger,
      shopOrigin,
      billing,
      hostName: new URL(appUrl!).host,
      hostScheme: 'https',
    },
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    ...rest,
    webhooks: { path: '/webhooks', ...rest.webhooks },
    modules: [handlerModule(handled, onDelivery), ...modules],
  });
  const app = express();
  mount.before?.(app);
  app.use(shopify.routes());
  app.get(
    '/page',
    shopify.validateAuthenticatedSession(),
    (_req, res) => void res.json({ shop: res.locals.shopify.session.shop }),
  );
  app.get(
    '/pro',
    shopify.validateAuthenticatedSession(),
    shopify.requirePlan({ plans: 'Pro' }),
    (_req, res) => {
      res.json({ paidBy: res.locals.shopify.session.shop });
    },
  );
  mount.after?.(app, shopify);
  return openServer(app, handled, () => shopify.close());
}

/** A route of the app that is asked first; `undefined` leaves a request to the others. */
export type WebRoute<App> = (request: Request, app: App) => Promise<Response | undefined>;

/** The Remix object behind a server. */
export function openRemix(setup?: HostOptions, first?: WebRoute<RemixApp>): Promise<RunningHost> {
  return openWeb((options) => remixApp(options), setup, first);
}

/** The React Router object behind a server. Its apps are all embedded. */
export function openReactRouter(
  setup?: HostOptions,
  first?: WebRoute<ReactRouterApp>,
): Promise<RunningHost> {
  return openWeb(({ isEmbeddedApp: _, ...options }) => reactRouterApp(options), setup, first);
}

/**
 * A host of web requests behind a server that turns node requests into them, as the adapters of
 * Remix and React Router do.
 */
async function openWeb<App extends RemixApp | ReactRouterApp>(
  platformApp: (options: RemixAppOptions) => App,
  { options, modules = [], onDelivery }: HostOptions = {},
  first?: WebRoute<App>,
): Promise<RunningHost> {
  const handled: WebhookDelivery[] = [];
  const { sessionStorage, ...rest } = appOptions(options);
  const { MemorySessionStorage } =
    await import('../../lib/sessions/storages/memory/memory-session.storage.js');
  const shopify = platformApp({
    ...rest,
    scopes: rest.scopes ?? [],
    sessionStorage: sessionStorage ?? new MemorySessionStorage(),
    modules,
  } as RemixAppOptions);
  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const early = await first?.(request, shopify);
    if (early) return early;
    if (pathname === '/webhooks') {
      const delivery = await shopify.authenticate.webhook(request);
      if (delivery.topic === 'APP_UNINSTALLED') return new Response();
      if (delivery.topic !== 'PRODUCTS_CREATE')
        throw Response.json(
          { error: 'topic_unknown', message: 'Nobody handles this topic.' },
          { status: 404 },
        );
      handled.push(delivery as unknown as WebhookDelivery);
      await onDelivery?.(delivery as unknown as WebhookDelivery);
      return new Response();
    }
    if (pathname.startsWith('/hooks'))
      return (await shopify.handle(request)) ?? new Response(null, { status: 404 });
    const { session, billing } = await shopify.authenticate.admin(request);
    if (pathname === '/pro') {
      await billing.require({ plans: ['Pro'] });
      return Response.json({ paidBy: session.shop });
    }
    return Response.json({ shop: session.shop });
  };
  const listener: RequestListener = async (req, res) => {
    // Both answer a thrown Response as it is and everything else with 500.
    const response = await route(webRequestOf(req)).catch((thrown: unknown) =>
      thrown instanceof Response
        ? thrown
        : Response.json({ error: 'internal_error' }, { status: 500 }),
    );
    res.statusCode = response.status;
    res.setHeaders(response.headers);
    res.end(Buffer.from(await response.arrayBuffer()));
  };
  return openServer(
    (req, res) => void listener(req, res),
    handled,
    () => shopify.close(),
  );
}

export function webRequestOf(req: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  const body = req.method === 'GET' || req.method === 'HEAD' ? null : streamOf(req);
  return new Request(`http://127.0.0.1${req.url}`, {
    method: req.method ?? 'GET',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
}

/**
 * The body as adapters of Remix hand it on: each piece as it came, which `Readable.toWeb` would
 * copy.
 */
function streamOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        req.pause();
        req.on('data', (piece: Buffer) => {
          controller.enqueue(piece);
          if ((controller.desiredSize ?? 0) <= 0) req.pause();
        });
        req.on('end', () => controller.close());
        req.on('error', (error) => controller.error(error));
      },
      pull: () => void req.resume(),
      cancel: () => void req.destroy(),
    },
    { highWaterMark: req.readableHighWaterMark, size: (piece) => piece.byteLength },
  );
}

/** Every host an app can run in. */
export const HOSTS: readonly Host[] = [
  {
    name: 'Nest on Express',
    exitIframePath: '/exitiframe',
    isWeb: false,
    open: (setup) => openNest(new ExpressAdapter(), setup),
  },
  {
    name: 'Nest on Fastify',
    exitIframePath: '/exitiframe',
    isWeb: false,
    open: (setup) => openNest(new FastifyAdapter(), setup),
  },
  {
    name: 'plain Express',
    exitIframePath: '/exitiframe',
    isWeb: false,
    open: (setup) => openExpress(setup),
  },
  {
    name: 'Remix',
    exitIframePath: '/auth/exit-iframe',
    isWeb: true,
    open: (setup) => openRemix(setup),
  },
  {
    name: 'React Router',
    exitIframePath: '/auth/exit-iframe',
    isWeb: true,
    alwaysEmbedded: true,
    open: (setup) => openReactRouter(setup),
  },
];
