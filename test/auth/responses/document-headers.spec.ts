import { describe, expect, it } from '@jest/globals';

import { documentHeaders } from '../../../lib/auth/responses/document-headers.js';
import { SHOP, createApp } from '../auth.fixture.js';

const { config } = createApp();
const { config: standalone } = createApp({ options: { isEmbeddedApp: false } });
const POLICY = [
  'content-security-policy',
  `frame-ancestors https://${SHOP} https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;`,
];
const NOBODY = ['content-security-policy', "frame-ancestors 'none';"];

describe('the headers of a page', () => {
  it('let the shop and the admin frame it', () => {
    expect(documentHeaders(config, SHOP)).toEqual([POLICY]);
  });

  it('have the browser fetch App Bridge early when that is wanted', () => {
    expect(documentHeaders(config, SHOP, { preload: true })).toEqual([
      ['link', '<https://cdn.shopify.com/shopifycloud/app-bridge.js>; rel="preload"; as="script";'],
      POLICY,
    ]);
  });

  it('let nobody frame a page without a shop', () => {
    expect(documentHeaders(config, null, { preload: true })).toEqual([NOBODY]);
  });

  it('keep the policy of a page without a shop when that is wanted', () => {
    expect(documentHeaders(config, null, { preload: true, withoutShop: 'keep' })).toEqual([]);
  });

  it.each([SHOP, null])('let nobody frame a page of an app that is not embedded, of %j', (shop) => {
    expect(documentHeaders(standalone, shop, { withoutShop: 'keep' })).toEqual([NOBODY]);
  });
});
