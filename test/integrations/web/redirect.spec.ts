import { afterEach, describe, expect, it } from '@jest/globals';

import { APP_URL } from '../../support/app.js';
import type { RedirectInit } from '../../../lib/integrations/remix/index.js';
import {
  APP_BRIDGE_TAG,
  FRAME,
  REMIX,
  ROUTES,
  bounce,
  installed,
  openedBy,
  pageHeaders,
  request,
  script,
  sessionToken,
  thrown,
  tokenPage,
} from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const REAUTHORIZE = 'x-shopify-api-request-failure-reauthorize-url';
const ADMIN = 'https://admin.shopify.com/store/test-shop';

describe.each(ROUTES)('redirect() on $name', ({ open, link }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  const redirectOf = async (asked: Request) => {
    app = open({ sessionStorage: await installed() });
    return (await app.authenticate.admin(asked)).redirect;
  };
  /** The parameters of a page that the admin opens, as they are added to an address. */
  const added = (asked: Request): string => new URL(asked.url).search.slice(1);

  describe('of a document', () => {
    it.each([
      ['/foo', undefined, 302, (own: string) => `${APP_URL}/foo?${own}`],
      ['/foo', 303, 303, (own: string) => `${APP_URL}/foo?${own}`],
      [`${APP_URL}/foo?a=1`, { status: 301 }, 301, (own: string) => `${APP_URL}/foo?a=1&${own}`],
      ['https://elsewhere.example/a', undefined, 302, () => 'https://elsewhere.example/a'],
      ['//elsewhere.example/a', undefined, 302, () => 'https://elsewhere.example/a'],
      ['/\\elsewhere.example/a', undefined, 302, () => 'https://elsewhere.example/a'],
      ['shopify://admin/products', { target: '_self' }, 302, () => `${ADMIN}/products`],
      [new URL('https://elsewhere.example/a'), undefined, 302, () => 'https://elsewhere.example/a'],
    ] as const)('to %s with %j is returned', async (url, init, status, location) => {
      const asked = tokenPage('/app', { id: '7' });
      const response = (await redirectOf(asked))(url, init as RedirectInit | undefined);
      expect([response.status, response.headers.get('location')]).toEqual([
        status,
        location(added(asked)),
      ]);
    });

    it('does not replace parameters that the address has', async () => {
      const asked = tokenPage('/app');
      const response = (await redirectOf(asked))('/?shop=override');
      const { searchParams } = new URL(response.headers.get('location')!);
      expect([...searchParams.keys()]).toEqual(['shop', 'embedded', 'host', 'id_token']);
      expect(searchParams.get('shop')).toBe('override');
      expect(searchParams.get('id_token')).toBe(new URL(asked.url).searchParams.get('id_token'));
    });

    const OF_FRAME = { ...FRAME, hmac: 'h', locale: 'de', session: 's', timestamp: '1' };
    it.each([
      ['shopify://admin/products', undefined, `${ADMIN}/products`, '_parent'],
      ['shopify://admin/products/', '_top', `${ADMIN}/products/`, '_top'],
      [
        `shopify://admin/products?${new URLSearchParams({ ...OF_FRAME, extra: 'param' })}`,
        '_top',
        `${ADMIN}/products?extra=param`,
        '_top',
      ],
      ['https://elsewhere.example/a', '_blank', 'https://elsewhere.example/a', '_blank'],
    ] as const)('to %s for %s throws the page that opens it', async (url, target, to, window) => {
      const redirect = await redirectOf(tokenPage('/app'));
      const response = await thrown(() => redirect(url, { target }));
      expect([response.status, await openedBy(response)]).toEqual([200, [to, window]]);
      expect(pageHeaders(response)).toMatchObject({
        'content-type': 'text/html;charset=utf-8',
        link,
      });
      expect(await response.text()).toContain(APP_BRIDGE_TAG);
    });

    // The token would stay in the history of the window, and a page is no place for one.
    it('to a page of the app in another window opens it with all parameters but the token', async () => {
      const asked = tokenPage('/app');
      const redirect = await redirectOf(asked);
      const response = await thrown(() => redirect('/', { target: '_parent' }));
      const others = added(asked).replace(/&id_token=.*$/, '');
      expect(await openedBy(response)).toEqual([`${APP_URL}/?${others}`, '_parent']);
    });

    it.each(['javascript:alert(1)', 'data:text/html,x', 'https://user:pw@elsewhere.example/'])(
      'to %s, which is no address of the web, is refused',
      async (url) => {
        const redirect = await redirectOf(tokenPage('/app'));
        for (const target of ['_self', '_top'] as const)
          expect((await thrown(() => redirect(url, { target }))).status).toBe(400);
      },
    );
  });

  it.each([undefined, '_parent'] as const)(
    'of App Bridge, which shows what it is answered, throws the page that opens %s',
    async (target) => {
      const redirect = await redirectOf(bounce('/app?id=7'));
      const response = await thrown(() => redirect('/', { target }));
      expect([response.status, await openedBy(response)]).toEqual([
        200,
        [`${APP_URL}/?id=7`, target ?? '_self'],
      ]);
    },
  );

  it.each(['GET', 'POST'])('of a fetch with %s is followed, or told', async (method) => {
    const redirect = await redirectOf(script('/app', {}, method));
    const response = redirect('/');
    expect([response.status, response.headers.get('location')]).toEqual([302, `${APP_URL}/`]);
    const told = await thrown(() => redirect('/', { target: '_parent' }));
    expect([told.status, told.headers.get(REAUTHORIZE)]).toEqual([401, `${APP_URL}/`]);
  });

  it('keeps the headers of its call', async () => {
    const redirect = await redirectOf(tokenPage('/app'));
    const response = redirect('/', { headers: { 'x-mine': '1' } });
    expect(response.headers.get('x-mine')).toBe('1');
  });
});

it('an app of Remix with a window of its own has no redirect()', async () => {
  const app = REMIX.open({
    isEmbeddedApp: false,
    distribution: 'shopify_admin' as never,
    adminApiAccessToken: 'shpat_custom',
  });
  const context = await app.authenticate.admin(
    request('/app?shop=test-shop.myshopify.com', { authorization: `Bearer ${sessionToken()}` }),
  );
  expect('redirect' in context).toBe(false);
  await app.close();
});
