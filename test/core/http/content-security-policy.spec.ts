import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import {
  frameAncestors,
  frameAncestorsOfHelper,
  policyOfPage,
  withFrameAncestors,
} from '../../../lib/core/http/content-security-policy.js';
import { SHOP, appOptions } from '../../support/app.js';

const OURS = 'frame-ancestors https://a.myshopify.com;';
const ADMIN =
  'https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev;';

describe('frameAncestors', () => {
  it.each([
    [
      true,
      SHOP,
      `frame-ancestors https://${SHOP} ${ADMIN}`,
      `frame-ancestors https://${SHOP} ${ADMIN}`,
    ],
    [true, null, "frame-ancestors 'none';", `frame-ancestors ${ADMIN}`],
    [false, SHOP, "frame-ancestors 'none';", "frame-ancestors 'none';"],
    [false, null, "frame-ancestors 'none';", "frame-ancestors 'none';"],
  ])(
    'of an app whose isEmbeddedApp is %s, in shop %s',
    (isEmbeddedApp, shop, policy, policyOfError) => {
      const config = resolveConfig(appOptions({ isEmbeddedApp }));
      expect(frameAncestors(config, shop)).toBe(policy);
      expect(frameAncestorsOfHelper(config, shop)).toBe(policyOfError);
    },
  );

  it('also names the origin a shop is reached at', () => {
    const config = resolveConfig(appOptions({ shopOrigin: () => 'http://localhost:4000/' }));
    expect(frameAncestors(config, SHOP)).toContain(
      `frame-ancestors https://${SHOP} http://localhost:4000 https://admin.shopify.com `,
    );
  });
});

describe('policyOfPage', () => {
  it('keeps the rest of what the app says, unless the page says by itself what it may load', () => {
    expect(policyOfPage("default-src 'self'; frame-ancestors 'self'", OURS)).toBe(
      `default-src 'self', ${OURS}`,
    );
    expect(policyOfPage("default-src 'self'", `${OURS} script-src 'nonce-x';`)).toBe(
      `${OURS} script-src 'nonce-x';`,
    );
    expect(policyOfPage(undefined, OURS)).toBe(OURS);
  });
});

describe('withFrameAncestors', () => {
  it.each([
    [undefined, OURS],
    [null, OURS],
    ['', OURS],
    ["default-src 'self'", `default-src 'self', ${OURS}`],
    ["frame-ancestors 'none'", OURS],
    [
      "default-src 'self'; Frame-Ancestors 'none'; img-src *",
      `default-src 'self'; img-src *, ${OURS}`,
    ],
    [
      "frame-ancestors *, default-src 'self'; frame-ancestors 'self'",
      `default-src 'self', ${OURS}`,
    ],
    ['frame-src https://a.example.com', `frame-src https://a.example.com, ${OURS}`],
  ])('turns %j into %j', (existing, policy) => {
    expect(withFrameAncestors(existing, OURS)).toBe(policy);
  });
});
