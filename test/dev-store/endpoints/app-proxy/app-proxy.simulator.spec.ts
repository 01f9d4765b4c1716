import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

interface Seen {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

/** As the platform documents it, over the decoded parameters. */
function signatureOf(url: URL, secret: string): string {
  const names = [...new Set(url.searchParams.keys())].filter((name) => name !== 'signature');
  const lines = names.map((name) => `${name}=${url.searchParams.getAll(name).join(',')}`);
  const bytes = lines.map((line) => Buffer.from(line).toString('latin1')).sort();
  const text = Buffer.from(bytes.join(''), 'latin1');
  return createHmac('sha256', secret).update(text).digest('hex');
}

describe('App proxies of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;
  let server: Server;
  let appUrl: string;
  const seen: Seen[] = [];
  let answer: (response: ServerResponse, url: URL) => void;

  const listen = async (): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const url = new URL(request.url ?? '', appUrl);
        const body = Buffer.concat(chunks).toString();
        seen.push({ method: request.method ?? '', url, headers: request.headers, body });
        answer(response, url);
      });
    });
    appUrl = await listen();
    const apps = [
      {
        apiKey: 'key',
        apiSecretKey: 'hush',
        appUrl,
        appProxy: { url: '/proxy', subpath: 'reviews' },
      },
      {
        apiKey: 'other',
        apiSecretKey: 'psst',
        appUrl,
        name: 'Loyalty',
        appProxy: { url: `${appUrl}/loyal/`, subpath: 'club', prefix: 'community' as const },
      },
    ];
    devStore = await DevStore.open({ apps });
    shop = devStore.shop();
    shop.install('key', { scopes: ['write_app_proxy'] });
  });
  afterAll(async () => {
    await devStore.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    seen.length = 0;
    shop.customerId = undefined;
    answer = (response) => response.setHeader('Content-Type', 'text/plain').end('from the app');
  });

  it('forwards a path and the query with the parameters and the signature of the platform', async () => {
    const before = Math.floor(Date.now() / 1000);
    const reply = await fetch(
      `${shop.origin}/apps/reviews/extra/path%20components?extra=1&extra=2`,
    );
    expect([reply.status, await reply.text()]).toEqual([200, 'from the app']);
    const { url } = seen[0]!;
    expect(url.pathname).toBe('/proxy/extra/path%20components');
    const { timestamp, signature, ...rest } = Object.fromEntries(url.searchParams);
    expect(url.searchParams.getAll('extra')).toEqual(['1', '2']);
    expect(rest).toEqual({
      extra: '2',
      shop: 'dev-shop.myshopify.com',
      logged_in_customer_id: '',
      path_prefix: '/apps/reviews',
    });
    expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    expect(signature).toBe(signatureOf(url, 'hush'));
  });

  it.each([
    '?a+b=c%20d&e=%2B',
    '?Zed=1&apple=2&extra=1&extra2=2&_x=&empty',
    '?%C3%A9=%E2%82%AC&z%F0%9F%98%80=1&%EF%BC%A1=2',
    '?index&_data=routes%2Fproxy',
    '',
  ])('signs the query %s, which arrives as it was sent', async (query) => {
    await fetch(`${shop.origin}/apps/reviews${query}`);
    const { url } = seen[0]!;
    if (query) expect(url.search.startsWith(`${query}&shop=`)).toBe(true);
    expect(url.searchParams.get('signature')).toBe(signatureOf(url, 'hush'));
  });

  it("names the shop's own domain where a visitor's browser names the address of the store", async () => {
    const { origin } = shop;
    await fetch(`${origin}/apps/reviews`, {
      method: 'POST',
      headers: { Origin: origin, Referer: `${origin}/apps/reviews/` },
    });
    await fetch(`${origin}/apps/reviews`, { headers: { Origin: 'https://elsewhere.example' } });
    expect(seen.map(({ headers }) => [headers.origin, headers.referer])).toEqual([
      ['https://dev-shop.myshopify.com', 'https://dev-shop.myshopify.com/apps/reviews/'],
      ['https://elsewhere.example', undefined],
    ]);
    expect(seen[0]!.headers['x-forwarded-host']).toBe('dev-shop.myshopify.com');
  });

  it('replaces parameters that a visitor gives the names of the platform', async () => {
    await fetch(
      `${shop.origin}/apps/reviews?shop=evil.myshopify.com&%73ignature=x&timestamp=1&a=b`,
    );
    const { url } = seen[0]!;
    expect(url.searchParams.getAll('shop')).toEqual(['dev-shop.myshopify.com']);
    expect(url.searchParams.getAll('signature')).toEqual([signatureOf(url, 'hush')]);
    expect(url.searchParams.getAll('timestamp')).toHaveLength(1);
    expect(url.searchParams.get('a')).toBe('b');
  });

  it('names the customer who is logged in, and the time of the store', async () => {
    shop.customerId = 207119551;
    devStore.advance(86_400_000);
    await fetch(`${shop.origin}/apps/reviews`);
    const { url } = seen[0]!;
    expect(url.searchParams.get('logged_in_customer_id')).toBe('207119551');
    expect(Number(url.searchParams.get('timestamp'))).toBeGreaterThan(Date.now() / 1000 + 86_000);
  });

  it('forwards the method, the body and the headers, but no cookie and no credentials', async () => {
    await fetch(`${shop.origin}/apps/reviews/new`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Cookie: 'cart=1',
        Authorization: 'Bearer x',
        'Accept-Language': 'fr',
      },
      body: 'stars=5&text=a+b',
    });
    const { method, headers, body } = seen[0]!;
    expect([method, body]).toEqual(['POST', 'stars=5&text=a+b']);
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'accept-language': 'fr',
      'x-forwarded-host': 'dev-shop.myshopify.com',
      'x-forwarded-for': '127.0.0.1',
      host: new URL(appUrl).host,
    });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('authorization');
  });

  it('answers with status and headers of the app, without its cookies', async () => {
    answer = (response) =>
      response
        .writeHead(418, { 'Content-Type': 'application/json', 'Set-Cookie': 'a=b', 'X-Own': '1' })
        .end('{"a":1}');
    const reply = await fetch(`${shop.origin}/apps/reviews`);
    expect([reply.status, await reply.text()]).toEqual([418, '{"a":1}']);
    expect(reply.headers.get('x-own')).toBe('1');
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  it('follows the redirects of the app', async () => {
    answer = (response, url) => {
      if (url.pathname === '/proxy/old') response.writeHead(302, { Location: '/new' }).end();
      else response.end(url.pathname);
    };
    const reply = await fetch(`${shop.origin}/apps/reviews/old`, { redirect: 'manual' });
    expect([reply.status, await reply.text()]).toEqual([200, '/new']);
  });

  it('puts a Liquid answer into a page of the storefront', async () => {
    answer = (response) =>
      response
        .writeHead(201, { 'Content-Type': 'application/liquid' })
        .end('<h1 id="own">Reviews of {{ shop.name }}</h1><p>{{ product.title }}</p>');
    const reply = await fetch(`${shop.origin}/apps/reviews`);
    const page = await reply.text();
    expect(reply.status).toBe(201);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toMatch(
      /<main[^>]*><h1 id="own">Reviews of Dev Shop<\/h1><p>\{\{ product\.title \}\}<\/p><\/main>/,
    );
  });

  it('leaves a Liquid answer without a layout by itself', async () => {
    answer = (response) =>
      response
        .setHeader('Content-Type', 'application/liquid; charset=utf-8')
        .end('{% layout none %} <b>{{shop.domain}}</b>');
    const reply = await fetch(`${shop.origin}/apps/reviews`);
    expect((await reply.text()).trim()).toBe('<b>dev-shop.myshopify.com</b>');
  });

  it('serves only apps that are installed, at their own addresses', async () => {
    for (const path of ['/community/club', '/apps/reviewsX', '/tools/reviews', '/apps']) {
      const reply = await fetch(shop.origin + path);
      expect([path, reply.status]).toEqual([path, 404]);
    }
    shop.install('other', { scopes: [] });
    await fetch(`${shop.origin}/community/club/card?x=1`);
    const { url } = seen[0]!;
    expect(seen).toHaveLength(1);
    expect(url.pathname).toBe('/loyal/card');
    expect(url.searchParams.get('signature')).toBe(signatureOf(url, 'psst'));
  });

  it('answers 502 while the app is down, and notes it without the query', async () => {
    const { port } = new URL(appUrl);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    const reply = await fetch(`${shop.origin}/apps/reviews?token=secret-of-the-visitor`);
    expect(reply.status).toBe(502);
    expect(await reply.text()).toContain('did not answer');
    await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
    const [failed] = shop.events.filter(({ kind }) => kind === 'proxy').slice(-1);
    expect(failed?.summary).toMatch(/^GET \/apps\/reviews to .*failed: /);
    expect(JSON.stringify(shop.events)).not.toContain('secret-of-the-visitor');
  });

  it('tells the signed address by itself', async () => {
    const url = new URL(shop.appProxyUrl('key', 'list?page=2'));
    expect(url.origin + url.pathname).toBe(`${appUrl}/proxy/list`);
    expect(url.searchParams.get('page')).toBe('2');
    expect(url.searchParams.get('signature')).toBe(signatureOf(url, 'hush'));
    devStore.addApp({ apiKey: 'bare', apiSecretKey: 's', appUrl });
    expect(() => shop.appProxyUrl('bare')).toThrow('has no app proxy');
  });

  it.each([
    [{ url: 'proxy', subpath: 'x' }, 'begins with a slash'],
    [{ url: '//evil.example', subpath: 'x' }, 'begins with a slash'],
    [{ url: '/proxy?x=1', subpath: 'x' }, 'without query'],
    [{ url: '/proxy', subpath: 'a/b' }, 'subpath'],
    [{ url: '/proxy', subpath: 'x', prefix: 'admin' as 'apps' }, 'prefix'],
    [{ url: '/proxy', subpath: 'reviews' }, 'Two apps'],
  ])('refuses the description %j', (appProxy, reason) => {
    const app = { apiKey: 'new', apiSecretKey: 's', appUrl, appProxy };
    expect(() => devStore.addApp(app)).toThrow(reason);
  });
});
