import { afterEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';

import {
  BootError,
  InvalidOptionsError,
  platformApp,
  shopifyApp,
} from '../../../lib/integrations/express/index.js';
import type { ExpressAppOptions } from '../../../lib/integrations/express/index.js';
import { toPlatformOptions } from '../../../lib/integrations/express/express.options.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, appOptions } from '../../support/app.js';
import { FiveMethods } from '../../support/five-methods.js';
import { openApp } from './express.fixture.js';
import type { RunningApp } from './express.fixture.js';

const { scopes, apiVersion, logger } = appOptions();
const API = {
  apiKey: API_KEY,
  apiSecretKey: API_SECRET,
  scopes,
  apiVersion,
  hostName: 'app.example.com',
  logger,
};

/** The names of the options that a call complains about. */
function problemsOf(options: unknown): string[] {
  try {
    platformApp(options as ExpressAppOptions);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems.map(({ option }) => option);
    throw error;
  }
  throw new Error('The options were accepted.');
}

describe('platformApp of Express', () => {
  const VARIABLES = [
    'PLATFORM_API_KEY',
    'PLATFORM_API_SECRET',
    'SHOPIFY_API_KEY',
    'SHOPIFY_API_SECRET',
    'SCOPES',
    'HOST',
  ] as const;
  const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  const apps: { close(): Promise<void> }[] = [];
  const create = (options: ExpressAppOptions) => {
    const app = platformApp(options);
    apps.push(app);
    return app;
  };
  const environment = (variables: Partial<Record<(typeof VARIABLES)[number], string>>): void => {
    for (const name of VARIABLES) {
      if (variables[name] === undefined) delete process.env[name];
      else process.env[name] = variables[name];
    }
  };
  afterEach(async () => {
    environment(before);
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });

  it('goes by both names', () => {
    expect(shopifyApp).toBe(platformApp);
  });

  it('reports every problem at once, under the names its caller wrote', () => {
    environment({});
    expect(problemsOf({}).sort()).toEqual([
      'api.apiKey',
      'api.apiSecretKey',
      'api.apiVersion',
      'api.hostName',
    ]);
  });

  it('gives back the storage that it was given, of whatever class', () => {
    for (const sessionStorage of [new MemorySessionStorage(), new FiveMethods()]) {
      const app = platformApp({ api: API, sessionStorage } as ExpressAppOptions);
      expect(app.config.sessionStorage).toBe(sessionStorage);
    }
  });

  it.each<[string, object]>([
    ['auth.path', { auth: { path: 'auth' } }],
    ['auth.callbackPath', { auth: { path: '/auth', callbackPath: '//evil.example.com' } }],
    ['exitIframePath', { exitIframePath: 'exit iframe' }],
    ['webhooks.path', { webhooks: { path: 'hooks' } }],
    ['webhooks.bodyLimit', { webhooks: { bodyLimit: 0 } }],
    ['webhooks.bodyMemoryLimit', { webhooks: { bodyLimit: 2000, bodyMemoryLimit: 1000 } }],
    [
      'webhooks.PRODUCTS_CREATE.deliveryMethod',
      { webhooks: { PRODUCTS_CREATE: { deliveryMethod: 'pigeon' } } },
    ],
    ['sessionStorage', { sessionStorage: {} }],
    ['useOnlineTokens', { useOnlineTokens: 'yes' }],
    ['hooks.afterAuth', { hooks: { afterAuth: true } }],
    ['api.shopOrigin', { api: { ...API, shopOrigin: 'http://localhost' } }],
  ])('names %s', (name, options) => {
    expect(problemsOf({ api: API, ...options })).toEqual([name]);
  });

  it('says what is wrong with the parts of the address, and with what is no list of modules', () => {
    environment({});
    const wrong = { api: { ...API, hostScheme: 'ftp', hostName: 'a b c' }, modules: 5 };
    expect(problemsOf(wrong)).toEqual(
      expect.arrayContaining(['api.hostScheme', 'api.hostName', 'modules']),
    );
  });

  it.each([
    ['api.hostName', { api: { ...API, hostName: 5 } }],
    ['auth', { api: API, auth: '/auth' }],
    ['userAgentPrefix', { api: API, userAgentPrefix: 5 }],
    ['api.useOnlineTokens', { api: { ...API, useOnlineTokens: 5 } }],
    ['webhooks.bodylimit', { api: API, webhooks: { bodylimit: 5 } }],
    ['modules', { api: API, modules: null }],
    ['modules.0', { api: API, modules: [undefined] }],
  ])('names %s when it is of another type', (name, options) => {
    expect(problemsOf(options)).toContain(name);
  });

  it('mentions options it does not know, once it has booted without them', () => {
    const lines: string[] = [];
    const api = {
      ...API,
      logger: { log: (_: number, line: string) => void lines.push(line) },
      apikey: 'typo',
      future: { expiringTokens: true },
    };
    const auth = { path: '/login', callbackpath: '/back', none: undefined };
    const hooks = { afterauth: () => {} };
    const misspelt = { api, sessionStorag: {}, auth, hooks, paths: { auth: '/auth' } };
    create(misspelt as unknown as ExpressAppOptions);
    // Each by the name that the app has written: some were left out, others called `api.…`.
    expect(lines.filter((line) => line.includes('Unknown options'))).toEqual([
      expect.stringContaining(
        'are ignored: api.apikey, sessionStorag, hooks.afterauth, auth.callbackpath, paths.',
      ),
    ]);
    expect(lines.join()).toContain('api.future.expiringTokens');
  });

  it.each([
    ['api.paths', { paths: { auth: '/in' } }, {}],
    ['api.auth', { auth: '/in' }, { auth: { path: '/login' } }],
    ['api.auth', { auth: '/in' }, {}],
    ['foo, api.foo', { foo: 1 }, { foo: 2 }],
    ['api.hooks', { hooks: { afterauth: () => {} } }, { hooks: { afterAuth: () => {} } }],
    ['api.modules', { modules: [] }, { modules: [] }],
    ['hostName', { isCustomStoreApp: false }, { hostName: 'other.example.com' }],
  ])('names %s, which has no effect in `api` or beside it', (names, inApi, beside) => {
    const lines: string[] = [];
    const logger = { log: (_: number, line: string) => void lines.push(line) };
    create({ api: { ...API, logger, ...inApi }, ...beside } as ExpressAppOptions);
    expect(lines.filter((line) => line.includes('Unknown options'))).toEqual([
      expect.stringContaining(`are ignored: ${names}. Check`),
    ]);
  });

  it('reads what it is not told from the environment', () => {
    environment({
      SHOPIFY_API_KEY: 'key',
      SHOPIFY_API_SECRET: 'hush',
      SCOPES: 'read_products, write_orders',
      HOST: 'https://env.example.com',
    });
    const { config } = create({ api: { apiVersion: API.apiVersion, logger: API.logger! } }).api;
    expect(config.apiKey).toBe('key');
    expect(config.appUrl).toBe('https://env.example.com');
    expect(config.scopes?.toArray()).toEqual(['read_products', 'write_orders']);
  });

  it.each([
    ['app.example.com', undefined, 'https://app.example.com'],
    ['localhost:3000', 'http', 'http://localhost:3000'],
    ['https://app.example.com/', undefined, 'https://app.example.com'],
  ] as const)(
    'puts the host %j with the scheme %j together to %s',
    (hostName, hostScheme, appUrl) => {
      expect(create({ api: { ...API, hostName, hostScheme } }).api.config.appUrl).toBe(appUrl);
    },
  );

  it('shows the paths to wire routes with, defaults filled in', () => {
    const { config } = create({ api: API, auth: { path: '/login' } });
    expect(config.auth).toEqual({ path: '/login', callbackPath: '/login/callback' });
    expect([config.webhooks.path, config.exitIframePath]).toEqual(['/webhooks', '/exitiframe']);
  });

  it('shows the hooks and flags it was made with', () => {
    const hooks = { afterAuth: () => {} };
    const future = { expiringOfflineAccessTokens: true };
    const { config } = create({ api: API, hooks, future });
    expect(config.hooks).toBe(hooks);
    expect(config.future).toEqual(future);
    expect(create({ api: API }).config.hooks).toEqual({});
  });

  it('takes a custom app by the name the ecosystem knows', () => {
    const api = {
      ...API,
      apiKey: undefined,
      isCustomStoreApp: true,
      adminApiAccessToken: 'shpat_fixed',
    };
    expect(create({ api }).api.config.isCustomStoreApp).toBe(true);
  });

  it('refuses at once to require a plan that no shop could pay for', () => {
    const { requirePlan } = create({ api: API });
    expect(() => requirePlan({ plans: [] })).toThrow('No plan is named');
    expect(() => requirePlan({ plans: 'Pro', plan: 'Basic' })).toThrow(
      'Plan Basic is not among those that are required: Pro.',
    );
    expect(() => requirePlan({ plans: 'Pro', onFailure: 'denied' as 'deny' })).toThrow(
      "must be 'request', 'deny' or a function",
    );
  });

  it('keeps secrets and ports when it maps the options', () => {
    const clock = { now: () => new Date(0), sleep: async () => {} };
    const api = { ...API, apiSecretKey: ['new', 'old'], fetch: globalThis.fetch, clock };
    expect(toPlatformOptions({ api, useOnlineTokens: true })).toMatchObject({
      apiSecretKey: ['new', 'old'],
      clock,
      useOnlineTokens: true,
    });
  });

  describe('with a module that cannot be built', () => {
    class Missing {}
    @Module({ providers: [{ provide: 'broken', useFactory: () => 1, inject: [Missing] }] })
    class BrokenModule {}

    let app: RunningApp | undefined;
    afterEach(() => app?.close());

    it('answers at once and fails on first use, with the cause', async () => {
      const shopify = create({ api: API, modules: [BrokenModule] });
      const failure = await shopify.ready().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(BootError);
      expect((failure as BootError).cause).toBeInstanceOf(Error);
    });

    it('hands the failure to Express, and answers where nobody listens to a promise', async () => {
      app = await openApp(
        (router, shopify) => {
          router.get('/auth', shopify.auth.begin());
          router.get(
            '/leave',
            (req, res) => void shopify.redirectOutOfApp(req, res, 'https://example.com/'),
          );
          router.use(shopify.routes());
        },
        { options: { modules: [BrokenModule] } },
      );
      expect(await (await app.send('/auth?shop=dev-shop.myshopify.com')).json()).toEqual({
        thrown: 'BootError',
      });
      expect(await (await app.send('/webhooks', { method: 'POST' })).json()).toEqual({
        thrown: 'BootError',
      });
      const left = await app.send('/leave');
      expect([left.status, await left.json()]).toEqual([
        500,
        expect.objectContaining({ error: 'internal_error' }),
      ]);
    });

    it('still serves what needs no container', async () => {
      app = await openApp(
        (router, shopify) => {
          router.use(shopify.cspHeaders());
          router.use(shopify.routes());
          router.get('/', (_req, res) => void res.send('page'));
        },
        { options: { modules: [BrokenModule] } },
      );
      expect(await (await app.send('/')).text()).toBe('page');
    });
  });
});
