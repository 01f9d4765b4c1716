import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';

import { DevStore, signedWebhook } from '../../lib/dev-store/index.js';
import {
  MemorySessionStorage,
  PlatformModule,
  Session,
  PlatformApi,
  WebhookRegistrar,
} from '../../lib/index.js';
import type { PlatformOptions, RegisterOptions } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { openServer } from '../support/hosts.js';

const SCOPES = ['write_products'];
const USUAL = ['app/uninstalled', 'app/scopes_update'];
const BILLING = ['app_subscriptions/update', 'app_purchases_one_time/update'];
const PLANS = { Pro: { amount: 5, currencyCode: 'USD', interval: 'EVERY_30_DAYS' } } as const;

type Webhooks = PlatformOptions['webhooks'];
type Options = Pick<PlatformOptions, 'webhooks' | 'billing'>;
type Register = (session: Session, options?: RegisterOptions) => Promise<unknown>;
interface Running {
  /** Every way in which the host's apps register webhooks. */
  readonly register: readonly Register[];
  /** Where the host listens. */
  readonly url?: string;
  close(): Promise<void>;
}
type Open = (options: PlatformOptions) => Promise<Running>;

const nest =
  (adapter: () => ExpressAdapter | FastifyAdapter, routes?: boolean): Open =>
  async (options) => {
    @Module({ imports: [PlatformModule.forRoot({ ...options, routes })] })
    class App {}
    const app = await NestFactory.create(App, adapter(), { logger: false, abortOnError: false });
    await app.listen(0, '127.0.0.1');
    const registrar = app.get(WebhookRegistrar);
    const api = app.get(PlatformApi);
    return {
      url: (await app.getUrl()).replace('[::1]', '127.0.0.1'),
      register: [
        (session, given) => registrar.register(session, given),
        (session, given) => api.webhooks.register({ session, ...given }),
      ],
      close: () => app.close(),
    };
  };

const onExpress =
  (mount: (app: express.Express, shopify: ReturnType<typeof expressApp>) => void): Open =>
  async ({ webhooks, sessionStorage, logger: _, ...api }) => {
    const shopify = expressApp({
      api: { ...api, hostName: new URL(APP_URL).host, logger: { log: () => {} } },
      sessionStorage,
      webhooks,
    });
    const app = express();
    mount(app, shopify);
    const server = await openServer(app, [], () => shopify.close());
    return {
      url: server.url,
      register: [
        (session, given) => shopify.registerWebhooks({ session, ...given }),
        (session, given) => shopify.api.webhooks.register({ session, ...given }),
      ],
      close: () => server.close(),
    };
  };

