import { describe, expect, it } from '@jest/globals';

import type { RemixAppOptions } from '../../../lib/integrations/remix/index.js';
import { signedQuery } from '../../auth/auth.fixture.js';
import { API_SECRET, SHOP } from '../../support/app.js';
import {
  HOST,
  Platform,
  REACT_ROUTER,
  REMIX,
  installed,
  page,
  request,
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

const LACKS = /A shop lacks scopes that the app asks for/;
const logged = () => {
  const lines: string[] = [];
  return { lines, logger: { log: (_severity: unknown, line: string) => void lines.push(line) } };
};

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
  ])(
    'uses the valid token that it has, even while no other is to be had, for a %s',
    async (_kind, asked) => {
      const platform = new Platform();
      platform.token = () => new Response('down', { status: 503 });
      let authenticated = 0;
      const app = open({
        fetch: platform.fetch,
        sessionStorage: await installed(),
        hooks: { afterAuth: () => void authenticated++ },
      });
      for (let turn = 0; turn < 3; turn++) {
        const { session } = await app.authenticate.admin(asked());
        expect(session.scope).toBe('write_products');
      }
      expect(platform.tokenRequests).toEqual([]);
      expect(authenticated).toBe(0);
    },
  );

  it.each([
    ['is about to expire and is kept while no other is to be had', 4, 503, 'shpat_1'],
    ['is about to expire', 4, 200, 'shpat_granted'],
    ['has expired', -1, 200, 'shpat_granted'],
  ])('has a token renewed that %s', async (_kind, minutes, status, used) => {
    const platform = new Platform();
    if (status !== 200) platform.token = () => new Response('down', { status });
    const sessionStorage = await installed({
      accessToken: 'shpat_1',
      expires: new Date(Date.now() + minutes * 60_000),
    });
    const app = open({ fetch: platform.fetch, sessionStorage });
    const { session } = await app.authenticate.admin(script());
    expect(session.accessToken).toBe(used);
    expect(platform.tokenRequests).not.toHaveLength(0);
  });

  it('tells the log what a shop lacks, once for each new token', async () => {
    const { lines, logger } = logged();
    const app = open({ fetch: new Platform().fetch, logger });
    for (let turn = 0; turn < 3; turn++) await app.authenticate.admin(script());
    const told = lines.filter((line) => LACKS.test(line));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(SHOP);
    expect(told[0]).toContain('read_orders');
  });

  it('enters the admin from a window of its own', async () => {
    const app = open({ sessionStorage: await installed() });
    const response = await thrown(() => app.authenticate.admin(page('/', { embedded: '0' })));
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/^https:\/\/admin\.shopify\.com\//);
  });

  it('installs the app by its address, and tells the log', async () => {
    const { lines, logger } = logged();
    const app = open({ fetch: new Platform().fetch, logger });
    const begun = await thrown(() => app.authenticate.admin(request(`/auth?shop=${SHOP}`)));
    const state = new URL(begun.headers.get('location')!).searchParams.get('state')!;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const query = signedQuery(
      { code: 'code', host: HOST, shop: SHOP, state, timestamp },
      API_SECRET,
    );
    const back = request(`/auth/callback?${query}`, {
      cookie: begun.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';', 1)[0])
        .join('; '),
    });
    const landed = await thrown(() => app.authenticate.admin(back));
    expect(landed.status).toBe(302);
    await expect(app.sessionStorage.loadSession(`offline_${SHOP}`)).resolves.toMatchObject({
      scope: 'write_products',
    });
    expect(lines.filter((line) => LACKS.test(line))).toHaveLength(1);
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
