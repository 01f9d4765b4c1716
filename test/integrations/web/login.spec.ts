import { afterEach, describe, expect, it, jest } from '@jest/globals';

import { AppDistribution, LoginErrorType } from '../../../lib/integrations/remix/index.js';
import { API_KEY, APP_URL } from '../../support/app.js';
import { REACT_ROUTER, REMIX, ROUTES, request, thrown } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const INSTALL = `https://admin.shopify.com/store/test-shop/oauth/install?client_id=${API_KEY}`;
const formOf = (shop: string): FormData => {
  const form = new FormData();
  form.append('shop', shop);
  return form;
};
/** What tests of apps pass for a request: nothing else of one may be read. */
const bare = (method: string, path: string, shop?: string): Request =>
  ({
    url: APP_URL + path,
    method,
    formData: jest.fn(async () => (shop === undefined ? new FormData() : formOf(shop))),
  }) as unknown as Request;

describe.each(ROUTES)('login() on $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  it('finds nothing wrong before a shop is entered', async () => {
    app = open();
    expect(await app.login(bare('GET', '/auth/login'))).toEqual({});
  });

  it('does not read the form when the shop is in the address', async () => {
    app = open();
    const asked = bare('GET', '/auth/login?shop=test-shop');
    await thrown(() => app.login(asked));
    expect(asked.formData).not.toHaveBeenCalled();
  });

  it.each([
    ['a form without a shop', bare('POST', '/auth/login'), LoginErrorType.MissingShop],
    [
      'an invalid shop in a form',
      bare('POST', '/auth/login', 'invalid.shop'),
      LoginErrorType.InvalidShop,
    ],
    [
      'an invalid shop in the address',
      bare('GET', '/auth/login?shop=invalid.shop'),
      LoginErrorType.InvalidShop,
    ],
  ])('names what is wrong with %s', async (_, asked, shop) => {
    app = open();
    expect(await app.login(asked)).toEqual({ shop });
  });

  it.each([
    ['GET', '/auth/login?shop=test-shop', undefined],
    ['GET', '/auth/login?shop=test-shop.myshopify.com', undefined],
    ['POST', '/auth/login', 'test-shop'],
    ['POST', '/auth/login', 'test-shop.myshopify.com'],
    ['POST', '/auth/login', 'https://test-shop.myshopify.com/'],
  ])('has the app installed from the admin after %s %s with %s', async (method, path, shop) => {
    app = open();
    const response = await thrown(() => app.login(bare(method, path, shop)));
    expect([response.status, response.headers.get('location')]).toEqual([302, INSTALL]);
  });

  it('does not exist in an app that was made in the admin of a store', () => {
    app = open({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_custom',
      sessionStorage: undefined as never,
    });
    expect('login' in app).toBe(false);
  });

  it('is what the route of the login page has to call', async () => {
    app = open();
    const response = await thrown(() => app.authenticate.admin(request('/auth/login')));
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
    expect(await response.text()).toContain('/auth/login is the login page itself');
  });
});

it('an app of Remix that is not embedded begins OAuth', async () => {
  const app = REMIX.open({ isEmbeddedApp: false });
  const response = await thrown(() => app.login(bare('POST', '/auth/login', 'test-shop')));
  expect(response.headers.get('location')).toBe(`${APP_URL}/auth?shop=test-shop.myshopify.com`);
  await app.close();
});

it('the login page of React Router is known below a base path, that of Remix is not', async () => {
  for (const { open, name } of [REMIX, REACT_ROUTER]) {
    const app = open();
    const response = await thrown(() => app.authenticate.admin(request('/base/auth/login')));
    expect([name, response.status]).toEqual([name, name === 'Remix' ? 302 : 500]);
    if (response.status === 500)
      expect(await response.text()).toContain('/base/auth/login is the login page itself');
    await app.close();
  }
});

// Every path with a slash at its end was taken for the login page, and answered with 500.
describe.each(ROUTES)("a login page at the app's root on $name", ({ name, open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  it('leaves all other pages what they are', async () => {
    app = open({ loginPath: '/' });
    for (const path of ['/app/', '/base/', '/app', '/base/app/'])
      expect((await thrown(() => app.authenticate.admin(request(path)))).status).toBe(
        name === 'Remix' ? 302 : 200,
      );
    const root = await thrown(() => app.authenticate.admin(request('/')));
    expect([root.status, await root.text()]).toEqual([
      500,
      expect.stringContaining('/ is the login page itself'),
    ]);
  });
});
