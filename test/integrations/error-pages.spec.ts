import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SHOP } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';

const ADMIN =
  'https://admin.shopify.com https://*.spin.dev https://admin.myshopify.io https://admin.shop.dev';
const OF_SHOP = `frame-ancestors https://${SHOP} ${ADMIN};`;
const OF_ANY = `frame-ancestors ${ADMIN};`;

/** Addresses that are answered with an error, and who may frame the page that says so. */
const REFUSED = (exitIframePath: string): readonly (readonly [path: string, policy: string])[] => [
  [`${exitIframePath}?shop=${SHOP}&redirectUri=https://evil.example`, OF_SHOP],
  [`${exitIframePath}?redirectUri=https://evil.example`, OF_ANY],
  [`/auth/session-token?shop=${SHOP}&shopify-reload=https://evil.example`, OF_SHOP],
  ['/auth?shop=evil.example', OF_ANY],
  [`/auth?shop=${SHOP}&shop=other.myshopify.com`, OF_ANY],
  [`/auth/callback?shop=${SHOP}&code=x&state=x&hmac=x&timestamp=1`, OF_SHOP],
];

const load = (host: RunningHost, path: string, destination = 'iframe'): Promise<Response> =>
  fetch(host.url + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-dest': destination },
  });

// Error pages said nothing about frames: any site could show them in one.
describe.each(HOSTS)('an error page on $name', ({ name, open, exitIframePath }) => {
  let embedded: RunningHost;
  beforeAll(async () => {
    embedded = await open();
  });
  afterAll(() => embedded.close());

  it.each(REFUSED(exitIframePath))(
    'at %s may be framed by the admin, and nobody else',
    async (path, policy) => {
      const response = await load(embedded, path);
      expect({ status: response.status, text: await response.text() }).toMatchObject({
        status: expect.any(Number),
        text: expect.stringContaining('<h1>This request could not be completed</h1>'),
      });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-security-policy')).toBe(policy);
    },
  );

  it('is none where the shop is merely missing: App Bridge, which knows it, loads the page again', async () => {
    const response = await load(embedded, '/page?id=7');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain(OF_ANY);
    expect(await response.text()).toContain('app-bridge.js');
  });

  // The last: a value that would add an origin, or a directive, of their own.
  it.each(['/page?shop=evil.example', `/page?shop=${encodeURIComponent(`${SHOP}; script-src *`)}`])(
    'in place of a page of the app may be framed by the admin, where there is no login: %s',
    async (path) => {
      const response = await load(embedded, path);
      // Remix has a login page, and React Router loads App Bridge, which knows the shop.
      const expected: Record<string, object> = {
        Remix: { status: 302, policy: null },
        'React Router': { status: 200, policy: OF_ANY },
      };
      expect({
        status: response.status,
        policy: response.headers.get('content-security-policy'),
      }).toEqual(expected[name] ?? { status: 400, policy: OF_ANY });
    },
  );

  it('is none for a script: JSON needs no policy', async () => {
    const response = await load(embedded, '/auth?shop=evil.example', 'empty');
    expect(response.headers.get('content-type')).toMatch(/json/);
    expect(response.headers.get('content-security-policy')).toBeNull();
  });
});

describe.each(HOSTS.filter(({ alwaysEmbedded }) => !alwaysEmbedded))(
  'an error page on $name of an app that is not embedded',
  ({ open, exitIframePath }) => {
    let standalone: RunningHost;
    beforeAll(async () => {
      standalone = await open({ options: { isEmbeddedApp: false } });
    });
    afterAll(() => standalone.close());

    it.each([
      `${exitIframePath}?shop=${SHOP}&redirectUri=https://evil.example`,
      '/auth?shop=evil.example',
    ])('may be framed by nobody: %s', async (path) => {
      const response = await load(standalone, path, 'document');
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none';");
    });
  },
);
