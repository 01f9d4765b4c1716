import { inspect } from 'node:util';

import {
  Controller,
  ForbiddenException,
  Get,
  Injectable,
  Module,
  Post,
  UseGuards,
} from '@nestjs/common';
import type { CanActivate, ExecutionContext, OnModuleDestroy } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';

import {
  AdminApi,
  AppProxy,
  AppProxyGuard,
  AuthService,
  AuthenticatedSessionGuard,
  BillingApi,
  BillingInterval,
  CurrentSession,
  InvalidOptionsError,
  OnInstalled,
  Payload,
  PlatformApi,
  PlatformModule,
  RequiresPlan,
  SessionBilling,
  SessionNotFoundError,
  Shop,
  TokenManager,
  WebhookContext,
  WebhookHandler,
} from '../../lib/index.js';
import type {
  AdminContext,
  AppProxyContext,
  InstallContext,
  PlatformOptions,
  Session,
  WebhookDelivery,
} from '../../lib/index.js';
import {
  PlatformTestingModule,
  SessionGrantingGuard,
  grantSession,
} from '../../lib/testing/index.js';
import type { PlatformTestingOptions } from '../../lib/testing/index.js';
import { SessionStorage } from '../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';

const OPTIONS: PlatformOptions = {
  apiVersion: '2026-07',
  scopes: ['write_products'],
  logger: { log: () => {} },
  billing: {
    Pro: { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days },
  },
};
const KEYS = { apiKey: 'a', apiSecretKey: 'of-a', appUrl: 'https://a.example' };
const SHOP = 'dev-shop.myshopify.com';

/** What the app was told, in order. */
const events: string[] = [];

@Injectable()
class Products {
  @OnInstalled()
  onInstalled({ session }: InstallContext): void {
    events.push(`installed ${session.shop}`);
  }

  @WebhookHandler('PRODUCTS_CREATE')
  async onProduct(
    @Payload() { title }: { title: string },
    @Shop() shop: string,
    @WebhookContext() { admin }: WebhookDelivery,
  ): Promise<void> {
    const reply = await admin?.graphql('{ shop { myshopifyDomain } }');
    events.push(`${title} of ${shop} ${JSON.stringify(reply?.data)}`);
  }
}

@Controller()
class Pages {
  @Get('session')
  @UseGuards(AuthenticatedSessionGuard)
  session(@CurrentSession() session: Session): object {
    return { shop: session.shop, isOnline: session.isOnline };
  }

  @Post('products')
  @UseGuards(AuthenticatedSessionGuard)
  async create(@AdminApi() admin: AdminContext): Promise<unknown> {
    const mutation = 'mutation { productCreate(product: { title: "Hat" }) { product { title } } }';
    return (await admin.graphql(mutation)).data;
  }

  @Get('paid')
  @RequiresPlan('Pro')
  async paid(@BillingApi() billing: SessionBilling): Promise<object> {
    return { active: (await billing.check()).hasActivePayment };
  }

  @Get('proxy')
  @UseGuards(AppProxyGuard)
  proxy(@AppProxy() { shop, session }: AppProxyContext): object {
    return { shop, hasSession: session !== undefined };
  }
}

@Module({
  imports: [PlatformModule.forRoot(OPTIONS)],
  controllers: [Pages],
  providers: [Products],
})
class AppModule {}

let close = async (): Promise<void> => {};
afterEach(async () => {
  events.length = 0;
  await close();
  close = async () => {};
});

/** How many servers listen in this process. */
const servers = (): number =>
  process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length;

async function open(given: Partial<PlatformTestingOptions> = {}): Promise<PlatformTestingModule> {
  const testing = await PlatformTestingModule.create({ imports: [AppModule], ...given });
  close = () => testing.close();
  return testing;
}
const as = (testing: PlatformTestingModule, shop?: string) => ({
  headers: { authorization: `Bearer ${testing.sessionToken(shop)}` },
});

