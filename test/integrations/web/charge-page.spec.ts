import { afterEach, describe, expect, it } from '@jest/globals';

import { Platform, ROUTES, installed, script, thrown, tokenPage } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const REAUTHORIZE = 'x-shopify-api-request-failure-reauthorize-url';
const PLAN = 'Pro';
const BILLING = {
  [PLAN]: { lineItems: [{ amount: 5, currencyCode: 'USD', interval: 'EVERY_30_DAYS' }] },
} as const;

describe.each(ROUTES)('the page on which a charge is approved, on $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  const asked = async (confirmationUrl: string, request: Request): Promise<Response> => {
    const platform = new Platform();
    const appSubscription = { id: 'gid://shopify/AppSubscription/1', name: PLAN };
    platform.graphql = () =>
      Response.json({
        data: { appSubscriptionCreate: { appSubscription, confirmationUrl, userErrors: [] } },
      });
    app = open({ sessionStorage: await installed(), fetch: platform.fetch, billing: BILLING });
    const { billing } = await app.authenticate.admin(request);
    return thrown(() => billing.request({ plan: PLAN, isTest: true }));
  };

  it.each(['https://Test-Shop.myshopify.com/admin/charges?signature=a|b', 'charges/1'])(
    'is what the platform has said: %s',
    async (url) => {
      const ofFetch = await asked(url, script());
      expect([ofFetch.status, ofFetch.headers.get(REAUTHORIZE)]).toEqual([401, url]);
      await app.close();
      const ofPage = await asked(url, tokenPage());
      const exit = new URL(ofPage.headers.get('location')!, 'https://app.example.com');
      expect([ofPage.status, exit.searchParams.get('exitIframe')]).toEqual([302, url]);
    },
  );

  it.each([
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'https://a@b.example/',
  ])('is refused when it is no address of the web: %j', async (url) => {
    for (const request of [script(), tokenPage()]) {
      const response = await asked(url, request);
      expect([response.status, response.headers.get(REAUTHORIZE)]).toEqual([400, null]);
      expect(response.headers.get('location')).toBeNull();
      await app.close();
    }
  });

  it('cannot add headers', async () => {
    const url = 'https://test-shop.myshopify.com/charges\r\nset-cookie: a=b';
    const response = await asked(url, script());
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get(REAUTHORIZE)).toBe(
      'https://test-shop.myshopify.com/chargesset-cookie:%20a=b',
    );
  });
});
