import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SHOP = 'dev-shop.myshopify.com';
const CALLBACK = 'http://localhost:3000/auth/callback';
const KEYS = { client_id: 'key', client_secret: 'hush' };

describe('OAuth of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let now = new Date('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    const apps = [
      {
        apiKey: 'key',
        apiSecretKey: 'hush',
        appUrl: 'http://localhost:3000',
        name: 'Labels & <Co>',
      },
      {
        apiKey: 'other',
        apiSecretKey: 'other-secret',
        appUrl: 'http://localhost:3001',
        redirectUrls: ['http://localhost:3001/done'],
      },
    ];
    devStore = await DevStore.open({ apps, clock: { now: () => now }, deliveryRetries: [] });
    shop = devStore.shop();
  });
  beforeEach(async () => {
    now = new Date('2026-03-01T12:00:00Z');
    await shop.uninstall('key');
  });
  afterAll(() => devStore.close());

  const authorize = (params: Record<string, string>): Promise<Response> => {
    const query = new URLSearchParams({
      client_id: 'key',
      scope: 'write_products',
      redirect_uri: CALLBACK,
      state: 'abc',
      ...params,
    });
    return fetch(`${shop.origin}/admin/oauth/authorize?${query}`, { redirect: 'manual' });
  };
  const decide = (consent: string, decision: string): Promise<Response> =>
    fetch(`${shop.origin}/admin/oauth/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ consent, decision }),
      redirect: 'manual',
    });
  const consentId = async (response: Response): Promise<string> =>
    /name="consent" value="([0-9a-f]+)"/.exec(await response.text())?.[1] ?? '';
  const install = async (params: Record<string, string> = {}): Promise<URL> => {
    const reply = await decide(await consentId(await authorize(params)), 'install');
    return new URL(reply.headers.get('location') ?? '');
  };
  const codeOf = (callback: URL): string => callback.searchParams.get('code') ?? '';
  const exchange = async (
    body: Record<string, unknown>,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(`${shop.origin}/admin/oauth/access_token`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };

  describe('authorize', () => {
    it('asks the merchant, naming the app and what it wants in words', async () => {
      const reply = await authorize({
        scope: 'write_products,read_products,read_customer_events,unauthenticated_read_checkouts',
      });
      const page = await reply.text();
      expect(reply.status).toBe(200);
      expect(page).toContain('Install Labels &amp; &lt;Co&gt;');
      expect(page).toContain('View and edit products');
      expect(page).toContain('View customer events');
      expect(page).toContain('View checkouts on the online store');
      expect(page).not.toContain('>View products<');
    });

    it('may not be framed, and lets the form lead to the app alone', async () => {
      const policy = (await authorize({})).headers.get('content-security-policy');
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self' http://localhost:3000;");
    });

    it.each([
      [{ client_id: 'nobody' }, 'This app is unknown'],
      [{ redirect_uri: 'http://localhost:3001/auth/callback' }, 'This address is not allowed'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'This address is not allowed'],
      [{ redirect_uri: '' }, 'This address is not allowed'],
      [
        { client_id: 'other', redirect_uri: 'http://localhost:3001/elsewhere' },
        'This address is not allowed',
      ],
      [{ scope: 'write_products,<script>' }, 'These permissions are unknown'],
    ])('shows a page and no redirect for %j', async (params, title) => {
      const reply = await authorize(params);
      expect(reply.status).toBe(400);
      expect(await reply.text()).toContain(title);
    });

    it('sends an approving merchant back with a signed query', async () => {
      const callback = await install();
      const params = Object.fromEntries(callback.searchParams);
      expect(callback.origin + callback.pathname).toBe(CALLBACK);
      expect(params).toMatchObject({
        shop: SHOP,
        state: 'abc',
        timestamp: String(now.getTime() / 1000),
      });
      expect(Buffer.from(params['host'] ?? '', 'base64').toString()).toBe(
        'admin.shopify.com/store/dev-shop',
      );
      // The canonical text by hand: these values need no encoding but the host's padding.
      const { code, host, state, timestamp, hmac } = params;
      const text = `code=${code}&host=${encodeURIComponent(host ?? '')}&shop=${SHOP}&state=${state}&timestamp=${timestamp}`;
      expect(hmac).toBe(createHmac('sha256', 'hush').update(text).digest('hex'));
    });

    it('keeps the parameters of the redirect address', async () => {
      const callback = await install({ redirect_uri: `${CALLBACK}?from=menu` });
      expect(callback.searchParams.get('from')).toBe('menu');
    });

    it('takes a merchant who cancels back to the admin, and installs nothing', async () => {
      const reply = await decide(await consentId(await authorize({})), 'cancel');
      expect([reply.status, reply.headers.get('location')]).toEqual([303, '/admin']);
      expect(shop.installations).toEqual([]);
    });

    it('accepts a consent once, and only the one it asked for', async () => {
      const consent = await consentId(await authorize({}));
      expect((await decide(consent, 'install')).status).toBe(302);
      expect((await decide(consent, 'install')).status).toBe(400);
      expect((await decide('made up', 'install')).status).toBe(400);
    });

    it('forgets a consent after ten minutes', async () => {
      const consent = await consentId(await authorize({}));
      now = new Date(now.getTime() + 10 * 60_000);
      expect((await decide(consent, 'install')).status).toBe(400);
    });

    it('does not ask again for what is granted, writing implying reading', async () => {
      await install();
      const again = await authorize({ scope: 'read_products' });
      expect(again.status).toBe(302);
      expect(again.headers.get('location')).toContain(`${CALLBACK}?code=`);
      expect((await authorize({ scope: 'read_products,read_orders' })).status).toBe(200);
    });
  });

  describe('access_token', () => {
    it('turns a code into an offline token with the granted scopes', async () => {
      const code = codeOf(await install({ scope: 'read_products,write_products,read_orders' }));
      const { status, body } = await exchange({ ...KEYS, code, expiring: '0' });
      expect(status).toBe(200);
      expect(body).toEqual({
        access_token: expect.stringMatching(/^shpat_[0-9a-f]{32}$/),
        scope: 'write_products,read_orders',
      });
    });

    it('takes a form as well', async () => {
      const code = codeOf(await install());
      const reply = await fetch(`${shop.origin}/admin/oauth/access_token`, {
        method: 'POST',
        body: new URLSearchParams({ ...KEYS, code }),
      });
      expect(await reply.json()).toMatchObject({
        access_token: expect.any(String),
        scope: 'write_products',
      });
    });

    it('gives an online token its user and a day to live', async () => {
      const code = codeOf(await install({ 'grant_options[]': 'per-user' }));
      const { body } = await exchange({ ...KEYS, code });
      expect(body).toMatchObject({
        scope: 'write_products',
        expires_in: 86399,
        associated_user_scope: 'write_products',
        associated_user: {
          id: expect.any(Number),
          first_name: expect.any(String),
          account_owner: true,
          locale: 'en',
          collaborator: false,
        },
      });
      const call = (): Promise<Response> =>
        fetch(`${shop.origin}/admin/api/2026-07/shop.json`, {
          headers: { 'X-Shopify-Access-Token': String(body['access_token']) },
        });
      expect((await call()).status).toBe(200);
      now = new Date(now.getTime() + 86_399_000);
      expect((await call()).status).toBe(401);
    });

    it('turns a code into an offline token that expires, when asked to', async () => {
      const { body } = await exchange({ ...KEYS, code: codeOf(await install()), expiring: '1' });
      expect(body).toEqual({
        access_token: expect.stringMatching(/^shpat_/),
        scope: 'write_products',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^shprt_/),
        refresh_token_expires_in: 7_776_000,
      });
    });

    it('keeps the offline token of an app as long as its scopes stay', async () => {
      const first = await exchange({ ...KEYS, code: codeOf(await install()) });
      const again = await authorize({});
      const second = await exchange({
        ...KEYS,
        code: codeOf(new URL(again.headers.get('location') ?? '')),
      });
      expect(second.body['access_token']).toBe(first.body['access_token']);
      const wider = await exchange({
        ...KEYS,
        code: codeOf(await install({ scope: 'write_products,write_orders' })),
      });
      expect(wider.body['access_token']).not.toBe(first.body['access_token']);
    });

    it('refuses a code that was used, expired or issued to another app', async () => {
      const refused = {
        status: 400,
        body: {
          error: 'invalid_request',
          error_description: expect.stringContaining('not found or was already used'),
        },
      };
      const used = codeOf(await install());
      await exchange({ ...KEYS, code: used });
      expect(await exchange({ ...KEYS, code: used })).toEqual(refused);

      const stolen = codeOf(new URL((await authorize({})).headers.get('location') ?? ''));
      expect(
        await exchange({ client_id: 'other', client_secret: 'other-secret', code: stolen }),
      ).toEqual(refused);

      now = new Date(now.getTime() + 60_000);
      expect(await exchange({ ...KEYS, code: stolen })).toEqual(refused);
    });

    it('does not use a code up for someone without the secret', async () => {
      const code = codeOf(await install());
      expect(await exchange({ client_id: 'key', client_secret: 'guess', code })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect((await exchange({ ...KEYS, code })).status).toBe(200);
    });

    it.each([
      [{ ...KEYS, client_id: 'nobody', code: 'x' }, 400, 'application_cannot_be_found'],
      [{ ...KEYS, grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{ ...KEYS }, 400, 'invalid_request'],
    ])('answers %j with %i and a reason', async (body, status, error) => {
      expect(await exchange(body)).toEqual({
        status,
        body: { error, error_description: expect.any(String) },
      });
    });

    it('answers a body that is no JSON with 400', async () => {
      const reply = await fetch(`${shop.origin}/admin/oauth/access_token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      });
      expect([reply.status, await reply.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    });
  });

  it('writes no token, code or secret into the event log', async () => {
    const code = codeOf(await install());
    const { body } = await exchange({ ...KEYS, code });
    const log = await (await fetch(`${shop.origin}/admin/events.json`)).text();
    expect(log).toContain('offline access token shpat_…');
    for (const secret of [String(body['access_token']), code, 'hush'])
      expect(log).not.toContain(secret);
  });
});