describe.each([
  ['Express', () => undefined],
  ['Fastify', () => new FastifyAdapter()],
])('a testing module on %s', (_, adapterOf) => {
  it('walks from the installation to a token, a webhook, the Admin API and a plan', async () => {
    const adapter = adapterOf();
    const testing = await open({ ...(adapter && { adapter }) });
    const shop = testing.shop();

    // The merchant consents; the first request exchanges its session token.
    expect((await testing.fetch('/session', as(testing))).status).toBe(403);
    shop.install(testing.config.apiKey, { scopes: ['write_products'] });
    const session = await testing.fetch('/session', as(testing));
    expect([session.status, await session.json()]).toEqual([200, { shop: SHOP, isOnline: false }]);
    expect(events).toEqual([`installed ${SHOP}`]);
    expect(shop.subscriptions.map(({ topic }) => topic)).toContain('products/create');

    // What the app creates comes back as a webhook, whose handler asks the Admin API.
    const created = await testing.fetch('/products', { method: 'POST', ...as(testing) });
    expect(await created.json()).toEqual({ productCreate: { product: { title: 'Hat' } } });
    await testing.store.settled();
    const data = JSON.stringify({ shop: { myshopifyDomain: SHOP } });
    expect(events.slice(1)).toEqual([`Hat of ${SHOP} ${data}`]);

    // A page that needs a plan, before and after the merchant has approved the charge.
    const asked = await testing.fetch('/paid', as(testing));
    expect(asked.status).toBe(403);
    const [charge] = shop.billing.subscriptionsOf(testing.config.apiKey);
    shop.billing.approve(charge!.id);
    await testing.store.settled();
    testing.advance(2 * 60_000);
    const paid = await testing.fetch('/paid', as(testing));
    expect([paid.status, await paid.json()]).toEqual([200, { active: true }]);

    await shop.uninstall(testing.config.apiKey);
    expect(await testing.sessionStorage.findSessionsByShop!(SHOP)).toEqual([]);
  });
});

