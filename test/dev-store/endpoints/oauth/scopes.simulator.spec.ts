import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';
import { openReceiver, type AppReceiver } from '../../app-receiver.js';

const QUERY = `{ app {
  requestedAccessScopes { handle } optionalAccessScopes { handle description } installation { accessScopes { handle } app { apiKey } }
} }`;
const REVOKE = `mutation ($scopes: [String!]!) {
  appRevokeAccessScopes(scopes: $scopes) { revoked { handle } userErrors { field message code } }
}`;

interface Handle {
  handle: string;
}
interface AppAnswer {
  app: {
    requestedAccessScopes: Handle[];
    optionalAccessScopes: Handle[];
    installation: { accessScopes: Handle[]; app: { apiKey: string } } | null;
  };
}

describe('The scopes of an app in a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let app: AppReceiver;

  beforeEach(async () => {
    app = await openReceiver();
    const appUrl = 'http://localhost:3000';
    const apps = [
      {
        apiKey: 'key',
        apiSecretKey: 'hush',
        appUrl,
        name: 'Labels',
        scopes: ['read_products'],
        optionalScopes: ['write_products', 'read_orders', 'write_discounts'],
      },
      { apiKey: 'plain', apiSecretKey: 'hush', appUrl, embedded: false },
    ];
    devStore = await DevStore.open({ apps, deliveryRetries: [] });
    shop = devStore.shop();
  });
  afterEach(async () => {
    await devStore.close();
    await app.close();
  });

  const run = async <T>(token: string, query: string, variables: object = {}): Promise<T> => {
    const headers = { 'X-Shopify-Access-Token': token, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ query, variables }) };
    const { data, errors } = (await (
      await fetch(`${shop.origin}/admin/api/2026-07/graphql.json`, init)
    ).json()) as {
      data: T;
      errors?: unknown;
    };
    expect(errors).toBeUndefined();
    return data;
  };
  const handles = (scopes: Handle[] | undefined): string[] | undefined =>
    scopes?.map(({ handle }) => handle);
  const open = (query: Record<string, string>): Promise<Response> =>
    fetch(`${shop.origin}/admin/oauth/install?${new URLSearchParams(query)}`, {
      redirect: 'manual',
    });
  const decide = async (page: Response, decision: string): Promise<string> => {
    const consent = /name="consent" value="([0-9a-f]+)"/.exec(await page.text())?.[1] ?? '';
    const init: RequestInit = {
      method: 'POST',
      body: new URLSearchParams({ consent, decision }),
      redirect: 'manual',
    };
    const reply = await fetch(`${shop.origin}/admin/oauth/install`, init);
    return `${reply.status} ${reply.headers.get('location')}`;
  };
  const revoke = async (token: string, ...scopes: string[]): Promise<unknown> =>
    (await run<{ appRevokeAccessScopes: unknown }>(token, REVOKE, { scopes }))
      .appRevokeAccessScopes;
  const granted = (apiKey = 'key'): readonly string[] | undefined =>
    shop.installation(apiKey)?.scopes;

  it('are told apart into required, optional and granted', async () => {
    const token = shop.install('key', { scopes: ['read_products', 'write_discounts'] });
    const answer = await run<AppAnswer>(token, QUERY);
    expect(handles(answer.app.requestedAccessScopes)).toEqual(['read_products']);
    expect(handles(answer.app.optionalAccessScopes)).toEqual([
      'write_products',
      'read_orders',
      'write_discounts',
    ]);
    expect(answer.app.optionalAccessScopes[1]).toEqual({
      handle: 'read_orders',
      description: 'View orders',
    });
    expect(handles(answer.app.installation?.accessScopes)).toEqual([
      'read_products',
      'read_discounts',
      'write_discounts',
    ]);
    expect(answer.app.installation?.app.apiKey).toBe('key');
  });

  it('are those it was installed with, when its description requires none', async () => {
    const token = shop.install('plain', { scopes: ['write_orders'] });
    expect(handles((await run<AppAnswer>(token, QUERY)).app.requestedAccessScopes)).toEqual([
      'write_orders',
    ]);
  });

  it('are seen of other apps by their id, without an installation when there is none', async () => {
    const token = shop.install('key', { scopes: [] });
    const other = shop.install('plain', { scopes: [] });
    const ofApp = (accessToken: string): Promise<{ app: { id: string } }> =>
      run(accessToken, '{ app { id } }');
    const { id } = (await ofApp(other)).app;
    expect((await ofApp(token)).app.id).not.toBe(id);
    await shop.uninstall('plain');
    expect(await run(token, `{ app(id: "${id}") { apiKey installation { id } } }`)).toEqual({
      app: { apiKey: 'plain', installation: null },
    });
  });

  describe('on the grant page', () => {
    it('grow with the consent of the merchant, for the tokens that are out as well', async () => {
      const token = shop.install('key', { scopes: ['read_products'] });
      const page = await open({
        client_id: 'key',
        scope: 'read_products',
        optional_scopes: 'read_orders,write_products',
      });
      expect(page.status).toBe(200);
      expect(await page.clone().text()).toMatch(
        /Update Labels[^]*View orders[^]*View and edit products/,
      );
      expect(await decide(page, 'install')).toBe('303 /admin/apps/key');
      expect(granted()).toEqual(['read_orders', 'write_products']);
      const mutation =
        'mutation { productCreate(product: { title: "Slate" }) { product { title } } }';
      expect(await run(token, mutation)).toEqual({
        productCreate: { product: { title: 'Slate' } },
      });
    });

    it('stay as they are when the merchant cancels', async () => {
      shop.install('key', { scopes: ['read_products'] });
      expect(
        await decide(await open({ client_id: 'key', optional_scopes: 'read_orders' }), 'cancel'),
      ).toBe('303 /admin/apps/key');
      expect(granted()).toEqual(['read_products']);
    });

    it('are not asked for when they are granted already', async () => {
      shop.install('key', { scopes: ['write_products'] });
      const reply = await open({ client_id: 'key', optional_scopes: 'write_products' });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/admin/apps/key']);
    });

    it('install an app that is not there yet', async () => {
      const page = await open({ client_id: 'key' });
      expect(await page.clone().text()).toContain('Install Labels');
      expect(await decide(page, 'install')).toBe('303 /admin/apps/key');
      expect(granted()).toEqual(['read_products']);
    });

    it.each([
      [{ client_id: 'nobody' }, 'This app is unknown'],
      [{ client_id: 'key', optional_scopes: 'read everything' }, 'These permissions are unknown'],
      [
        { client_id: 'key', optional_scopes: 'read_customers' },
        'These permissions are not declared',
      ],
    ])('are refused for %j', async (query, title) => {
      const reply = await open(query);
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining(title)]);
    });

    it('are granted to nobody who has not seen it', async () => {
      shop.install('key', { scopes: ['read_products'] });
      const body = new URLSearchParams({ consent: 'guess', decision: 'install' });
      expect(
        (await fetch(`${shop.origin}/admin/oauth/install`, { method: 'POST', body })).status,
      ).toBe(400);
      expect(granted()).toEqual(['read_products']);
    });
  });

  describe('that are given back', () => {
    it('are gone from the installation and from its tokens', async () => {
      const token = shop.install('key', {
        scopes: ['write_products', 'read_orders', 'write_discounts'],
      });
      expect(await revoke(token, 'write_products', 'write_discounts')).toEqual({
        revoked: [{ handle: 'write_products' }, { handle: 'write_discounts' }],
        userErrors: [],
      });
      // Reading products is required, and was implied before.
      expect(granted()).toEqual(['read_orders', 'read_products']);
      expect(shop.accessToken(token)?.scopes).toEqual(['read_orders', 'read_products']);
    });

    it('may be ones that were never granted', async () => {
      const token = shop.install('key', { scopes: ['read_products'] });
      expect(await revoke(token, 'read_orders')).toEqual({ revoked: [], userErrors: [] });
    });

    it.each([
      ['read_products', 'CANNOT_REVOKE_REQUIRED_SCOPES', 'declared as required cannot be revoked.'],
      ['read_discounts', 'CANNOT_REVOKE_IMPLIED_SCOPES', 'implied by other scopes'],
      ['read_customers', 'CANNOT_REVOKE_UNDECLARED_SCOPES', 'not declared'],
      ['everything', 'UNKNOWN_SCOPES', 'list of scopes to revoke includes invalid handles.'],
    ])('must not be %s: %s, and nothing else goes either', async (scope, code, words) => {
      const token = shop.install('key', {
        scopes: ['read_products', 'read_orders', 'write_discounts'],
      });
      expect(await revoke(token, 'read_orders', scope, 'read_products')).toEqual({
        revoked: null,
        userErrors: [
          scope === 'everything'
            ? { field: ['scopes'], message: expect.stringContaining(words), code }
            : {
                field: ['scopes'],
                message: expect.any(String),
                code: 'CANNOT_REVOKE_REQUIRED_SCOPES',
              },
        ],
      });
      expect(await revoke(token, 'read_orders', scope)).toEqual({
        revoked: null,
        userErrors: [{ field: ['scopes'], message: expect.stringContaining(words), code }],
      });
      expect(granted()).toEqual(['read_products', 'read_orders', 'write_discounts']);
    });
  });

  describe('on command', () => {
    it('change with the tokens that are out, and the app is told once', async () => {
      const token = shop.install('key', { scopes: ['read_products'] });
      const topic = `mutation { webhookSubscriptionCreate(topic: APP_SCOPES_UPDATE, webhookSubscription: { uri: "${app.url}" }) { userErrors { message } } }`;
      await run(token, topic);
      shop.setScopes('key', 'write_products');
      shop.setScopes('key', ['write_products', 'read_products']);
      await devStore.settled();
      expect(app.received.map(({ body }) => JSON.parse(body.toString()) as unknown)).toEqual([
        {
          id: expect.any(Number),
          shop_id: `gid://shopify/Shop/${shop.id}`,
          previous: ['read_products'],
          current: ['read_products', 'write_products'],
          updated_at: expect.stringMatching(/Z$/),
        },
      ]);
      expect(shop.accessToken(token)?.scopes).toEqual(['write_products']);
    });

    it('are refused for an app that is not installed, and when they are malformed', () => {
      expect(() => shop.setScopes('key', [])).toThrow(
        'The app "key" is not installed on dev-shop.myshopify.com.',
      );
      shop.install('key', { scopes: [] });
      expect(() => shop.setScopes('key', 'everything')).toThrow(/Scopes look like/);
    });
  });

  it('must be well-formed in the description of an app', () => {
    const description = { apiKey: 'bad', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' };
    expect(() => devStore.addApp({ ...description, optionalScopes: ['everything'] })).toThrow(
      /^The scopes of the app "bad" look like/,
    );
  });
});
