import { describe, expect, it } from '@jest/globals';

import { adminRedirect } from '../../../lib/auth/admin/admin-redirect.js';
import type { RedirectTarget } from '../../../lib/auth/admin/admin-redirect.js';
import { APP_URL, HOST, SHOP, createApp, inbound, page, query } from '../auth.fixture.js';

const { config } = createApp();
const FRAME = { shop: SHOP, host: HOST, embedded: '1', locale: 'de', id_token: 'a.b.c' };
const request = page(`/app?${query(FRAME)}`);
const ELSEWHERE = 'https://elsewhere.example.com/a';
const ADMIN = 'https://admin.shopify.com/store/dev-shop';

const decide = (url: string, target?: RedirectTarget) =>
  adminRedirect(request, config, SHOP, url, target);

describe('a redirect of a page inside the admin', () => {
  it('takes along every parameter of the request, behind its own', () => {
    expect(decide('/orders?page=2')).toEqual({
      kind: 'follow',
      location: `${APP_URL}/orders?${query({ page: '2', ...FRAME })}`,
    });
  });

  it('keeps the parameters that the address has already', () => {
    const { locale: _, shop: __, ...others } = FRAME;
    const own = { locale: 'fr', shop: 'other.myshopify.com' };
    expect(decide(`${APP_URL}/orders?${query(own)}`)).toEqual({
      kind: 'follow',
      location: `${APP_URL}/orders?${query({ ...own, ...others })}`,
    });
  });

  it('takes a parameter along as often as it came, and not what marks a page that came back', () => {
    const repeated = page(`/app?tag=a&tag=b&bounced-at=1`);
    expect(adminRedirect(repeated, config, SHOP, '/orders')).toEqual({
      kind: 'follow',
      location: `${APP_URL}/orders?tag=a&tag=b`,
    });
  });

  it.each([
    [ELSEWHERE, ELSEWHERE],
    ['//elsewhere.example.com/a', ELSEWHERE],
    ['/\\elsewhere.example.com/a', ELSEWHERE],
  ])('gives %j, which is another origin, none of the parameters', (url, location) => {
    expect(decide(url)).toEqual({ kind: 'follow', location });
  });

  it.each(['_top', '_parent', '_blank'] as const)('opens %s when it is told to', (target) => {
    expect(decide(ELSEWHERE, target)).toEqual({ kind: 'open', url: ELSEWHERE, target });
  });

  it.each([
    ['shopify://admin/products', undefined, '/products', '_parent'],
    ['shopify:admin/products', undefined, '/products', '_parent'],
    ['SHOPIFY:///Admin/products/', '_top', '/products/', '_top'],
    ['shopify://admin', undefined, '/', '_parent'],
    [
      `shopify://admin/products?${query({ ...FRAME, hmac: 'h', session: 's', timestamp: '1', protocol: 'https://', appLoadId: 'l', extra: 'param' })}`,
      '_blank',
      '/products?extra=param',
      '_blank',
    ],
  ] as const)('opens %s in the admin', (url, given, path, target) => {
    expect(decide(url, given)).toEqual({ kind: 'open', url: ADMIN + path, target });
  });

  it('keeps a page of the admin in the frame when it is told to', () => {
    expect(decide('shopify://admin/products', '_self')).toEqual({
      kind: 'follow',
      location: `${ADMIN}/products`,
    });
  });

  it.each(['javascript:alert(1)', 'https://', 'mailto:a@b.example', 'https://u:p@a.example/'])(
    'leaves %s, which is no address of the web, to the check of leaveApp()',
    (url) => {
      for (const target of ['_self', '_top'] as const)
        expect(decide(url, target)).toEqual({ kind: 'leave', url });
    },
  );

  it('finds the parameters of a long address in time that grows with it', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `p${index}=1`).join('&');
    const decision = adminRedirect(page(`/app?${long}`), config, SHOP, `/orders?${long}`);
    expect(decision).toEqual({ kind: 'follow', location: `${APP_URL}/orders?${long}` });
  });
});

describe('a redirect of a request', () => {
  const authorization = 'Bearer a.b.c';

  it('of App Bridge, which shows what it is answered, opens the page', () => {
    const bounce = inbound(`/app?shop=${SHOP}`, { authorization, 'x-shopify-bounce': '1' });
    const url = `${APP_URL}/orders?shop=${SHOP}`;
    expect(adminRedirect(bounce, config, SHOP, '/orders')).toEqual({
      kind: 'open',
      url,
      target: '_self',
    });
    expect(adminRedirect(bounce, config, SHOP, '/orders', '_parent')).toEqual({
      kind: 'open',
      url,
      target: '_parent',
    });
  });

  it('of a script is followed in the frame, and told for another window', () => {
    const script = inbound('/app', { authorization });
    expect(adminRedirect(script, config, SHOP, '/orders')).toEqual({
      kind: 'follow',
      location: `${APP_URL}/orders`,
    });
    expect(adminRedirect(script, config, SHOP, '/orders', '_parent')).toEqual({
      kind: 'leave',
      url: `${APP_URL}/orders`,
    });
  });

  it('of a window of its own is followed, whatever its target', () => {
    const top = inbound(`/app?shop=${SHOP}`, { 'sec-fetch-dest': 'document' });
    expect(adminRedirect(top, config, SHOP, ELSEWHERE, '_top')).toEqual({
      kind: 'follow',
      location: ELSEWHERE,
    });
  });
});