describe('a testing module', () => {
  it('seeds sessions of shops, without an event', async () => {
    const shops = ['one.myshopify.com', 'two.myshopify.com'];
    const testing = await open({ store: { shops } });
    const stored = await testing.install({ shop: shops[1]! });
    expect([stored.shop, stored.scope]).toEqual([shops[1], 'write_products']);
    expect(await (await testing.fetch('/session', as(testing, shops[1]))).json()).toMatchObject({
      shop: shops[1],
    });
    expect(events).toEqual([]);
    expect((await testing.fetch('/session', as(testing, shops[0]))).status).toBe(403);
    expect(await (await testing.get(TokenManager).session(shops[1]!)).accessToken).toBe(
      stored.accessToken,
    );
  });

  it('delivers webhooks of its own, once each', async () => {
    const testing = await open();
    await testing.install();
    const send = () =>
      testing.deliver('products/create', { title: 'Cap' }, { webhookId: 'the-same' });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect(events).toEqual([expect.stringContaining('Cap')]);
    expect((await testing.deliver('PRODUCTS_CREATE', {}, { path: '/other' })).status).toBe(404);
  });

  it('lets session tokens expire on its clock', async () => {
    const testing = await open();
    await testing.install();
    const init = as(testing);
    expect((await testing.fetch('/session', init)).status).toBe(200);
    testing.advance(80_000);
    expect((await testing.fetch('/session', init)).status).toBe(401);
    expect((await testing.fetch('/session', as(testing))).status).toBe(200);
  });

  it('serves an app proxy that is registered', async () => {
    const testing = await open({ registration: { appProxy: { url: '/', subpath: 'test' } } });
    const url = new URL(testing.shop().appProxyUrl(testing.config.apiKey, '/proxy'));
    const reply = await testing.fetch(url.pathname + url.search);
    expect([reply.status, await reply.json()]).toEqual([200, { shop: SHOP, hasSession: false }]);
  });

  it('keeps the options of the app, but for those of the test', async () => {
    const testing = await open({
      options: { apiKey: 'another-key', webhooks: { path: '/hooks' } },
      prepare: (app) => app.setGlobalPrefix('api'),
    });
    expect(testing.config.apiKey).toBe('another-key');
    expect(testing.config.paths.webhooks).toBe('/api/hooks');
    expect((await testing.deliver('PRODUCTS_CREATE', { title: 'Hat' })).status).toBe(200);
  });

  it('leaves the queue of the app alone, and uses one of the test', async () => {
    const queueOf = (owner: string) => ({
      create: () => {
        throw new Error(`a queue of the ${owner}`);
      },
    });
    const imports = [
      PlatformModule.forRoot({ ...OPTIONS, webhooks: { path: '/hooks', queue: queueOf('app') } }),
    ];
    const testing = await open({ imports, providers: [Products] });
    expect(testing.config.paths.webhooks).toBe('/hooks');
    expect((await testing.deliver('PRODUCTS_CREATE', { title: 'Hat' })).status).toBe(200);
    expect(events).toEqual([expect.stringContaining('Hat')]);
    const options = { webhooks: { queue: queueOf('test') } };
    await expect(PlatformTestingModule.create({ imports, options })).rejects.toThrow(
      'a queue of the test',
    );
  });

  // The scopes of the machine were those of the app, and its port that of the address.
  it('takes nothing from the environment of the machine', async () => {
    const names = ['SCOPES', 'PORT', 'HOST', 'NODE_ENV'] as const;
    const before = names.map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, {
      ...{ SCOPES: 'read_everything', PORT: '4321' },
      ...{ HOST: 'https://machine.example.com', NODE_ENV: 'production' },
    });
    try {
      const { config } = await open({
        imports: [PlatformModule.forRoot({ apiVersion: '2026-07' })],
        options: { appUrl: 'http://localhost' },
      });
      expect([config.scopes, config.appUrl, config.isProduction]).toEqual([
        undefined,
        'http://localhost',
        false,
      ]);
    } finally {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
  });

  it('has a storage made, and closed with the app', async () => {
    let closed = 0;
    const made = Object.assign(new MemorySessionStorage(), { close: async () => void closed++ });
    const testing = await open({ options: { sessionStorage: () => made } });
    await testing.install();
    expect(testing.sessionStorage === made).toBe(true);
    expect(await made.findSessionsByShop(testing.shop().domain)).toHaveLength(1);
    await testing.app.close();
    expect(closed).toBe(1);
  });

  it('has the storage that was made as it is, also where its calls are limited in time', async () => {
    class Own extends SessionStorage {
      readonly sessions = new MemorySessionStorage();
      storeSession = (session: Session): Promise<boolean> => this.sessions.storeSession(session);
      loadSession = (id: string): Promise<Session | undefined> => this.sessions.loadSession(id);
      deleteSession = (id: string): Promise<boolean> => this.sessions.deleteSession(id);
      deleteSessions = (ids: string[]): Promise<boolean> => this.sessions.deleteSessions(ids);
      findSessionsByShop = (shop: string): Promise<Session[]> =>
        this.sessions.findSessionsByShop(shop);
    }
    const made = new Own();
    const testing = await open({ options: { sessionStorage: () => made } });
    expect(testing.sessionStorage === made).toBe(true);
  });

  it('tests a named app with its own objects', async () => {
    const name = 'b';
    const imports = [
      PlatformModule.forRoot({ ...OPTIONS, ...KEYS }),
      PlatformModule.forRootAsync({
        name,
        paths: { auth: '/b/auth', webhooks: '/b/webhooks', exitIframe: '/b/exitiframe' },
        useFactory: () => ({ ...OPTIONS, apiKey: 'key-of-b' }),
      }),
    ];
    const testing = await open({ name, imports });
    expect(testing.config.apiKey).toBe('key-of-b');
    expect(testing.config.paths.auth).toBe('/b/auth');
    // It has no handler of the topic, and another secret than the other app.
    expect((await testing.deliver('PRODUCTS_CREATE', {})).status).toBe(404);
    expect((await testing.deliver('PRODUCTS_CREATE', {}, { path: '/webhooks' })).status).toBe(401);
  });

  it('reaches no shop but those of its store', async () => {
    const testing = await open({ options: { shopOrigin: (shop) => `https://${shop}` } });
    const session = await testing.install();
    const { clients } = testing.get(PlatformApi);
    const call = new clients.Graphql({ session }).request('{ shop { name } }');
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(inspect(error)).toContain('no shop of its store');
  });

  it('says which module it misses, and which options', async () => {
    for (const given of [
      { imports: [] },
      { imports: [PlatformModule.forRoot({ ...OPTIONS, ...KEYS })], name: 'c' },
    ])
      await expect(PlatformTestingModule.create(given)).rejects.toThrow(
        /imports: no imported module/,
      );
    await expect(open({ options: { apiVersion: 'soon' } })).rejects.toThrow(InvalidOptionsError);
  });
});

