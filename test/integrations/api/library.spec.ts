import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { DevStore, signedWebhook } from '../../../lib/dev-store/index.js';
import * as apiEntry from '../../../lib/integrations/api/index.js';
import * as expressEntry from '../../../lib/integrations/express/index.js';
import type { LogSink } from '../../../lib/integrations/api/index.js';
import { platformApp as remixApp } from '../../../lib/integrations/remix/index.js';
import { BillingService } from '../../../lib/billing/billing.service.js';
import type { PlatformApi } from '../../../lib/platform/api/platform.api.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { restResources } from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import { FORGERIES } from '../../support/forgeries.js';

const BILLING = {
  Pro: { amount: 20, currencyCode: 'USD', interval: apiEntry.BillingInterval.Every30Days },
} as const;

let store: DevStore;
let accessToken: string;
let lines: string[];
const opened: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  lines = [];
  store = await DevStore.open({
    shops: [SHOP],
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  accessToken = store.shop(SHOP).install(API_KEY, { scopes: ['write_products'] });
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  await store.close();
});

const logger: LogSink = { log: (_severity, line) => void lines.push(line) };
const shared = (more: object) => ({
  ...{ apiKey: API_KEY, apiSecretKey: API_SECRET, scopes: ['write_products'] },
  ...{ apiVersion: apiEntry.ApiVersion.July26, fetch: store.fetch, restResources },
  ...{ logger, billing: BILLING, ...more },
});
const hostName = new URL(APP_URL).host;

/** The library object of each host that hands one out. */
const HOSTS: [string, (more?: object) => PlatformApi][] = [
  [
    'shopwright/api',
    (more = {}) => {
      const app = apiEntry.shopifyApi({ hostName, ...shared(more) });
      opened.push(() => app.close());
      return app;
    },
  ],
  [
    'shopwright/express',
    (more = {}) => {
      const { sessionStorage, ...api } = more as { sessionStorage?: MemorySessionStorage };
      const app = expressEntry.shopifyApp({ api: { hostName, ...shared(api) }, sessionStorage });
      opened.push(() => app.close());
      return app.api;
    },
  ],
  [
    'shopwright/remix',
    (more = {}) => {
      const sessionStorage = new MemorySessionStorage();
      const app = remixApp({ appUrl: APP_URL, sessionStorage, ...shared(more) });
      opened.push(() => app.close());
      return app.api;
    },
  ],
];

