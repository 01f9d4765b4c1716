import { describe, expect, it } from '@jest/globals';

import { frameAncestors } from '../../lib/auth/csp.js';
import { SHOP, createApp } from './auth.fixture.js';

describe('frameAncestors', () => {
  it.each([
    [
      true,
      SHOP,
      `frame-ancestors https://${SHOP} https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;`,
    ],
    [true, null, "frame-ancestors 'none';"],
    [false, SHOP, "frame-ancestors 'none';"],
    [false, null, "frame-ancestors 'none';"],
  ])('of an app whose isEmbeddedApp is %s, in shop %s', (isEmbeddedApp, shop, policy) => {
    expect(frameAncestors(createApp({ options: { isEmbeddedApp } }).config, shop)).toBe(policy);
  });

  it('also names the origin a shop is reached at', () => {
    const { config } = createApp({ options: { shopOrigin: () => 'http://localhost:4000/' } });
    expect(frameAncestors(config, SHOP)).toContain(`frame-ancestors https://${SHOP} http://localhost:4000 https://admin.shopify.com `);
  });
});