describe('a testing module that fails', () => {
  it('closes the modules whose app is not made, and keeps the first error', async () => {
    let closed = 0;
    class Resource implements OnModuleDestroy {
      onModuleDestroy(): void {
        closed++;
        throw new Error('not closed');
      }
    }
    const before = servers();
    const adapter = new Proxy(new FastifyAdapter(), {
      get(target, name): unknown {
        if (name === 'initHttpServer') throw new Error('no server');
        return Reflect.get(target, name, target);
      },
    });
    await expect(open({ adapter, providers: [Resource] })).rejects.toThrow('no server');
    expect([closed, servers()]).toEqual([1, before]);
  });

  it('closes its store when the app does not shut down', async () => {
    const testing = await open({
      prepare: (app) => {
        const adapter = app.getHttpAdapter();
        const shutDown = adapter.close.bind(adapter);
        adapter.close = async () => {
          await shutDown();
          throw new Error('not closed');
        };
      },
    });
    const { origin } = testing.shop();
    expect((await fetch(origin)).status).toBeGreaterThan(0);
    close = async () => {};
    await expect(testing.close()).rejects.toThrow('not closed');
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
  });
});

describe('what a test overrides', () => {
  it('reaches all that depends on it', async () => {
    const denied = { kind: 'denied', status: 418, reason: 'teapot', message: 'No coffee.' };
    const testing = await open({
      override: (builder) =>
        builder
          .overrideProvider(AuthService)
          .useValue({ authenticateAdmin: () => Promise.resolve(denied) }),
    });
    const reply = await testing.fetch('/session', as(testing));
    expect([reply.status, await reply.json()]).toEqual([
      418,
      { statusCode: 418, error: 'teapot', message: 'No coffee.' },
    ]);
  });

  it('may be the session guard, with a session of the test', async () => {
    const testing = await open({
      override: (builder) =>
        builder.overrideGuard(AuthenticatedSessionGuard).useClass(SessionGrantingGuard.for(SHOP)),
    });
    const unknown = await testing.fetch('/session');
    expect(unknown.status).toBe(500);
    await testing.install();
    expect(await (await testing.fetch('/session')).json()).toEqual({ shop: SHOP, isOnline: false });
    const created = await testing.fetch('/products', { method: 'POST' });
    expect(await created.json()).toEqual({ productCreate: { product: { title: 'Hat' } } });
    // A plan is still asked for.
    expect((await testing.fetch('/paid')).status).not.toBe(200);
  });

  it('may be a guard of the test that decides by itself', async () => {
    class Guard implements CanActivate {
      static opened: PlatformTestingModule | undefined;

      async canActivate(context: ExecutionContext): Promise<boolean> {
        const shop = context.switchToHttp().getRequest<{ headers: Record<string, string> }>()
          .headers['x-shop'];
        if (shop === undefined) throw new ForbiddenException();
        const { app } = Guard.opened!;
        await expect(grantSession(context, app, 'none.myshopify.com')).rejects.toThrow(
          SessionNotFoundError,
        );
        return grantSession(context, app, await Guard.opened!.install({ shop }));
      }
    }
    const testing = await open({
      override: (builder) => builder.overrideGuard(AuthenticatedSessionGuard).useClass(Guard),
    });
    Guard.opened = testing;
    expect((await testing.fetch('/session')).status).toBe(403);
    const granted = await testing.fetch('/session', { headers: { 'x-shop': SHOP } });
    expect(await granted.json()).toEqual({ shop: SHOP, isOnline: false });
  });
});
