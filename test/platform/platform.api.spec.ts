import { createHmac } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import {
  DevStore,
  base64Host,
  signedQuery,
  signedSessionToken,
  signedWebhook,
} from '../../lib/dev-store/index.js';
import { InvalidHmacError } from '../../lib/core/core.errors.js';
import { PlatformApi } from '../../lib/platform/api/platform.api.js';
import { RestClient } from '../../lib/rest-client/rest.client.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';
import { FORGERIES } from '../support/forgeries.js';

/** The same request as a web host and as Node hand it out. */
function bothForms(
  path: string,
  headers: Record<string, string> = {},
): [string, Request | IncomingMessage][] {
  const node = new IncomingMessage(new Socket());
  Object.assign(node, { method: 'POST', url: path });
  for (const [name, value] of Object.entries(headers)) node.headers[name.toLowerCase()] = value;
  return [
    ['web', new Request(APP_URL + path, { method: 'POST', headers })],
    ['node', node],
  ];
}

describe('the library of an app', () => {
  let devStore: DevStore;
  let api: PlatformApi;
  let close: () => Promise<void>;

  beforeAll(async () => {
    devStore = await DevStore.open({
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      shops: [SHOP],
    });
    const app = resolverOf({ fetch: devStore.fetch });
    api = app.get(PlatformApi);
    close = () => app.close();
  });
  afterAll(async () => {
    await close();
    await devStore.close();
  });

  describe('utils', () => {
    it('checks the signature of a query', async () => {
      const query = signedQuery({ shop: SHOP, code: 'abc' }, API_SECRET);
      expect(await api.utils.validateHmac(query)).toBe(true);
      expect(await api.utils.validateHmac({ ...Object.fromEntries(query), code: 'abd' })).toBe(
        false,
      );
      await expect(api.utils.validateHmac({ shop: SHOP })).rejects.toMatchObject({
        code: 'ERR_HMAC_INVALID',
      });
    });

    it('checks the signature of a query through the app proxy', async () => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const message = `path_prefix=/apps/xshop=${SHOP}timestamp=${timestamp}`;
      const signature = createHmac('sha256', API_SECRET).update(message).digest('hex');
      const query = { shop: SHOP, path_prefix: '/apps/x', timestamp, signature };
      expect(await api.utils.validateHmac(query, { signator: 'appProxy' })).toBe(true);
    });

    // Both signatures have the same key: a link of the admin, divided anew, was one of a storefront.
    it.each<[string, (signed: Record<string, string>) => Record<string, string>]>([
      [
        'a name with all the rest in its value',
        ({ code, shop }) => ({ code: `${code}&shop=${shop}&` }),
      ],
      [
        'a shop with the rest behind it',
        ({ code, shop }) => ({ code: `${code}&`, shop: `${shop}&` }),
      ],
      [
        'a customer of its own',
        ({ code, shop }) => ({ code: `${code}&shop=${shop}&`, logged_in_customer_id: '' }),
      ],
    ])('does not take a link of the admin for one of a storefront: %s', async (_, divided) => {
      const signed = Object.fromEntries(signedQuery({ shop: SHOP, code: 'abc' }, API_SECRET));
      expect(await api.utils.validateHmac(signed)).toBe(true);
      const { timestamp = '', hmac = '' } = signed;
      const query = { ...divided(signed), timestamp, signature: hmac };
      const verdict = api.utils.validateHmac(query, { signator: 'appProxy' });
      await expect(verdict).rejects.toMatchObject({ code: 'ERR_HMAC_INVALID' });
    });

    it.each<[string, Record<string, unknown>]>([
      ['a customer that is no number', { logged_in_customer_id: 'admin' }],
      ['two customers', { logged_in_customer_id: ['1', '2'] }],
      ['two prefixes', { path_prefix: ['/apps/x', '/apps/y'] }],
      ['no shop', { shop: undefined }],
      ['a shop in another spelling', { shop: SHOP.toUpperCase() }],
    ])('takes no query of an app proxy with %s', async (_, change) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const query = { shop: SHOP, path_prefix: '/apps/x', timestamp, ...change };
      const message = Object.entries(query)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${[value].flat().join(',')}`)
        .sort()
        .join('');
      const signature = createHmac('sha256', API_SECRET).update(message).digest('hex');
      await expect(
        api.utils.validateHmac({ ...query, signature }, { signator: 'appProxy' }),
      ).rejects.toMatchObject({ code: 'ERR_HMAC_INVALID' });
    });

    it.each(['admin', 'appProxy'] as const)(
      'answers for values of a query that are no text, signed by %s',
      async (signator) => {
        const signed = signedQuery({ shop: SHOP, code: 'abc' }, API_SECRET);
        const query = { ...Object.fromEntries(signed), signature: '0'.repeat(64) };
        // As Express hands out `?a[toString]=1&a[valueOf]=1`.
        const nested = { ...query, a: { toString: '1', valueOf: '1' }, b: [{ toString: '1' }] };
        expect(await api.utils.validateHmac(nested, { signator })).toBe(false);
      },
    );

    it.each([undefined, null])('finds no signature where there is no query: %s', async (none) => {
      const query = none as unknown as Record<string, string>;
      for (const signator of ['admin', 'appProxy'] as const)
        await expect(api.utils.validateHmac(query, { signator })).rejects.toThrow(InvalidHmacError);
    });

    it('covers the values of names with brackets', async () => {
      const signed = signedQuery({ shop: SHOP, 'a[b]': '1', 'ids[]': '2' }, API_SECRET);
      expect(await api.utils.validateHmac(signed)).toBe(true);
      const { 'a[b]': _, ...flat } = Object.fromEntries(signed);
      expect(await api.utils.validateHmac({ ...flat, a: { b: '1' } })).toBe(true);
      expect(await api.utils.validateHmac({ ...flat, a: { b: '2' } })).toBe(false);
    });

    it.each([
      ['2026-07', undefined, true],
      ['2026-10', undefined, false],
      ['2026-10', 'unstable', true],
      ['2024-01', '2024-01', true],
    ])('takes the version %s for a part of %s: %s', (reference, current, compatible) => {
      expect(api.utils.versionCompatible(reference, current)).toBe(compatible);
      expect(api.utils.versionPriorTo(reference, current)).toBe(!compatible);
    });

    it('knows shops and hosts', () => {
      expect(api.utils.sanitizeShop('evil.example.com')).toBeNull();
      expect(() => api.utils.sanitizeHost('!', true)).toThrow();
      expect(api.utils.shopAdminUrlToLegacyUrl('https://admin.shopify.com/store/a')).toBe(
        'a.myshopify.com',
      );
      expect(api.utils.legacyUrlToShopAdminUrl('a.myshopify.com')).toBe(
        'admin.shopify.com/store/a',
      );
    });
  });

  describe('auth', () => {
    it('makes nonces of 32 bytes that never repeat', () => {
      const nonces = new Set(Array.from({ length: 100 }, () => api.auth.nonce()));
      expect(nonces.size).toBe(100);
      for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{64}$/);
    });

    it.each(bothForms(`/?host=${encodeURIComponent(base64Host(SHOP))}`))(
      'finds the app in the admin for a %s request',
      async (_, rawRequest) => {
        expect(await api.auth.getEmbeddedAppUrl({ rawRequest })).toBe(
          `https://admin.shopify.com/store/test-shop/apps/${API_KEY}`,
        );
      },
    );

    it.each([
      ['no request', undefined, 'ERR_ARGUMENT_MISSING'],
      ['no host', APP_URL, 'ERR_REQUEST_INVALID'],
      ['an empty host', `${APP_URL}/?host=`, 'ERR_HOST_INVALID'],
    ])('refuses to find the app with %s', async (_, url, code) => {
      const rawRequest = url === undefined ? (undefined as never) : new Request(url);
      await expect(api.auth.getEmbeddedAppUrl({ rawRequest })).rejects.toMatchObject({ code });
    });
  });

  describe('session', () => {
    const token = (change: object = {}) =>
      signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP, userId: 7, ...change });

    it('names sessions', () => {
      expect(api.session.getOfflineId(SHOP)).toBe(`offline_${SHOP}`);
      expect(api.session.getJwtSessionId(SHOP, '7')).toBe(`${SHOP}_7`);
      expect(api.session.customAppSession(SHOP).toObject()).toEqual({
        id: '',
        shop: SHOP,
        state: '',
        isOnline: false,
      });
    });

    it.each(bothForms('/', { authorization: `Bearer ${token()}` }))(
      'finds the session of a %s request',
      async (_, rawRequest) => {
        expect(await api.session.getCurrentId({ isOnline: false, rawRequest })).toBe(
          `offline_${SHOP}`,
        );
        expect(await api.session.getCurrentId({ isOnline: true, rawRequest })).toBe(`${SHOP}_7`);
      },
    );

    it('reads a session token, and refuses one of another app unless told to', async () => {
      expect(await api.session.decodeSessionToken(token())).toMatchObject({
        dest: `https://${SHOP}`,
        sub: '7',
      });
      const foreign = token({ apiKey: 'another' });
      await expect(api.session.decodeSessionToken(foreign)).rejects.toMatchObject({
        code: 'ERR_SESSION_TOKEN_INVALID',
      });
      expect(await api.session.decodeSessionToken(foreign, { checkAudience: false })).toMatchObject(
        { aud: 'another' },
      );
    });
  });

  describe('clients', () => {
    it('are classes that speak for a session', async () => {
      const session = {
        shop: SHOP,
        accessToken: devStore.shop().install(API_KEY, { scopes: 'read_products' }),
      };
      const { data } = await new api.clients.Graphql({ session }).request<{
        shop: { myshopifyDomain: string };
      }>('{ shop { myshopifyDomain } }');
      const rest = new api.clients.Rest({ session, apiVersion: '2026-04' });
      const { body } = await rest.get<{ shop: { domain: string } }>({ path: 'shop' });
      expect(data.shop.myshopifyDomain).toBe(SHOP);
      expect(body.shop).toMatchObject({ myshopify_domain: SHOP });
      expect([rest instanceof RestClient, rest.apiVersion]).toEqual([true, '2026-04']);
    });

    it('need a token', () => {
      for (const Client of [api.clients.Graphql, api.clients.Rest]) {
        expect(() => new Client({ session: { shop: SHOP } })).toThrow(
          expect.objectContaining({ code: 'ERR_ARGUMENT_MISSING' }),
        );
      }
    });
  });

  describe('webhooks', () => {
    const signed = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'orders/paid',
      payload: { id: 1 },
      webhookId: 'd-1',
    });
    const rawBody = signed.body.toString();

    it('keeps handlers by topic', () => {
      const callback = jest.fn();
      api.webhooks.addHandlers({
        'orders/paid': { deliveryMethod: 'http', callbackUrl: '/hooks', callback },
      });
      expect(api.webhooks.getTopicsAdded()).toContain('ORDERS_PAID');
      expect(api.webhooks.getHandlers('orders/paid')).toEqual([
        { deliveryMethod: 'http', callbackUrl: '/hooks', callback },
      ]);
      expect(api.webhooks.getHandlers('orders/edited')).toEqual([]);
    });

    it.each(bothForms('/webhooks', signed.headers))(
      'tells a signed delivery from a forged one, of a %s request',
      async (_, rawRequest) => {
        expect(await api.webhooks.validate({ rawBody, rawRequest })).toBe(true);
        expect(await api.webhooks.validate({ rawBody: `${rawBody} `, rawRequest })).toBe(false);
        expect(await api.webhooks.verify({ rawBody, rawRequest })).toMatchObject({
          valid: true,
          topic: 'ORDERS_PAID',
          domain: SHOP,
        });
        expect(await api.webhooks.verify({ rawBody: '', rawRequest })).toEqual({
          valid: false,
          reason: 'missing_body',
        });
      },
    );

    // Buffer.from() throws for the first, and would allocate what the last asks for.
    it.each([[{ id: 1 }], [[1]], [5], [null], [{ length: 2 ** 16 }]])(
      'takes what a body parser has made of a body, %j, for no body',
      async (parsed) => {
        const [, rawRequest] = bothForms('/webhooks', signed.headers)[1]!;
        const delivery = { rawBody: parsed as never, rawRequest };
        expect(await api.webhooks.validate(delivery)).toBe(false);
        const reason = 'missing_body';
        expect(await api.webhooks.verify(delivery)).toEqual({ valid: false, reason });
        expect(await api.flow.validate(delivery)).toEqual({ valid: false, reason });
        const rawResponse = new ServerResponse(rawRequest as IncomingMessage);
        await expect(api.webhooks.process({ ...delivery, rawResponse })).rejects.toMatchObject({
          code: 'ERR_WEBHOOK_REFUSED',
          reason,
        });
        expect([rawResponse.statusCode, rawResponse.headersSent]).toEqual([400, true]);
      },
    );

    it('takes a body as bytes of any kind', async () => {
      const bytes = new Uint8Array(Buffer.from(` ${rawBody}`)).subarray(1);
      for (const body of [Buffer.from(rawBody), bytes, bytes.slice().buffer])
        for (const [, rawRequest] of bothForms('/webhooks', signed.headers))
          expect(await api.webhooks.validate({ rawBody: body as never, rawRequest })).toBe(true);
    });

    it.each(FORGERIES)('refuses a delivery forged from %s', async (_, forge) => {
      // Signed with the same key, but not as a delivery.
      const { body, hmac } = forge();
      for (const [, rawRequest] of bothForms('/webhooks', {
        ...signed.headers,
        'X-Shopify-Hmac-Sha256': hmac,
      })) {
        expect(await api.webhooks.validate({ rawBody: body, rawRequest })).toBe(false);
      }
    });

    it('runs the handlers of a delivery that was read by hand', async () => {
      const callback = jest.fn();
      api.webhooks.addHandlers({ ORDERS_CREATE: callback });
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: SHOP,
        topic: 'orders/create',
        payload: { id: 2 },
      });
      for (const [, rawRequest] of bothForms('/webhooks', headers)) {
        expect(await api.webhooks.process({ rawBody: body.toString(), rawRequest })).toMatchObject({
          status: 200,
        });
      }
      // The second is a repetition of the first.
      expect(callback).toHaveBeenCalledTimes(1);
      expect(callback).toHaveBeenCalledWith(
        'ORDERS_CREATE',
        SHOP,
        '{"id":2}',
        expect.any(String),
        '2026-07',
        undefined,
      );
    });

    it('answers the platform when it is given the response, and tells the app why', async () => {
      const [, rawRequest] = bothForms('/webhooks', {
        ...signed.headers,
        'X-Shopify-Hmac-Sha256': Buffer.alloc(32).toString('base64'),
      })[1]!;
      const rawResponse = new ServerResponse(rawRequest as IncomingMessage);
      await expect(
        api.webhooks.process({ rawBody, rawRequest, rawResponse }),
      ).rejects.toMatchObject({
        code: 'ERR_WEBHOOK_REFUSED',
        reason: 'invalid_hmac',
        response: { statusCode: 401 },
      });
      expect([rawResponse.statusCode, rawResponse.headersSent]).toEqual([401, true]);
    });
  });
});
