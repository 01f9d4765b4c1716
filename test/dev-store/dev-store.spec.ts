import { afterEach, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { DevStore, type DevStoreOptions } from '../../lib/dev-store/index.js';

const APP = { apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000' };
const SHOP = 'dev-shop.myshopify.com';

describe('DevStore', () => {
  const opened: DevStore[] = [];
  const open = async (options: DevStoreOptions = {}): Promise<DevStore> => {
    const devStore = await DevStore.open({ apps: [APP], ...options });
    opened.push(devStore);
    return devStore;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((devStore) => devStore.close()));
  });

  it('gives each shop an origin of its own', async () => {
    const devStore = await open({
      shops: ['one.myshopify.com', { domain: 'two.myshopify.com', name: 'Second' }],
    });
    const [one, two] = [
      devStore.shopOrigin('one.myshopify.com'),
      devStore.shopOrigin('two.myshopify.com'),
    ];
    expect(one).not.toBe(two);
    expect(await (await fetch(`${two}/admin`)).text()).toContain('Second');
    expect(devStore.shop().domain).toBe('one.myshopify.com');
  });

  it('puts the shops on consecutive ports when it is given one', async () => {
    const probe = await open();
    const port = Number(new URL(probe.shopOrigin(SHOP)).port);
    await probe.close();
    const devStore = await open({ port, shops: [SHOP] });
    expect(devStore.shopOrigin(SHOP)).toBe(`http://localhost:${port}`);
  });

  it('rejects when the port is taken', async () => {
    const first = await open();
    const port = Number(new URL(first.shopOrigin(SHOP)).port);
    await expect(DevStore.open({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('stops answering when it is closed', async () => {
    const devStore = await open();
    const origin = devStore.shopOrigin(SHOP);
    await fetch(`${origin}/admin`);
    await devStore.close();
    await expect(fetch(`${origin}/admin`)).rejects.toThrow();
  });

  it.each([
    [
      { shops: ['dev-shop.example.com'] },
      /looks like "dev-shop.myshopify.com", got "dev-shop.example.com"/,
    ],
    [{ shops: [SHOP, SHOP] }, /described twice/],
    [{ shops: [] }, /at least one shop/],
    [{ apps: [{ ...APP, appUrl: 'localhost:3000' }] }, /must be an http or https URL/],
    [{ apps: [{ ...APP, apiSecretKey: '' }] }, /needs an apiKey and an apiSecretKey/],
    [{ apps: [APP, APP] }, /already knows an app/],
    [
      { shops: [{ domain: SHOP, products: [{ title: ' ' }] }] },
      /^The seed product " " of dev-shop.myshopify.com is refused: title can't be blank\.$/,
    ],
  ])('refuses to open with %j', async (options, message) => {
    await expect(DevStore.open(options)).rejects.toThrow(message);
  });

  it('names the shops it has when asked for another', async () => {
    const devStore = await open();
    expect(() => devStore.shopOrigin('other.myshopify.com')).toThrow(
      `no shop "other.myshopify.com"; it has ${SHOP}`,
    );
  });

  it('learns of an app after it was opened', async () => {
    const devStore = await open({ apps: [] });
    expect(() => devStore.shop().install('key', { scopes: [] })).toThrow(/knows no app/);
    devStore.addApp(APP);
    expect(devStore.shop().install('key', { scopes: [] })).toMatch(/^shpat_[0-9a-f]{32}$/);
  });

  it('opens a shop in which nothing has happened yet', async () => {
    const shop = (await open()).shop();
    expect(shop.products).toHaveLength(6);
    expect(shop.events).toEqual([]);
  });

  it('answers a shop with products of its own, priced and numbered', async () => {
    const devStore = await open({
      shops: [{ domain: SHOP, products: [{ title: 'Crème brûlée', price: '4.5' }] }],
    });
    expect(devStore.shop().products).toMatchObject([
      { title: 'Crème brûlée', handle: 'creme-brulee', variants: [{ price: '4.50' }] },
    ]);
  });

  describe('fetch', () => {
    it('reaches a shop under its real name', async () => {
      const devStore = await open();
      const token = devStore.shop().install('key', { scopes: 'read_products' });
      const url = `https://${SHOP}/admin/api/2026-07/shop.json`;
      const headers = { 'X-Shopify-Access-Token': token };
      for (const response of [
        await devStore.fetch(url, { headers }),
        await devStore.fetch(new Request(url, { headers })),
      ]) {
        expect(await response.json()).toMatchObject({ shop: { myshopify_domain: SHOP } });
      }
    });

    it('carries the body of a request', async () => {
      const devStore = await open();
      const headers = {
        'X-Shopify-Access-Token': devStore.shop().install('key', { scopes: 'write_products' }),
      };
      const body = JSON.stringify({ product: { title: 'Sent' } });
      await devStore.fetch(
        new Request(`https://${SHOP}/admin/api/2026-07/products.json`, {
          method: 'POST',
          headers,
          body,
        }),
      );
      expect(devStore.shop().products.at(-1)?.title).toBe('Sent');
    });

    it('reaches the admin of a shop under its real address', async () => {
      const devStore = await open({ shops: [SHOP, { domain: 'two.myshopify.com', name: 'Two' }] });
      const admin = await devStore.fetch('https://admin.shopify.com/store/two');
      expect(await admin.text()).toContain('Two · Admin');
      const page = await devStore.fetch('https://admin.shopify.com/store/two/products?page=2');
      expect(page.url).toBe(`${devStore.shopOrigin('two.myshopify.com')}/admin/products?page=2`);
      await expect(devStore.fetch('https://admin.shopify.com/')).rejects.toThrow(/reaches simul/);
    });

    it('reaches nothing else', async () => {
      const devStore = await open();
      await expect(devStore.fetch('https://example.com/')).rejects.toThrow(
        /reaches simulated shops alone .* not https:\/\/example.com/,
      );
    });
  });

  describe('faced with a bad request', () => {
    const raw = (
      origin: string,
      path: string,
      headers: Record<string, string> = {},
    ): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(origin, { path, headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end();
      });

    it('refuses a body of more than 1 MB', async () => {
      const devStore = await open();
      const body = 'x'.repeat(3 * 1024 * 1024);
      const response = await fetch(`${devStore.shopOrigin(SHOP)}/admin/oauth/access_token`, {
        method: 'POST',
        body,
      });
      expect(response.status).toBe(413);
    });

    it.each([
      ['/nowhere', 404],
      ['/admin/api/2026-07/nothing.json', 401],
      ['/admin/api/soon/shop.json', 404],
      ['/admin/apps/%E0%A4%A', 400],
      ['/admin/apps/unknown', 404],
      ['/admin/products/999', 404],
      ['http://[', 400],
      ['*', 400],
    ])('answers %s with %i', async (path, status) => {
      const devStore = await open();
      expect(await raw(devStore.shopOrigin(SHOP), path)).toBe(status);
    });

    it('names the methods it serves when the method is wrong', async () => {
      const devStore = await open();
      const response = await fetch(`${devStore.shopOrigin(SHOP)}/admin/oauth/authorize`, {
        method: 'DELETE',
      });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    });

    it('does not serve a foreign host name that resolves to this machine', async () => {
      const devStore = await open();
      expect(await raw(devStore.shopOrigin(SHOP), '/admin', { host: 'evil.example' })).toBe(421);
      expect(await raw(devStore.shopOrigin(SHOP), '/admin', { host: SHOP })).toBe(200);
    });
  });
});
