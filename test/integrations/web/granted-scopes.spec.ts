import { describe, expect, it } from '@jest/globals';

import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { SHOP } from '../../support/app.js';
import {
  Platform,
  REACT_ROUTER,
  REMIX,
  installed,
  page,
  script,
  thrown,
  tokenPage,
} from './web.fixture.js';

const SCOPES = ['write_products', 'read_orders'];
const NEW_STRATEGY = { future: { unstable_newEmbeddedAuthStrategy: true } };

/** Where the platform grants scopes before it opens the app, as the app's own package has it. */
const LEFT_TO_THE_PLATFORM = [
  ['React Router', REACT_ROUTER, {}],
  ['Remix with the new strategy', REMIX, NEW_STRATEGY],
] as const;

describe.each(LEFT_TO_THE_PLATFORM)('a shop that has granted less, in %s', (_, host, future) => {
  const open = (options: Partial<RemixAppOptions> = {}) =>
    host.open({ scopes: SCOPES, ...future, ...options });

  it('opens the app with a token of these scopes, and afterAuth runs', async () => {
    const { fetch, tokenRequests } = new Platform();
    let authenticated = 0;
    const app = open({ fetch, hooks: { afterAuth: () => void authenticated++ } });
    const { session } = await app.authenticate.admin(tokenPage());
    expect(session).toMatchObject({ shop: SHOP, scope: 'write_products' });
    expect(tokenRequests).toHaveLength(1);
    expect(authenticated).toBe(1);
  });

  it.each([
    ['page', () => tokenPage()],
    ['fetch', () => script()],
  ])('uses its stored token for a %s', async (_kind, request) => {
    const { fetch, tokenRequests } = new Platform();
    const app = open({ fetch, sessionStorage: await installed() });
    const { session } = await app.authenticate.admin(request());
    expect(session.scope).toBe('write_products');
    expect(tokenRequests).toEqual([]);
  });

  it('enters the admin from a window of its own', async () => {
    const app = open({ sessionStorage: await installed() });
    const response = await thrown(() => app.authenticate.admin(page('/', { embedded: '0' })));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/^https:\/\/admin\.shopify\.com\//);
  });

  it('is left to the hook of the app, if it has one', async () => {
    const missing: string[][] = [];
    const app = open({
      sessionStorage: await installed(),
      hooks: {
        onScopesMismatch: (mismatch) => {
          missing.push(mismatch.missing);
          return 'request';
        },
      },
    });
    const response = await thrown(() => app.authenticate.admin(tokenPage()));
    expect(response.status).toBe(302);
    expect(missing).toEqual([['read_orders']]);
  });
});

it('has the shop of a Remix app without the new strategy asked for the rest', async () => {
  const app = REMIX.open({ scopes: SCOPES, fetch: new Platform().fetch });
  const response = await thrown(() => app.authenticate.admin(script()));
  expect(response.status).toBe(401);
  expect(response.headers.get('x-shopify-api-request-failure-reauthorize-url')).toMatch(
    new RegExp(`/auth\\?shop=${SHOP}`),
  );
});