const remix: Open = async (options) => {
  const shopify = remixApp(options as Parameters<typeof remixApp>[0]);
  const listener = async (body: Buffer, headers: Record<string, string>): Promise<number> => {
    const request = new Request(`${APP_URL}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    return shopify.authenticate.webhook(request).then(
      () => 200,
      (thrown: Response) => thrown.status,
    );
  };
  const server = await openServer(
    (req, res) => {
      const pieces: Buffer[] = [];
      req.on('data', (piece: Buffer) => void pieces.push(piece));
      req.on('end', () => {
        void listener(Buffer.concat(pieces), req.headers as Record<string, string>).then((status) =>
          res.writeHead(status).end(),
        );
      });
    },
    [],
    () => shopify.close(),
  );
  return {
    url: server.url,
    register: [
      (session, given) => shopify.registerWebhooks({ session, ...given }),
      (session, given) => shopify.api.webhooks.register({ session, ...given }),
    ],
    close: () => server.close(),
  };
};

const HTTP = { deliveryMethod: 'http', callbackUrl: '/webhooks' } as const;
const ROUTES = onExpress((app, shopify) => void app.use(shopify.routes()));
const BY_ROUTE = onExpress((app, shopify) => void app.post('/webhooks', shopify.processWebhooks()));

describe('the topics the toolkit subscribes to for itself', () => {
  let store: DevStore;
  let session: Session;
  const running: Running[] = [];

  beforeEach(async () => {
    store = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [SHOP],
      fetch: async () => new Response(),
    });
    const accessToken = store.shop(SHOP).install(API_KEY, { scopes: SCOPES });
    const facts = { shop: SHOP, state: '', isOnline: false, scope: SCOPES.join() };
    session = new Session({ ...facts, id: `offline_${SHOP}`, accessToken });
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.close();
    await store.close();
  });

  async function open(host: Open, options: Options = {}): Promise<Running> {
    const sessionStorage = new MemorySessionStorage();
    await sessionStorage.storeSession(session);
    const app = await host(
      appOptions({ shopOrigin: store.shopOrigin, sessionStorage, ...options }) as PlatformOptions,
    );
    running.push(app);
    return app;
  }
  const remote = (): string[] =>
    store
      .shop(SHOP)
      .subscriptions.map(({ topic }) => topic)
      .sort();

  // An app without a webhook route was sent deliveries that it answered with 404.
  it.each<[string, Open, Options, string[]]>([
    ['Express without a webhook route', onExpress(() => {}), { billing: PLANS }, []],
    ['Express with routes()', ROUTES, {}, USUAL],
    ['Express with routes() and billing', ROUTES, { billing: PLANS }, [...USUAL, ...BILLING]],
    ['Express with processWebhooks()', BY_ROUTE, {}, USUAL],
    ['Nest on Express', nest(() => new ExpressAdapter()), {}, USUAL],
    [
      'Nest on Fastify',
      nest(() => new FastifyAdapter()),
      { billing: PLANS },
      [...USUAL, ...BILLING],
    ],
    ['Nest without routes', nest(() => new ExpressAdapter(), false), { billing: PLANS }, []],
    ['Remix without webhooks', remix, { billing: PLANS }, []],
    [
      'Remix with a webhook',
      remix,
      { webhooks: { ORDERS_PAID: HTTP } },
      ['orders/paid', USUAL[0]!],
    ],
  ])('are those it receives: %s', async (_name, host, options, expected) => {
    const { register, url } = await open(host, options);
    for (const one of register) await one(session);
    expect(remote()).toEqual([...expected].sort());
    store.shop(SHOP).uninstallWithDeferredWebhook(API_KEY);
    for (const topic of expected) {
      const payload = { myshopify_domain: SHOP };
      const { headers, body } = signedWebhook({ secret: API_SECRET, shop: SHOP, topic, payload });
      const response = await fetch(`${url}/webhooks`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      expect([topic, response.status]).toEqual([topic, 200]);
    }
  });

  it.each<[string, Webhooks, string[]]>([
    ['all of them', { ownTopics: false }, []],
    ['one of them', { ownTopics: { APP_SCOPES_UPDATE: false } }, ['app/uninstalled']],
    [
      'none, and another one on',
      { ownTopics: { BULK_OPERATIONS_FINISH: true, APP_UNINSTALLED: undefined } },
      [...USUAL, 'bulk_operations/finish'],
    ],
  ])('can be switched off: %s', async (_name, webhooks, expected) => {
    const { register } = await open(ROUTES, { webhooks });
    await register[0]!(session);
    expect(remote()).toEqual([...expected].sort());
  });

  it('are handled, too, when only the configuration of the app on the platform names them', async () => {
    const { url } = await open(ROUTES, { webhooks: { ownTopics: false } });
    const payload = { myshopify_domain: SHOP };
    store.shop(SHOP).uninstallWithDeferredWebhook(API_KEY);
    for (const topic of [...USUAL, 'bulk_operations/finish']) {
      const { headers, body } = signedWebhook({ secret: API_SECRET, shop: SHOP, topic, payload });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      expect((await fetch(`${url}/webhooks`, init)).status).toBe(200);
    }
  });

  it('are not listed among the topics of the app', async () => {
    const shopify = expressApp({
      api: { ...appOptions(), hostName: new URL(APP_URL).host },
      webhooks: { APP_SCOPES_UPDATE: () => {} },
    });
    shopify.routes();
    expect(shopify.api.webhooks.getTopicsAdded()).toEqual(['APP_SCOPES_UPDATE']);
    expect(shopify.api.webhooks.getHandlers('APP_SCOPES_UPDATE')).toHaveLength(1);
    expect(shopify.api.webhooks.getHandlers('BULK_OPERATIONS_FINISH')).toEqual([]);
    await shopify.close();
  });

  it.each<[string, Open, Webhooks]>([
    ['Express', ROUTES, { ownTopics: false }],
    ['Nest', nest(() => new ExpressAdapter()), { ownTopics: false }],
    ['Remix', remix, {}],
  ])(
    'and those of the app are taken back by pruning, wherever it is asked for: %s',
    async (_name, host, webhooks) => {
      const before = await open(ROUTES, { webhooks: { ORDERS_PAID: HTTP }, billing: PLANS });
      const after = await open(host, { webhooks });
      for (const prune of after.register) {
        await before.register[0]!(session);
        expect(remote()).toHaveLength(5);
        await after.register[0]!(session);
        expect(remote()).toHaveLength(5);
        await prune(session, { prune: true });
        expect(remote()).toEqual([]);
      }
    },
  );
});
