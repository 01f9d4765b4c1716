import { Injectable, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import type { DevShop, SignedWebhookOptions } from '../../lib/dev-store/index.js';
import {
  InvalidWebhookError,
  MemorySessionStorage,
  Session,
  WebhookHandler,
} from '../../lib/index.js';
import type { PlatformOptions } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { openExpress, openNest, openServer } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';
import { HurriedClock } from '../support/hurried.clock.js';

export const OTHER = 'attacker.myshopify.com';
export const SCOPES = ['write_products'];
/** As the platform describes a shop in the payload of `app/uninstalled`. */
export const shopFacts = (shop: string): object => ({
  id: 1,
  name: 'A shop',
  domain: 'www.example.com',
  myshopify_domain: shop,
});

/** A delivery as somebody else made it out of signed bytes. */
export type Delivery = Partial<SignedWebhookOptions>;

/** Takes a delivery to an app and tells how it was answered. */
export type Deliver = (delivery: ReturnType<typeof signedWebhook>) => Promise<Response>;

interface RunningApp {
  readonly deliver: Deliver;
  close(): Promise<void>;
}

/** What an app is made with, and what it does when it hears of an uninstallation. */
interface AppSetup {
  readonly options: PlatformOptions;
  readonly onUninstalled: (shop: string) => unknown;
}

/** A way on which deliveries reach the code of an app. */
export interface Entrance {
  readonly name: string;
  open(setup: AppSetup): Promise<RunningApp>;
}

function decorated(onUninstalled: AppSetup['onUninstalled']): DynamicModule {
  @Injectable()
  class Uninstallations {
    @WebhookHandler('APP_UNINSTALLED')
    async handle({ shop }: { shop: string }): Promise<void> {
      await onUninstalled(shop);
    }
  }
  @Module({})
  class UninstallationsModule {}
  return { module: UninstallationsModule, providers: [Uninstallations] };
}

const served = (host: RunningHost): RunningApp => ({
  deliver: ({ headers, body }) =>
    fetch(`${host.url}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) }),
  close: () => host.close(),
});
const requestOf = ({ headers, body }: ReturnType<typeof signedWebhook>): Request =>
  new Request(`${APP_URL}/webhooks`, { method: 'POST', headers, body: new Uint8Array(body) });
const expressOptions = ({
  apiKey,
  apiSecretKey,
  scopes,
  apiVersion,
  clock,
  logger,
  shopOrigin,
  ...rest
}: PlatformOptions) => ({
  ...rest,
  api: {
    apiKey,
    apiSecretKey,
    scopes,
    apiVersion,
    clock,
    logger,
    shopOrigin,
    hostName: new URL(APP_URL).host,
    hostScheme: 'https',
  },
  auth: { path: '/auth', callbackPath: '/auth/callback' },
});
const remixOptions = (options: PlatformOptions): Parameters<typeof remixApp>[0] =>
  ({ ...options, scopes: SCOPES }) as Parameters<typeof remixApp>[0];

/** Every host, and every shape that a handler of `APP_UNINSTALLED` can have. */
export const ENTRANCES: readonly Entrance[] = [
  {
    name: 'Nest on Express with a decorated method',
    open: async ({ options, onUninstalled }) =>
      served(
        await openNest(new ExpressAdapter(), { options, modules: [decorated(onUninstalled)] }),
      ),
  },
  {
    name: 'Nest on Fastify with a handler among the options',
    open: async ({ options, onUninstalled }) => {
      const callback = async (_topic: string, shop: string): Promise<void> =>
        void (await onUninstalled(shop));
      const webhooks = {
        APP_UNINSTALLED: { deliveryMethod: 'http', callbackUrl: '/webhooks', callback },
      } as const;
      return served(await openNest(new FastifyAdapter(), { options: { ...options, webhooks } }));
    },
  },
  {
    name: 'Express with routes() and a decorated method',
    open: async ({ options, onUninstalled }) =>
      served(await openExpress({ options, modules: [decorated(onUninstalled)] })),
  },
  {
    name: 'Express with processWebhooks()',
    open: async ({ options, onUninstalled }) => {
      const shopify = expressApp({
        ...expressOptions(options),
        webhooks: { path: '/webhooks' },
      } as Parameters<typeof expressApp>[0]);
      const app = express();
      const APP_UNINSTALLED = async (_topic: string, shop: string): Promise<void> =>
        void (await onUninstalled(shop));
      app.post('/webhooks', shopify.processWebhooks({ webhookHandlers: { APP_UNINSTALLED } }));
      return served(await openServer(app, [], () => shopify.close()));
    },
  },
  {
    name: 'Remix with handle() and an added handler',
    open: async ({ options, onUninstalled }) => {
      const shopify = remixApp(remixOptions(options));
      shopify.api.webhooks.addHandlers({
        'app/uninstalled': async (_topic, shop) => void (await onUninstalled(shop)),
      });
      return {
        deliver: async (delivery) => (await shopify.handle(requestOf(delivery)))!,
        close: () => shopify.close(),
      };
    },
  },
  {
    name: 'Remix with an action that deletes the sessions by itself',
    open: async ({ options, onUninstalled }) => {
      const shopify = remixApp(remixOptions(options));
      const action = async (request: Request): Promise<Response> => {
        const { shop } = await shopify.authenticate.webhook(request);
        await onUninstalled(shop);
        const sessions = await shopify.sessionStorage.findSessionsByShop(shop);
        await shopify.sessionStorage.deleteSessions(sessions.map(({ id }) => id));
        return new Response();
      };
      const deliver: Deliver = (delivery) =>
        action(requestOf(delivery)).catch((thrown: unknown) =>
          thrown instanceof Response ? thrown : new Response('', { status: 500 }),
        );
      return { deliver, close: () => shopify.close() };
    },
  },
  {
    name: 'api.webhooks.process()',
    open: async ({ options, onUninstalled }) => {
      const { api, close } = remixApp(remixOptions(options));
      api.webhooks.addHandlers({
        APP_UNINSTALLED: async (_topic, shop) => void (await onUninstalled(shop)),
      });
      const deliver: Deliver = async (delivery) => {
        const given = { rawBody: delivery.body, rawRequest: requestOf(delivery) };
        const status = await api.webhooks.process(given).then(
          (reply) => reply.status,
          (error: unknown) =>
            error instanceof InvalidWebhookError ? error.response.statusCode : 500,
        );
        return new Response(null, { status });
      };
      return { deliver, close };
    },
  },
];

/** What failed last is thrown once by what the app does on an uninstallation. */
export interface Failing {
  hook: boolean;
}

/** A shop that has the app, the app, and whoever posts to it what the app's secret has signed. */
export class Uninstalling {
  /** What the app was told, and by whom. */
  readonly told: string[] = [];
  readonly logged: string[] = [];
  readonly failing: Failing = { hook: false };
  readonly #opened: { close(): Promise<void> }[] = [];

  private constructor(
    readonly store: DevStore,
    readonly storage: MemorySessionStorage,
  ) {}

  static async open(
    entrance: Entrance,
    storageOf = (inner: MemorySessionStorage): PlatformOptions['sessionStorage'] => inner,
  ) {
    const apps = [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }];
    const store = await DevStore.open({
      apps,
      shops: [SHOP, OTHER],
      fetch: async () => new Response(),
    });
    const opened = new Uninstalling(store, new MemorySessionStorage());
    const onUninstall = ({ shop }: { shop: string }): void => {
      opened.told.push(`hook ${shop}`);
      if (!opened.failing.hook) return;
      opened.failing.hook = false;
      throw new Error('no');
    };
    const { shopOrigin } = store;
    const clock = new HurriedClock(store.clock);
    const logger = {
      level: 3,
      log: (_severity: number, line: string) => void opened.logged.push(line),
    };
    const sessionStorage = storageOf(opened.storage);
    const options = appOptions({
      hooks: {
        onUninstall,
        onReauthorizationNeeded: () => void opened.told.push('reauthorization needed'),
      },
      ...{ shopOrigin, clock, logger, sessionStorage },
    });
    const app = await entrance.open({
      options,
      onUninstalled: (shop) => opened.told.push(`handler ${shop}`),
    });
    opened.#opened.push(app, store);
    opened.deliver = app.deliver;
    return opened;
  }

  /** Takes bytes that are signed to the app. */
  deliver!: Deliver;

  get shop(): DevShop {
    return this.store.shop(SHOP);
  }

  /**
   * The shop installs the app, which keeps a token that never expires, or one with a refresh token.
   */
  async install({ expiring = false } = {}): Promise<Session> {
    const accessToken = this.shop.install(API_KEY, { scopes: SCOPES });
    const facts = {
      id: `offline_${SHOP}`,
      shop: SHOP,
      state: '',
      isOnline: false,
      scope: SCOPES.join(),
    };
    if (!expiring) return this.#store(new Session({ ...facts, accessToken }));
    const { access, refreshToken, refreshExpiresAt } = this.shop.issueExpiringTokens(API_KEY);
    const times = { expires: access.expiresAt!, refreshTokenExpires: refreshExpiresAt };
    return this.#store(
      new Session({ ...facts, ...times, accessToken: access.token, refreshToken }),
    );
  }

  /** The shop installs the app, of which a user's session alone is kept. */
  async installForUser(): Promise<Session> {
    this.shop.install(API_KEY, { scopes: SCOPES });
    const { token, expiresAt } = this.shop.issueOnlineToken(API_KEY);
    const onlineAccessInfo = { associated_user: { id: 7 } };
    const facts = { shop: SHOP, state: '', isOnline: true, onlineAccessInfo, scope: SCOPES.join() };
    return this.#store(
      new Session({ ...facts, id: `${SHOP}_7`, accessToken: token, expires: expiresAt! }),
    );
  }

  /** The shop uninstalls the app, which has yet to hear of it. */
  uninstall(): void {
    this.shop.uninstallWithDeferredWebhook(API_KEY);
  }

  /** Posts what claims to be an uninstallation of the shop; answers the status. */
  async claim(delivery: Delivery): Promise<number> {
    const { status } = await this.deliver(this.signed(delivery));
    return status;
  }

  signed(delivery: Delivery): ReturnType<typeof signedWebhook> {
    return signedWebhook({ secret: API_SECRET, shop: SHOP, topic: 'app/uninstalled', ...delivery });
  }

  /** The session of the shop as it is by now. */
  async stored(): Promise<Session> {
    const [session] = await this.storage.findSessionsByShop(SHOP);
    return session!;
  }

  /** How many sessions of the shop are stored. */
  async sessions(): Promise<number> {
    return (await this.storage.findSessionsByShop(SHOP)).length;
  }

  async close(): Promise<void> {
    for (const one of this.#opened.splice(0)) await one.close();
  }

  async #store(session: Session): Promise<Session> {
    await this.storage.storeSession(session);
    return session;
  }
}
