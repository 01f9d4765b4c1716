import { afterEach, describe, expect, it } from '@jest/globals';
import { createStaticHandler } from 'react-router';

import { signedQuery } from '../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import {
  FRAME,
  HOST,
  Platform,
  REACT_ROUTER,
  REMIX,
  openedBy,
  request,
  script,
  thrown,
  tokenPage,
} from './web.fixture.js';

const INSTALL = `https://admin.shopify.com/store/test-shop/oauth/install?client_id=${API_KEY}`;
const CONSENT = `https://${SHOP}/admin/oauth/authorize`;
const START = `${APP_URL}/auth?${new URLSearchParams({ shop: SHOP, host: HOST })}`;
const REAUTHORIZE = 'x-shopify-api-request-failure-reauthorize-url';

let app: ReturnType<typeof REACT_ROUTER.open>;
afterEach(() => app.close());

/** The answer of a router to a request: the app's pages are below `basename`. */
async function routed(asked: Request, basename: string): Promise<Response> {
  const loader = async ({ request: given }: { request: Request }): Promise<null> => {
    await app.authenticate.admin(given);
    return null;
  };
  const { query } = createStaticHandler(
    [
      { path: '/app', loader },
      { path: '/auth/*', loader },
    ],
    { basename },
  );
  const answer = await query(asked);
  if (answer instanceof Response) return answer;
  const error = Object.values(answer.errors ?? {})[0] as
    { status: number; data: string } | undefined;
  if (!error) throw new Error('The page was shown.');
  return new Response(error.data, { status: error.status });
}

/** Follows redirects of the app, as a browser does, to where it is led out of the app. */
async function followed(path: string, basename: string): Promise<string> {
  let address = new URL(path, APP_URL);
  for (let hops = 0; hops < 5; hops++) {
    const answer = await routed(new Request(address), basename);
    expect([address.href, answer.status]).toEqual([address.href, 302]);
    address = new URL(answer.headers.get('location')!, APP_URL);
    if (address.origin !== APP_URL) return address.href;
  }
  throw new Error(`There is no end of redirects: ${address.href}`);
}

describe('a shop without the app that opens a page of React Router', () => {
  it('consents to it where the app lies at the root', async () => {
    app = REACT_ROUTER.open();
    const consent = new URL(await followed(`/app?shop=${SHOP}`, '/'));
    expect(consent.origin + consent.pathname).toBe(CONSENT);
    expect(consent.searchParams.get('redirect_uri')).toBe(`${APP_URL}/auth/callback`);
  });

  // The start of OAuth and its end lie outside of the router there: the merchant got a 404.
  it('installs it from the admin where the app lies below a base path', async () => {
    app = REACT_ROUTER.open();
    expect(await followed(`/base-path/app?shop=${SHOP}&host=${HOST}`, '/base-path')).toBe(INSTALL);
  });

  it('consents at once when the platform has sent it to the app to do so', async () => {
    app = REACT_ROUTER.open();
    const asked = request(`/app?${signedQuery({ shop: SHOP, host: HOST }, API_SECRET)}`);
    const answer = await thrown(() => app.authenticate.admin(asked));
    expect(answer.headers.get('location')).toContain(`${CONSENT}?`);
  });

  it('of Remix consents at once, wherever the page lies', async () => {
    app = REMIX.open();
    const asked = request(`/base-path/app?shop=${SHOP}`);
    const answer = await thrown(() => app.authenticate.admin(asked));
    expect(answer.headers.get('location')).toContain(`${CONSENT}?`);
  });
});

describe('a shop that lost the app, in a frame of React Router', () => {
  const lost = (): void => {
    const platform = new Platform();
    platform.token = () => Response.json({ error: 'app_not_installed' }, { status: 400 });
    app = REACT_ROUTER.open({ fetch: platform.fetch });
  };

  it.each([
    ['/', START],
    ['/base-path', INSTALL],
  ])('leaves it from %s for %s', async (basename, expected) => {
    lost();
    const below = basename === '/' ? '' : basename;
    const { search } = new URL(tokenPage('/app').url);
    const left = await routed(request(`${below}/app${search}`), basename);
    const location = new URL(left.headers.get('location')!, APP_URL);
    expect([left.status, location.pathname]).toEqual([302, `${below}/auth/exit-iframe`]);
    expect([...location.searchParams.keys()].sort()).toEqual(['exitIframe', 'host', 'shop']);
    const exit = await thrown(() => app.authenticate.admin(new Request(location)));
    expect(await openedBy(exit)).toEqual([expected, '_top']);
  });

  it('tells its scripts of the install page', async () => {
    lost();
    const refused = await thrown(() => app.authenticate.admin(script('/app')));
    expect([refused.status, refused.headers.get(REAUTHORIZE)]).toEqual([401, INSTALL]);
  });
});

describe('the exit page of React Router in a window of its own', () => {
  const exit = (query: Record<string, string>, path = '/auth/exit-iframe', headers = {}) =>
    thrown(() =>
      app.authenticate.admin(
        request(`${path}?${new URLSearchParams({ shop: SHOP, window: 'own', ...query })}`, headers),
      ),
    );

  it.each([
    '//evil.example/x',
    '/\\evil.example/x',
    '/auth',
    '/auth?shop=evil.example',
    `/auth//evil.example?shop=${SHOP}`,
    `//auth?shop=${SHOP}`,
    `/auth@evil.example/?shop=${SHOP}`,
    `https://evil.example/auth?shop=${SHOP}`,
    '/app',
  ])('redirects nowhere for %s', async (exitIframe) => {
    app = REACT_ROUTER.open();
    for (const path of ['/auth/exit-iframe', '/base-path/auth/exit-iframe']) {
      const answer = await exit({ exitIframe }, path);
      expect([200, 400]).toContain(answer.status);
      const [opened] = await openedBy(answer);
      if (answer.status === 200) expect(new URL(opened).origin).toBe(APP_URL);
    }
  });

  it('is a page inside a frame, whatever its address says', async () => {
    app = REACT_ROUTER.open();
    const exitIframe = `/auth?shop=${SHOP}`;
    const framed = await exit({ exitIframe }, '/base-path/auth/exit-iframe', {
      'sec-fetch-dest': 'iframe',
    });
    expect(await openedBy(framed)).toEqual([INSTALL, '_top']);
    const embedded = await exit({ exitIframe, ...FRAME }, '/base-path/auth/exit-iframe');
    expect(await openedBy(embedded)).toEqual([INSTALL, '_top']);
  });
});
