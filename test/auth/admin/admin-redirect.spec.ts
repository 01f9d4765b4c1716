import { describe, expect, it } from '@jest/globals';

import { adminRedirect } from '../../../lib/auth/admin/admin-redirect.js';
import { APP_URL, HOST, SHOP, createApp, page, query } from '../auth.fixture.js';

const { config } = createApp();
const request = page(
  `/app?${query({ shop: SHOP, host: HOST, embedded: '1', locale: 'de', id_token: 'a.b.c', hmac: '00' })}`,
);

describe('a redirect of an authenticated request', () => {
  it('takes along what a page needs inside the admin, and nothing that proves who the user is', () => {
    expect(adminRedirect(request, config, '/orders?page=2')).toEqual({
      kind: 'stay',
      location: `${APP_URL}/orders?${query({ page: '2', shop: SHOP, host: HOST, embedded: '1', locale: 'de' })}`,
    });
  });

  it('keeps the parameters that the address has already', () => {
    const decision = adminRedirect(request, config, '/orders?locale=fr&shop=other.myshopify.com');
    expect(decision).toEqual({
      kind: 'stay',
      location: `${APP_URL}/orders?${query({ locale: 'fr', shop: 'other.myshopify.com', host: HOST, embedded: '1' })}`,
    });
  });

  it('leaves the frame for a foreign address', () => {
    const url = 'https://elsewhere.example.com/a';
    expect(adminRedirect(request, config, url)).toEqual({ kind: 'leave', url });
  });

  it('gives a foreign address inside the frame none of the parameters', () => {
    const url = 'https://elsewhere.example.com/a';
    expect(adminRedirect(request, config, url, '_self')).toEqual({ kind: 'stay', location: url });
  });

  it.each(['_top', '_parent', '_blank'] as const)(
    'leaves the frame for a page of the app when the target is %s',
    (target) => {
      expect(adminRedirect(request, config, '/orders', target)).toEqual({
        kind: 'leave',
        url: '/orders',
      });
    },
  );

  it('leaves what is no address to the check of leaveApp()', () => {
    expect(adminRedirect(request, config, 'https://', '_self')).toEqual({
      kind: 'leave',
      url: 'https://',
    });
  });
});
