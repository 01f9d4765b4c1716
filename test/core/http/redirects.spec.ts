import { describe, expect, it } from '@jest/globals';

import { systemClock } from '../../../lib/core/time/clock.js';
import { HttpTransport, safeRedirect } from '../../../lib/core/http/http-transport.js';

const SHOP = 'https://shop.myshopify.com/admin/api/2026-07/products.json';
const moved = (status: number, location: string): Response =>
  new Response(null, { status, headers: { location } });

// `fetch` took the access token wherever a reply pointed, and made a GET of a POST.
describe('a redirect', () => {
  it.each([
    [302, '/admin/elsewhere.json', 'GET', 'https://shop.myshopify.com/admin/elsewhere.json'],
    [301, 'https://renamed.myshopify.com/x', 'GET', 'https://renamed.myshopify.com/x'],
    [308, 'https://renamed.myshopify.com/x', 'POST', 'https://renamed.myshopify.com/x'],
    [307, '/same', 'DELETE', 'https://shop.myshopify.com/same'],
  ])('%d to %s is followed by a %s', (status, location, method, target) => {
    expect(safeRedirect(moved(status, location), SHOP, method)).toBe(target);
  });

  it.each([
    [302, 'https://evil.example/x', 'GET'],
    [302, '//evil.example/x', 'GET'],
    [308, 'https://shop.myshopify.com.evil.example/', 'GET'],
    [302, 'http://shop.myshopify.com/x', 'GET'],
    [302, 'http://renamed.myshopify.com/x', 'GET'],
    [302, 'https://shop.myshopify.com:8443/x', 'GET'],
    [302, 'https://admin.shopify.com/login', 'GET'],
    [302, '/x', 'POST'],
    [301, '/x', 'PUT'],
    [302, 'http://[', 'GET'],
    [200, '/x', 'GET'],
    [304, '/x', 'GET'],
  ])('%d to %s is not followed by a %s', (status, location, method) => {
    expect(safeRedirect(moved(status, location), SHOP, method)).toBeUndefined();
  });

  it('keeps method, headers and body, and is followed three times at most', async () => {
    const sent: [string, RequestInit | undefined][] = [];
    const fetch = (async (url: string, init?: RequestInit) => {
      sent.push([url, init]);
      return moved(308, `/${sent.length}`);
    }) as typeof globalThis.fetch;
    const transport = new HttpTransport({ fetch, clock: systemClock });
    const response = await transport.send(SHOP, {
      method: 'POST',
      body: '{}',
      headers: { 'x-shopify-access-token': 'token' },
    });
    expect(response.status).toBe(308);
    expect(sent.map(([url]) => new URL(url).pathname)).toEqual([
      '/admin/api/2026-07/products.json',
      '/1',
      '/2',
      '/3',
    ]);
    for (const [, init] of sent)
      expect(init).toMatchObject({
        method: 'POST',
        body: '{}',
        headers: { 'x-shopify-access-token': 'token' },
        redirect: 'manual',
      });
  });

  it('to another host is handed back, the token unsent', async () => {
    const sent: string[] = [];
    const fetch = (async (url: string) => {
      sent.push(url);
      return moved(302, 'https://evil.example/');
    }) as typeof globalThis.fetch;
    const response = await new HttpTransport({ fetch, clock: systemClock }).send(SHOP);
    expect([response.status, sent]).toEqual([302, [SHOP]]);
  });
});
