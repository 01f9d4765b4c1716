import { afterEach, describe, expect, it } from '@jest/globals';

import { API_KEY, APP_URL, SHOP } from '../../support/app.js';
import {
  APP_BRIDGE_TAG,
  FRAME,
  HOST,
  INVALID_SUBJECT,
  POLICY,
  Platform,
  ROUTES,
  installed,
  openedBy,
  page,
  pageHeaders,
  request,
  script,
  sessionToken,
  thrown,
  tokenPage,
} from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const RETRY = 'x-shopify-retry-invalid-session-request';
const GRANTED_SCOPES = {
  app: {
    requestedAccessScopes: [],
    optionalAccessScopes: [{ handle: 'read_orders' }],
    installation: { accessScopes: [{ handle: 'write_products' }] },
  },
};
const EXTENSION = 'https://extensions.example.com';

describe.each(ROUTES)('on $name', ({ open, link, name }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app.close());

  const headersOfPage = {
    'content-type': 'text/html;charset=utf-8',
    'content-security-policy': POLICY,
    link,
  };
  const admin = (asked: Request): Promise<Response> => thrown(() => app.authenticate.admin(asked));

  describe('the exit page', () => {
    it.each([
      [undefined, '/auth', APP_URL, `${APP_URL}/`],
      ['/shopify', '/shopify', APP_URL, `${APP_URL}/`],
      [undefined, '/auth', '/my-path', `${APP_URL}/my-path`],
    ])(
      'below the prefix %s opens the address of the app: %s',
      async (authPathPrefix, at, to, url) => {
        app = open({ authPathPrefix });
        const query = new URLSearchParams({ shop: SHOP, host: HOST, exitIframe: to });
        const response = await admin(request(`${at}/exit-iframe?${query}`));
        expect([response.status, pageHeaders(response)]).toEqual([200, headersOfPage]);
        const text = await response.text();
        expect(text).toContain(APP_BRIDGE_TAG);
        expect(text).toContain(`<script>window.open("${url}", "_top")</script>`);
      },
    );

    // The platform's own packages throw an error, which is answered with 500.
    it.each(['file:///not/allowed/path', 'https://evil.example/', 'javascript:alert(1)'])(
      'is refused with 400 for %s',
      async (exitIframe) => {
        app = open();
        const query = new URLSearchParams({ shop: SHOP, exitIframe });
        const response = await admin(request(`/auth/exit-iframe?${query}`));
        expect([response.status, response.statusText]).toEqual([400, 'Bad Request']);
      },
    );

    it('is led to with the shop, the host and the target alone', async () => {
      const platform = new Platform();
      platform.graphql = () => Response.json({ data: GRANTED_SCOPES });
      app = open({ sessionStorage: await installed(), fetch: platform.fetch });
      const { scopes } = await app.authenticate.admin(tokenPage());
      const response = await thrown(() => scopes.request(['read_orders']));
      const location = new URL(response.headers.get('location')!, APP_URL);
      expect([...location.searchParams.keys()]).toEqual(['shop', 'host', 'exitIframe']);
      const exit = await admin(request(location.pathname + location.search));
      expect(await openedBy(exit)).toEqual([location.searchParams.get('exitIframe'), '_top']);
    });

    it('runs no script but its own and those of the origin of App Bridge', async () => {
      app = open();
      const response = await admin(request(`/auth/exit-iframe?shop=${SHOP}&exitIframe=/`));
      expect(await response.text()).toMatch(
        /<meta http-equiv="content-security-policy" content="script-src 'sha256-[\w+/]+=' https:\/\/cdn\.shopify\.com; object-src 'none'; base-uri 'none';" \/>/,
      );
    });
  });

  describe('the page that fetches a session token', () => {
    it.each([
      [undefined, '/auth'],
      ['/shopify', '/shopify'],
    ])(
      'below the prefix %s is App Bridge alone when it is to load no other page',
      async (authPathPrefix, at) => {
        app = open({ authPathPrefix });
        const response = await admin(request(`${at}/session-token?shop=${SHOP}`));
        expect([response.status, pageHeaders(response)]).toEqual([200, headersOfPage]);
        expect((await response.text()).trim()).toBe(APP_BRIDGE_TAG);
      },
    );

    it.each([
      ['of the app', `${APP_URL}/app`],
      ['requested under another host', 'https://tunnel.example.com/app'],
    ])('loads a page %s again, under the address of the app', async (_, url) => {
      app = open();
      const { searchParams } = new URL(page().url);
      const response = await admin(new Request(`${url}?${searchParams}`));
      const location = new URL(response.headers.get('location')!, APP_URL);
      expect([response.status, location.pathname]).toEqual([302, '/auth/session-token']);
      expect(Object.fromEntries(location.searchParams)).toEqual({
        ...FRAME,
        'shopify-reload': `${APP_URL}/app?${searchParams}`,
      });
    });

    it.each([
      ['is none', () => 'not-a-token'],
      ['has expired', () => sessionToken({ exp: 1 })],
      ['is of another app', () => sessionToken({ aud: 'another' })],
    ])('is where a page goes whose token %s, without it', async (_, token) => {
      app = open();
      const response = await admin(page('/', { id_token: token() }));
      const location = new URL(response.headers.get('location')!, APP_URL);
      expect([response.status, location.pathname]).toEqual([302, '/auth/session-token']);
      expect(location.href).not.toContain('id_token');
      expect(location.searchParams.get('shopify-reload')).toBe(page().url);
    });

    it('marks the page that it loads, which is not sent for a token twice', async () => {
      app = open();
      const sent = await admin(page('/app', { id_token: 'not-a-token' }));
      const served = await admin(request(sent.headers.get('location')!));
      const [, text] = /set\("shopify-reload", ("[^"]*")\)/.exec(await served.text())!;
      const reload = new URL(JSON.parse(text!) as string);
      reload.searchParams.set('id_token', 'not-a-token');
      const again = await admin(new Request(reload));
      expect(again.status).toBe(401);
      expect(await again.text()).toContain('The session token was refused');
    });
  });

  it('a fetch with a token that does not count is told to try again', async () => {
    app = open();
    const response = await admin(request('/', { authorization: 'Bearer not-a-token' }));
    expect([response.status, response.headers.get(RETRY)]).toEqual([401, '1']);
    expect(response.statusText).toBe('Unauthorized');
  });

  it('a token that the platform does not exchange is fetched again, by page and by script', async () => {
    const platform = new Platform();
    platform.token = () => Response.json(INVALID_SUBJECT, { status: 400 });
    app = open({ fetch: platform.fetch });
    const document = await admin(tokenPage());
    expect([document.status, document.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/auth/session-token?'),
    ]);
    const data = await admin(script());
    expect([data.status, data.headers.get(RETRY)]).toEqual([401, '1']);
  });

  it('any other answer to an exchange is a failure of the app', async () => {
    const platform = new Platform();
    platform.token = () => Response.json({ error: 'invalid_client' }, { status: 400 });
    app = open({ fetch: platform.fetch });
    const response = await admin(tokenPage());
    expect([response.status, response.statusText]).toEqual([500, 'Internal Server Error']);
  });

  it.each([
    [true, '1'],
    [false, '0'],
  ])('an exchange says whether the token is to expire: %s', async (flag, expiring) => {
    const platform = new Platform();
    app = open({ fetch: platform.fetch, future: { expiringOfflineAccessTokens: flag } });
    await app.authenticate.admin(tokenPage());
    expect(JSON.parse(platform.tokenRequests[0]!)).toMatchObject({ client_id: API_KEY, expiring });
  });

  it('a token that the platform rejects later on ends, and the request comes again', async () => {
    const platform = new Platform();
    const sessionStorage = await installed();
    app = open({ fetch: platform.fetch, sessionStorage });
    const granted = await Promise.all(
      [tokenPage(), script('/', { origin: EXTENSION })].map((asked) =>
        app.authenticate.admin(asked),
      ),
    );
    platform.refuseAll();
    const [document, data] = await Promise.all(
      granted.map(({ admin }) => thrown(() => admin.graphql('{ shop { name } }'))),
    );
    expect([document!.status, document!.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/auth/session-token?'),
    ]);
    expect([data!.status, data!.headers.get(RETRY)]).toEqual([401, null]);
    expect(data!.headers.get('access-control-allow-origin')).toBe('*');
    expect((await sessionStorage.loadSession(`offline_${SHOP}`))?.accessToken).toBeUndefined();
  });

  it(`below a base path ${name === 'Remix' ? 'belong to the app' : 'are found'}`, async () => {
    app = open({ sessionStorage: await installed() });
    for (const path of ['/base-path/auth/session-token', '/base-path/auth/exit-iframe']) {
      const asked = page(path, { exitIframe: '/', id_token: sessionToken() });
      if (name === 'Remix')
        await expect(app.authenticate.admin(asked)).resolves.toHaveProperty('session');
      else expect((await admin(asked)).status).toBe(200);
    }
  });
});
