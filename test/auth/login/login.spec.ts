import { describe, expect, it } from '@jest/globals';

import { LoginErrorType, loginDecision } from '../../../lib/auth/login/login.js';
import { API_KEY, APP_URL, createApp } from '../auth.fixture.js';
import { UNDECODABLE } from '../../support/undecodable.js';

const { config } = createApp();
const { config: standalone } = createApp({ options: { isEmbeddedApp: false } });

describe('a login', () => {
  it.each([
    'dev-shop',
    ' DEV-SHOP ',
    'dev-shop.myshopify.com',
    'https://dev-shop.myshopify.com/',
    'https://admin.shopify.com/store/dev-shop',
  ])('has an embedded app installed from the admin, and begins OAuth for any other: %j', (shop) => {
    expect(loginDecision({ shop, isSubmitted: true }, config)).toEqual({
      kind: 'redirect',
      location: `https://admin.shopify.com/store/dev-shop/oauth/install?client_id=${API_KEY}`,
      reason: 'login',
    });
    expect(loginDecision({ shop, isSubmitted: true }, standalone)).toEqual({
      kind: 'redirect',
      location: `${APP_URL}/auth?shop=dev-shop.myshopify.com`,
      reason: 'login',
    });
  });

  it.each([undefined, '', '  '])('misses the shop in %j once it is submitted', (shop) => {
    expect(loginDecision({ shop, isSubmitted: true }, config)).toEqual({
      kind: 'form',
      error: { shop: LoginErrorType.MissingShop },
    });
  });

  it('has no error before the form is submitted', () => {
    expect(loginDecision({ shop: undefined, isSubmitted: false }, config)).toEqual({
      kind: 'form',
      error: {},
    });
  });

  it.each(['evil.example.com', 'a b', '../x', ...UNDECODABLE])(
    'does not take %j for a shop',
    (shop) => {
      expect(loginDecision({ shop, isSubmitted: false }, config)).toEqual({
        kind: 'form',
        error: { shop: LoginErrorType.InvalidShop },
      });
    },
  );
});
