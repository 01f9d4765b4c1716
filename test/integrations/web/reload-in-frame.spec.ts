import { afterAll, describe, expect, it } from '@jest/globals';
import { DevStore } from '../../../lib/dev-store/index.js';
import { platformApp as reactRouterApp } from '../../../lib/integrations/react-router/index.js';
import {
  ApiVersion,
  MemorySessionStorage,
  platformApp as remixApp,
} from '../../../lib/integrations/remix/index.js';

const appUrl = 'https://app.example.com';
const app = { apiKey: 'the-api-key', apiSecretKey: 'the-api-secret', appUrl };

describe.each([
  ['Remix', remixApp, 302],
  ['React Router', reactRouterApp as unknown as typeof remixApp, 200],
])('a page of %s that names no shop', (_host, create, elsewhere) => {
  const stores: DevStore[] = [];
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  async function page(path: string, headers: Record<string, string>): Promise<Response> {
    const devStore = await DevStore.open({ apps: [app] });
    stores.push(devStore);
    const { authenticate } = create({
      ...app,
      apiVersion: ApiVersion.July26,
      scopes: [],
      sessionStorage: new MemorySessionStorage(),
      shopOrigin: devStore.shopOrigin,
      logger: { log: () => {} },
    });
    const request = new Request(appUrl + path, { headers: { accept: 'text/html', ...headers } });
    return authenticate.admin(request).then(
      () => new Response('granted'),
      (thrown: Response) => thrown,
    );
  }

  const IN_FRAME = { 'sec-fetch-dest': 'iframe' };

  it('is loaded again by App Bridge inside the admin', async () => {
    const response = await page('/app/shop?page=2&id_token=old', IN_FRAME);
    expect(response.status).toBe(200);
    const html = await response.text();
    const [, reload] = /"(https:\/\/app\.example\.com\/app\/shop[^"]*)"/.exec(html) ?? [];
    const { searchParams } = new URL(reload!.replaceAll(String.raw`\u0026`, '&'));
    expect([...searchParams.keys()]).toEqual(['page', 'bounced-at']);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^frame-ancestors https:\/\/admin\.shopify\.com /,
    );
  });

  it('is not loaded again and again', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const response = await page(`/app?bounced-at=${seconds}&id_token=bad`, IN_FRAME);
    expect(response.status).toBe(elsewhere);
    expect(await response.text()).not.toContain('shopify-reload');
  });

  it('is what it was elsewhere', async () => {
    expect((await page('/app', { 'sec-fetch-dest': 'document' })).status).toBe(elsewhere);
    expect((await page('/app', {})).status).toBe(elsewhere);
  });

  it('is refused inside a frame when the name is none', async () => {
    const response = await page('/app?shop=%3Cscript%3E', IN_FRAME);
    expect(await response.text()).not.toContain('shopify-reload');
  });
});