describe.each(HOSTS)('the library object of %s', (_, open) => {
  it('knows what the app was configured with, and prints no secret', () => {
    const { config } = open();
    expect(config.apiSecretKey).toBe(API_SECRET);
    expect([config.hostName, config.hostScheme]).toEqual([hostName, 'https']);
    expect(config.billing).toEqual(BILLING);
    expect(config.restResources).toBe(restResources);
    expect(config.logger).toEqual({
      ...logger,
      level: apiEntry.LogSeverity.Info,
      timestamps: false,
      httpRequests: false,
    });
    expect(Object.keys(config)).not.toContain('apiSecretKey');
    expect(inspect(config, { depth: 9, showHidden: true }) + JSON.stringify(config)).not.toContain(
      API_SECRET,
    );
  });

  // Apps read it there: `shopify.config.sessionStorage.loadSession(id)`.
  it('hands out the session storage that it was given, but none that it made', () => {
    const sessionStorage = new MemorySessionStorage();
    expect(open({ sessionStorage }).config.sessionStorage).toBe(sessionStorage);
    const made = { sessionStorage: () => new MemorySessionStorage() };
    expect(open(made).config.sessionStorage).toBeUndefined();
  });

  it('has the fixed Storefront token of a custom app only', () => {
    const tokens = {
      adminApiAccessToken: 'shpat_fixed',
      privateAppStorefrontAccessToken: 'shpss_x',
    };
    expect(open(tokens).config.privateAppStorefrontAccessToken).toBeUndefined();
    const custom = open({ ...tokens, distribution: apiEntry.AppDistribution.ShopifyAdmin });
    expect(custom.config.privateAppStorefrontAccessToken).toBe('shpss_x');
  });

  it('tells requests of the platform’s automations from forged ones', async () => {
    const api = open();
    const topic = 'none';
    const { body, headers } = signedWebhook({ secret: API_SECRET, shop: SHOP, topic, payload: {} });
    const rawBody = body.toString();
    const hmac = headers['X-Shopify-Hmac-Sha256']!;
    for (const { validate } of [api.flow, api.fulfillmentService].map((service) => ({
      validate: service.validate.bind(service),
    }))) {
      for (const rawRequest of bothForms({ 'X-Shopify-Hmac-Sha256': hmac })) {
        expect(await validate({ rawBody, rawRequest })).toEqual({ valid: true });
        expect(await validate({ rawBody: '{"a":1}', rawRequest })).toEqual({
          valid: false,
          reason: 'invalid_hmac',
        });
        expect(await validate({ rawBody: '', rawRequest })).toEqual({
          valid: false,
          reason: 'missing_body',
        });
      }
      for (const rawRequest of bothForms({}))
        expect(await validate({ rawBody, rawRequest })).toEqual({
          valid: false,
          reason: 'missing_hmac',
        });
    }
  });

  it.each(FORGERIES)('believes no body forged from %s', async (_name, forge) => {
    const api = open();
    const { body, hmac } = forge();
    for (const rawRequest of bothForms({ 'X-Shopify-Hmac-Sha256': hmac }))
      expect(await api.flow.validate({ rawBody: body, rawRequest })).toEqual({
        valid: false,
        reason: 'invalid_hmac',
      });
  });

  it('passes queries on with the token of a session', async () => {
    const { clients } = open();
    const session = { shop: SHOP, accessToken };
    const query =
      'query Domain($first: Int) { shop { myshopifyDomain } products(first: $first) { nodes { id } } }';
    for (const rawBody of ['{ shop { myshopifyDomain } }', { query, variables: { first: 1 } }]) {
      const { body } = await clients.graphqlProxy({ session, rawBody });
      expect(body.data.shop).toEqual({ myshopifyDomain: SHOP });
    }
    await expect(
      clients.graphqlProxy({ session: { shop: SHOP }, rawBody: query }),
    ).rejects.toMatchObject({
      code: 'ERR_SESSION_INVALID',
    });
    for (const rawBody of ['', {}, undefined as never])
      await expect(clients.graphqlProxy({ session, rawBody })).rejects.toMatchObject({
        code: 'ERR_ARGUMENT_MISSING',
      });
  });

  it('passes on a JSON text with a query and its variables', async () => {
    const { clients } = open();
    const session = { shop: SHOP, accessToken };
    const query = 'query Some($first: Int!) { products(first: $first) { nodes { id } } }';
    const rawBody = JSON.stringify({ query, variables: { first: 1 } });
    const { body } = await clients.graphqlProxy({ session, rawBody });
    expect(body.data.products.nodes).toBeInstanceOf(Array);
  });

  it.each<[string, unknown]>([
    ['a query that is a number', { query: 5 }],
    ['a query that is an object', { query: { query: '{ shop { name } }' } }],
    ['variables that are a text', { query: '{ shop { name } }', variables: '{}' }],
    ['variables that are a list', { query: '{ shop { name } }', variables: [] }],
  ])('does not pass on %s', async (_, rawBody) => {
    const session = { shop: SHOP, accessToken };
    await expect(
      open().clients.graphqlProxy({ session, rawBody: rawBody as never }),
    ).rejects.toMatchObject({ code: 'ERR_REQUEST_INVALID' });
  });

  it('passes nothing on without a session, and for a custom app without a token in it', async () => {
    const rawBody = '{ shop { myshopifyDomain } }';
    await expect(
      open().clients.graphqlProxy({ session: undefined, rawBody }),
    ).rejects.toMatchObject({ code: 'ERR_SESSION_INVALID' });
    const { clients, session: sessions } = open({
      distribution: apiEntry.AppDistribution.PlatformAdmin,
      adminApiAccessToken: accessToken,
    });
    const session = await sessions.forShop(SHOP);
    const { body } = await clients.graphqlProxy({ session, rawBody });
    expect(body.data.shop).toEqual({ myshopifyDomain: SHOP });
  });

  it('has members that work without their object', async () => {
    const api = open();
    const { validateHmac, versionCompatible } = api.utils;
    await expect(validateHmac({ shop: SHOP })).rejects.toMatchObject({ code: 'ERR_HMAC_INVALID' });
    expect(versionCompatible('2020-01')).toBe(true);
    const { buildEmbeddedAppUrl, clientCredentials } = api.auth;
    const address = 'admin.shopify.com/store/dev-shop';
    const host = Buffer.from(address).toString('base64');
    expect(buildEmbeddedAppUrl(host)).toContain(`/apps/${API_KEY}`);
    await expect(clientCredentials({ shop: 'no shop' })).rejects.toMatchObject({
      code: 'ERR_SHOP_INVALID',
    });
    const { decodeSessionToken, getOfflineId } = api.session;
    await expect(decodeSessionToken('x')).rejects.toMatchObject({
      code: 'ERR_SESSION_TOKEN_INVALID',
    });
    expect(getOfflineId(SHOP)).toBe(`offline_${SHOP}`);
    const { addHandlers, getTopicsAdded, process, validate } = api.webhooks;
    addHandlers({ PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/products' } });
    expect(getTopicsAdded()).toContain('PRODUCTS_CREATE');
    const [rawRequest] = bothForms({});
    const unsigned = { rawBody: '{}', rawRequest: rawRequest! };
    expect(await validate(unsigned)).toBe(false);
    await expect(process(unsigned)).rejects.toMatchObject({ reason: 'missing_hmac' });
    const [flow, service] = [api.flow.validate, api.fulfillmentService.validate];
    for (const check of [flow, service])
      expect(await check(unsigned)).toMatchObject({ valid: false });
    const session = { shop: SHOP, accessToken };
    const { graphqlProxy } = api.clients;
    const { body } = await graphqlProxy({ session, rawBody: '{ shop { myshopifyDomain } }' });
    expect(body.data.shop).toEqual({ myshopifyDomain: SHOP });
    const { check, subscriptions } = api.billing;
    expect(await check({ session, plans: ['Pro'] })).toBe(false);
    expect(await subscriptions({ session })).toEqual({ activeSubscriptions: [] });
    const { info } = api.logger;
    info('Alone');
    expect(lines.at(-1)).toBe('[shopwright/INFO] Alone');
  });

  it('calls what a test puts in the place of a method of their class', async () => {
    const api = open();
    const { check } = api.billing;
    const params = { session: { shop: SHOP, accessToken }, plans: ['Pro'] };
    const paid = jest.spyOn(BillingService.prototype, 'check').mockResolvedValue(true as never);
    try {
      expect(await api.billing.check(params)).toBe(true);
      expect(await check(params)).toBe(true);
      expect(paid.mock.contexts).toEqual([api.billing, api.billing]);
    } finally {
      paid.mockRestore();
    }
    expect(await check(params)).toBe(false);
  });

  it('gives what process() was called with to the handlers of the delivery', async () => {
    const { webhooks } = open();
    const seen: unknown[] = [];
    webhooks.addHandlers({
      PRODUCTS_CREATE: [
        {
          deliveryMethod: 'http',
          callbackUrl: '/webhooks',
          callback: (...args: unknown[]) => void seen.push(args[5]),
        },
        {
          deliveryMethod: 'http',
          callbackUrl: '/webhooks',
          handler: ({ context }) => void seen.push(context),
        },
      ],
    });
    for (const context of [{ env: 'a' }, undefined, 0]) {
      const signed = { secret: API_SECRET, shop: SHOP, topic: 'products/create', payload: {} };
      const { body, headers } = signedWebhook(signed);
      const rawRequest = new Request(`${APP_URL}/webhooks`, { method: 'POST', headers });
      await webhooks.process({ rawBody: body.toString(), rawRequest, context });
    }
    expect(seen).toEqual([{ env: 'a' }, { env: 'a' }, undefined, undefined, 0, 0]);
  });

  it('gives it to the handlers after one that took too long as well', async () => {
    const { webhooks } = open();
    const seen: unknown[] = [];
    const http = { deliveryMethod: 'http', callbackUrl: '/webhooks' } as const;
    webhooks.addHandlers({
      PRODUCTS_CREATE: [
        { ...http, timeout: 1, handler: () => new Promise(() => {}) },
        { ...http, handler: ({ context }) => void seen.push(context) },
      ],
    });
    const signed = { secret: API_SECRET, shop: SHOP, topic: 'products/create', payload: {} };
    const { body, headers } = signedWebhook(signed);
    const rawRequest = new Request(`${APP_URL}/webhooks`, { method: 'POST', headers });
    const processed = webhooks.process({ rawBody: body.toString(), rawRequest, context: 'this' });
    await expect(processed).rejects.toMatchObject({ reason: 'handler_failed' });
    expect(seen).toEqual(['this']);
  });

  it('answers register() with the reply of the platform to each step', async () => {
    const { webhooks } = open();
    webhooks.addHandlers({
      PRODUCTS_CREATE: { deliveryMethod: 'http', callbackUrl: '/products' },
      NO_SUCH_TOPIC: { deliveryMethod: 'http', callbackUrl: '/none' },
    });
    const session = new apiEntry.Session({
      ...{ id: `offline_${SHOP}`, shop: SHOP, state: '', isOnline: false, accessToken },
    });
    const results = await webhooks.register({ session });
    expect(results['PRODUCTS_CREATE']).toMatchObject([
      { success: true, result: { data: { webhookSubscriptionCreate: { userErrors: [] } } } },
    ]);
    const [failed] = results['NO_SUCH_TOPIC']!;
    expect(failed!.success).toBe(false);
    expect(failed!.errors![0]!.message).toContain('WebhookSubscriptionTopic');
    expect(failed!.result).toEqual({ errors: failed!.errors });
  });

  it('logs warnings and deprecations', () => {
    const api = open();
    api.logger.warning('Careful', { shop: SHOP });
    api.logger.deprecated('99.0.0', 'Do otherwise.');
    expect(lines.slice(-2)).toEqual([
      `[shopwright/WARNING] Careful | {shop: ${SHOP}}`,
      '[shopwright/WARNING] [Deprecated | 99.0.0] Do otherwise.',
    ]);
    expect(() => api.logger.deprecated('0.0.9', 'Do otherwise.')).toThrow(
      apiEntry.FeatureDeprecatedError,
    );
  });

  it('says of options of the platform’s own packages what becomes of them', () => {
    open({
      domainTransformations: [],
      customShopDomains: ['example.com'],
      isTesting: true,
      _logDisabledFutureFlags: false,
      apiSecretKeyFallback: 'the old secret',
      globalApiVersion: '2026-07',
      future: { tokenExchange: false, unstable_managedPricingSupport: true, v9_unheard: true },
    });
    const text = lines.join('\n');
    expect(text).not.toContain('spelling');
    expect(text).toMatch(/The option (api\.)?domainTransformations has no effect: shops are/);
    expect(text).toMatch(/The option (api\.)?customShopDomains has no effect: shops are/);
    expect(text).toMatch(
      /The option (api\.)?apiSecretKeyFallback has no effect: pass apiSecretKey a/,
    );
    expect(text).not.toContain('the old secret');
    expect(text).toMatch(/The option (api\.)?globalApiVersion has no effect: app events/);
    expect(text).not.toContain('isTesting');
    expect(text).toMatch(/future\.tokenExchange: false has no effect: the toolkit always/);
    expect(text).toMatch(/future\.unstable_managedPricingSupport: true has no effect: billing/);
    expect(text).toContain('future.v9_unheard is unknown');
  });

  it('says nothing of flags whose effect it has anyway', () => {
    const always = { tokenExchange: true, customerAddressDefaultFix: true, lineItemBilling: true };
    open({ future: { ...always, removeRest: true } });
    expect(lines.join()).not.toContain('future');
  });

  it.each([
    [{}, true],
    [{ future: { expiringOfflineAccessTokens: false } }, false],
    [{ future: { expiringOfflineAccessTokens: true } }, true],
    [{ expiringOfflineAccessTokens: true, future: { expiringOfflineAccessTokens: false } }, true],
  ])('asks for tokens that expire as %j says', (options, expected) => {
    expect(open(options).config.expiringOfflineAccessTokens).toBe(expected);
  });
});

/** The same request as a web host and as Node hand it out. */
function bothForms(headers: Record<string, string>): (Request | IncomingMessage)[] {
  const node = Object.assign(new IncomingMessage(new Socket()), { method: 'POST', url: '/flow' });
  for (const [name, value] of Object.entries(headers)) node.headers[name.toLowerCase()] = value;
  return [new Request(`${APP_URL}/flow`, { method: 'POST', headers }), node];
}

describe('the entry point shopwright/api', () => {
  it('names all problems in the options, by the names they have there', () => {
    expect(() => apiEntry.shopifyApi({ hostScheme: 'ftp' } as never)).toThrow(
      /apiKey[^]*hostScheme|hostScheme[^]*apiKey/,
    );
    expect(() => apiEntry.shopifyApi({ ...shared({}), hostName: '' })).toThrow('hostName');
  });

  it.each([
    ['cookiePath', { cookiePath: 'shops' }],
    ['cookiePath', { cookiePath: 5 }],
    ['future', { future: true }],
    ['future.tokenExchange', { future: { tokenExchange: 'yes' } }],
    ['isTesting', { isTesting: 'yes' }],
  ])('refuses a wrong %s', (option, wrong) => {
    expect(() => apiEntry.shopifyApi({ ...shared(wrong), hostName } as never)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ option })] }),
    );
  });

  it('says nothing of a storage that the app does not need', async () => {
    const production = { ...process.env, NODE_ENV: 'production' };
    const { env } = process;
    process.env = production;
    try {
      HOSTS[0]![1]();
    } finally {
      process.env = env;
    }
    expect(lines.join()).not.toContain('memory');
  });

  it('has the errors and the session class of the other entry points', () => {
    expect(apiEntry.ShopifyError).toBe(expressEntry.ShopifyError);
    expect(apiEntry.Session).toBe(expressEntry.Session);
  });
});

describe('the config of an Express app', () => {
  // Setting a field had no effect, and said nothing.
  it.each(['useOnlineTokens', 'hooks', 'exitIframePath'])('is read-only: %s', (name) => {
    const app = expressEntry.shopifyApp({ api: { hostName, ...shared({}) } });
    opened.push(() => app.close());
    expect(() => Object.assign(app.config, { [name]: undefined })).toThrow(TypeError);
    expect(() => Object.assign(app.config.auth, { path: '/login' })).toThrow(TypeError);
  });
});

describe('flags of an Express app', () => {
  it('count beside those of its api', () => {
    const app = expressEntry.shopifyApp({
      api: { hostName, ...shared({ future: { customerAddressDefaultFix: true } }) },
      future: { expiringOfflineAccessTokens: false },
    });
    opened.push(() => app.close());
    expect(app.config.future).toEqual({
      customerAddressDefaultFix: true,
      expiringOfflineAccessTokens: false,
    });
    expect(app.api.config.expiringOfflineAccessTokens).toBe(false);
  });
});
