import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { DevStore, signedQuery, type DevShop } from '../../../../lib/dev-store/index.js';

const SHOP = 'dev-shop.myshopify.com';
const HOST = Buffer.from('admin.shopify.com/store/dev-shop').toString('base64');

describe('The admin of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;

  beforeAll(async () => {
    const apps = [
      { apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000', name: 'Labels' },
      {
        apiKey: 'plain',
        apiSecretKey: 'hush',
        appUrl: 'http://localhost:3001/app',
        name: 'Plain',
        embedded: false,
      },
      {
        apiKey: 'managed',
        apiSecretKey: 'hush',
        appUrl: 'http://localhost:3002',
        name: 'Managed',
        scopes: ['read_products'],
        managedInstallation: true,
      },
    ];
    devStore = await DevStore.open({ apps, deliveryRetries: [] });
    shop = devStore.shop();
  });
  beforeEach(async () => {
    await Promise.all(['key', 'plain', 'managed'].map((key) => shop.uninstall(key)));
  });
  afterAll(() => devStore.close());

  const get = (path: string): Promise<Response> =>
    fetch(shop.origin + path, { redirect: 'manual' });
  const page = async (path: string): Promise<string> => (await get(path)).text();
  const post = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(shop.origin + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  const tokenFor = (html: string, action: string): string =>
    new RegExp(
      `action="${action}"[^>]*>\\s*<input type="hidden" name="page_token" value="([0-9a-f]+)"`,
    ).exec(html)?.[1] ?? '';
  const isSigned = (url: URL): boolean => {
    const { hmac, ...params } = Object.fromEntries(url.searchParams);
    return hmac === signedQuery(params, 'hush').get('hmac');
  };

  it('greets at the root and at its own address', async () => {
    expect((await get('/')).headers.get('location')).toBe('/admin');
    expect(await page('/admin')).toContain('Dev Shop');
  });

  it('allows its pages no foreign content and no frame', async () => {
    const { headers } = await get('/admin');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[\w-]+'; .*frame-ancestors 'none'$/,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('writes what merchants and apps say as text', async () => {
    const { product } = shop.createProduct({
      title: '<img src=x onerror=alert(1)>',
      descriptionHtml: '</textarea><script>',
    });
    for (const path of [
      '/admin',
      '/admin/products',
      `/admin/products/${product?.id}`,
      '/admin/events',
    ]) {
      const html = await page(path);
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(html).not.toMatch(/<img|<\/textarea><script>/);
    }
    shop.deleteProduct(product?.id ?? 0);
  });

  describe('opening an app', () => {
    it('that is not installed leads to the app with a signed shop', async () => {
      const url = new URL((await get('/admin/apps/key')).headers.get('location') ?? '');
      expect(url.origin).toBe('http://localhost:3000');
      expect(Object.keys(Object.fromEntries(url.searchParams)).sort()).toEqual([
        'hmac',
        'host',
        'shop',
        'timestamp',
      ]);
      expect(url.searchParams.get('shop')).toBe(SHOP);
      expect(isSigned(url)).toBe(true);
    });

    it('that the platform installs asks for its scopes first, and is not asked itself', async () => {
      const location = (await get('/admin/apps/managed/reports')).headers.get('location') ?? '';
      expect(location).toBe('/admin/oauth/install?client_id=managed');
      expect(await page(location)).toContain('Install Managed');
      shop.install('managed', { scopes: ['read_products'] });
      expect(await page('/admin/apps/managed')).toMatch(/<iframe[^>]*localhost:3002/);
    });

    it('that lives outside of the admin leads to it even when it is installed', async () => {
      shop.install('plain', { scopes: [] });
      const url = new URL(
        (await get('/admin/apps/plain/reports?month=3')).headers.get('location') ?? '',
      );
      expect(url.origin + url.pathname).toBe('http://localhost:3001/app/reports');
      expect(url.searchParams.get('month')).toBe('3');
      expect(isSigned(url)).toBe(true);
    });

    it('that is embedded frames it, and nothing else', async () => {
      shop.install('key', { scopes: [] });
      const reply = await get('/admin/apps/key/reports');
      expect(reply.headers.get('content-security-policy')).toContain(
        'frame-src http://localhost:3000;',
      );
      const source = /<iframe[^>]* src="([^"]+)"/
        .exec(await reply.text())?.[1]
        ?.replaceAll('&amp;', '&');
      const url = new URL(source ?? '');
      expect(url.origin + url.pathname).toBe('http://localhost:3000/reports');
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        embedded: '1',
        shop: SHOP,
        host: HOST,
        locale: 'en',
        session: expect.any(String),
      });
      expect(isSigned(url)).toBe(true);
      const { payload } = await jwtVerify(
        url.searchParams.get('id_token') ?? '',
        new TextEncoder().encode('hush'),
      );
      expect(payload).toMatchObject({
        aud: 'key',
        dest: `https://${SHOP}`,
        iss: `https://${SHOP}/admin`,
        sub: String(shop.user.id),
      });
    });

    it('keeps what is signed out of the path and the query', async () => {
      shop.install('key', { scopes: [] });
      const url = new URL(shop.embeddedUrl('key', '//evil.example/?shop=evil.myshopify.com&x=1'));
      expect(url.origin).toBe('http://localhost:3000');
      expect([url.searchParams.getAll('shop'), url.searchParams.get('x')]).toEqual([[SHOP], '1']);
    });
  });

  describe('the session tokens of a frame', () => {
    const path = '/admin/apps/key/session_token';
    const pageToken = async (): Promise<string> =>
      /"pageToken":"([0-9a-f]+)"/.exec(await page('/admin/apps/key'))?.[1] ?? '';
    const ask = (token: string): Promise<Response> =>
      fetch(shop.origin + path, { method: 'POST', headers: { 'X-Page-Token': token } });

    it('are issued to the page that holds the frame', async () => {
      shop.install('key', { scopes: [] });
      const { token } = (await (await ask(await pageToken())).json()) as { token: string };
      const { payload } = await jwtVerify(token, new TextEncoder().encode('hush'));
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    });

    it('are refused to anyone else, and end with the installation', async () => {
      shop.install('key', { scopes: [] });
      const token = await pageToken();
      expect((await ask('guess')).status).toBe(403);
      await shop.uninstall('key');
      expect((await ask(token)).status).toBe(404);
    });
  });

  it('uninstalls an app at the press of a button, not without one', async () => {
    shop.install('key', { scopes: ['read_orders'] });
    expect((await post('/admin/apps/key/uninstall', {})).status).toBe(403);
    expect(shop.installations).toHaveLength(1);
    const token = tokenFor(await page('/admin'), '/admin/apps/key/uninstall');
    const reply = await post('/admin/apps/key/uninstall', { page_token: token });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/admin']);
    expect(shop.installations).toEqual([]);
  });

  it('takes the token of one form for no other', async () => {
    shop.install('key', { scopes: [] });
    const token = tokenFor(await page('/admin/products'), '/admin/products');
    expect((await post('/admin/apps/key/uninstall', { page_token: token })).status).toBe(403);
  });

  it('adds, changes and deletes a product', async () => {
    const form = { page_token: tokenFor(await page('/admin/products'), '/admin/products') };
    expect(
      (
        await post('/admin/products', {
          ...form,
          title: 'Slate coaster',
          price: '9.5',
          status: 'draft',
          description: 'Grey',
        })
      ).status,
    ).toBe(303);
    const product = shop.products.at(-1);
    expect(product).toMatchObject({
      title: 'Slate coaster',
      status: 'draft',
      descriptionHtml: 'Grey',
      variants: [{ price: '9.50' }],
    });

    const path = `/admin/products/${product?.id}`;
    const html = await page(path);
    await post(path, {
      page_token: tokenFor(html, path),
      title: 'Slate coasters',
      price: '12',
      status: 'active',
      description: '',
    });
    expect(product).toMatchObject({
      title: 'Slate coasters',
      status: 'active',
      descriptionHtml: '',
      variants: [{ price: '12.00' }],
    });
    await post(`${path}/delete`, { page_token: tokenFor(html, `${path}/delete`) });
    expect(shop.products).not.toContain(product);
  });

  it('says what is wrong with a product', async () => {
    const form = { page_token: tokenFor(await page('/admin/products'), '/admin/products') };
    const reply = await post('/admin/products', { ...form, title: ' ', price: 'much' });
    expect(reply.status).toBe(422);
    expect(await reply.text()).toMatch(
      /role="alert">The title can&#39;t be blank\. The price is not a number\./,
    );
  });

  it('shows the events, newest first, as a page and as JSON', async () => {
    shop.install('key', { scopes: ['read_orders'] });
    shop.createProduct({ title: 'Noted' });
    const { events } = (await (await get('/admin/events.json')).json()) as {
      events: Array<{ summary: string; at: string }>;
    };
    expect(events.slice(0, 3).map(({ summary }) => summary)).toEqual([
      'Noted: created',
      expect.stringMatching(/^offline access token shpat_…[0-9a-f]{4} for Labels$/),
      'Labels installed with read_orders',
    ]);
    expect(await page('/admin/events')).toContain('Noted: created');
  });

  it('answers HEAD like GET, without a body', async () => {
    const reply = await fetch(`${shop.origin}/admin`, { method: 'HEAD' });
    expect([reply.status, await reply.text()]).toEqual([200, '']);
  });
});
