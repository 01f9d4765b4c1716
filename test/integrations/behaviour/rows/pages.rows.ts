import { base64Host, signedSessionToken } from '../../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET, APP_URL } from '../../../support/app.js';
import { consented, cookiesOf } from '../consent.js';
import type { Row } from '../row.js';
import type { Scene } from '../world.js';

const JSON_ONLY = { accept: 'application/json', 'sec-fetch-dest': 'empty' };
const WINDOW = { accept: 'text/html', 'sec-fetch-dest': 'document' };
const FRAME = { accept: 'text/html', 'sec-fetch-dest': 'iframe' };
const RETRY = 'x-shopify-retry-invalid-session-request';
const REAUTHORIZE = 'x-shopify-api-request-failure-reauthorize-url';
const OTHER = 'other.myshopify.com';

const seconds = (): number => Math.floor(Date.now() / 1000);
const withToken = (token: string): { headers: Record<string, string> } => ({
  headers: { ...JSON_ONLY, authorization: `Bearer ${token}` },
});
const fetched = (scene: Scene, token = scene.token(), path = '/page'): Promise<Response> =>
  scene.send(path, withToken(token));
/** The query with which the admin opens a page in its frame. */
const framed = ({ domain }: Scene, more: Record<string, string> = {}): string =>
  new URLSearchParams({
    ...{ shop: domain, host: base64Host(domain), embedded: '1' },
    ...more,
  }).toString();
const installed = (scene: Scene): Promise<unknown> => scene.install();

/** A token that is refused, and its reason. */
const refused = (name: string, make: (scene: Scene) => string): Row => ({
  name: `a session token that ${name} is refused, and may be replaced by another`,
  prepare: installed,
  send: (scene) => fetched(scene, make(scene)),
  expects: {
    status: 401,
    error: 'session_token_invalid',
    headers: { [RETRY]: '1', [REAUTHORIZE]: null },
    stored: ['offline_'],
    asked: [],
  },
});

/** A fetch of a shop that has to authorize the app. */
const REAUTHORIZED = {
  expects: { status: 403, headers: { [REAUTHORIZE]: /\/auth\?shop=/, [RETRY]: null } },
  differs: {
    reauthorizeStatus: { status: 401 },
    installPage: { headers: { [REAUTHORIZE]: /\/oauth\/install\?/, [RETRY]: null } },
  },
} as const;

/** A page in the frame that needs another session token. */
const BOUNCED = {
  expects: { status: 302, location: () => '/auth/session-token', asked: [] },
  differs: { pageInPlace: { status: 200, location: () => null, body: /app-bridge\.js/ } },
} as const;

/** A fetch that has to take the window to the confirmation page of a charge. */
const CONFIRMED = {
  expects: { status: 403, headers: { [REAUTHORIZE]: /\/admin\/charges\// } },
  differs: { reauthorizeStatus: { status: 401 } },
} as const;

/** The shop pays for the plan. @returns the id of its subscription */
function subscribe({ shop }: Scene): number {
  const { id } = shop.billing.subscribe(API_KEY, {
    name: 'Pro',
    test: false,
    returnUrl: APP_URL,
    trialDays: 0,
    replacementBehavior: 'STANDARD',
    pricing: [
      {
        kind: 'recurring',
        price: { amount: '5.00', currencyCode: 'USD' },
        interval: 'EVERY_30_DAYS',
        discount: null,
      },
    ],
  });
  shop.billing.approve(id);
  return id;
}

/** Pages for which nobody knows the shop. */
const WITHOUT_SHOP = {
  expects: { status: 400, headers: { 'set-cookie': null } },
  differs: {
    withoutShop: { status: 200, body: /app-bridge\.js/ },
    loginPage: { status: 302, location: () => '/auth/login' },
  },
} as const;

export const PAGE_ROWS: readonly Row[] = [
  {
    name: 'a fetch with a session token is let in, and the platform is not asked',
    prepare: installed,
    send: (scene) => fetched(scene),
    expects: { status: 200, body: 'json', headers: { [RETRY]: null }, asked: [] },
  },
  {
    name: 'a fetch of a shop without a session gets one for its token',
    prepare: async ({ shop }) => shop.install(API_KEY, { scopes: ['write_products'] }),
    send: (scene) => fetched(scene),
    expects: { status: 200, body: 'json', stored: ['offline_'] },
  },
  refused('has expired', (scene) =>
    scene.token({ exp: seconds() - 60, nbf: seconds() - 120, iat: seconds() - 120 }),
  ),
  refused('is for another app', (scene) => scene.token({ aud: 'another-app' })),
  refused('was issued by another shop', (scene) => scene.token({ iss: `https://${OTHER}/admin` })),
  refused('names no shop', (scene) =>
    scene.token({ dest: 'https://evil.example', iss: 'https://evil.example/admin' }),
  ),
  refused('is not valid yet', (scene) =>
    scene.token({ nbf: seconds() + 60, iat: seconds() + 60, exp: seconds() + 120 }),
  ),
  refused('is of the algorithm none', ({ domain }) =>
    signedSessionToken({
      apiKey: API_KEY,
      secret: API_SECRET,
      shop: domain,
      header: { alg: 'none', typ: 'JWT' },
    }),
  ),
  refused('is cut off', (scene) => scene.token().slice(0, -4)),
  refused('lacks its signature', (scene) => scene.token().split('.').slice(0, 2).join('.')),
  refused('is signed by somebody else', ({ domain }) =>
    signedSessionToken({ apiKey: API_KEY, secret: 'another secret', shop: domain }),
  ),
  refused('is huge', () => `${'a'.repeat(9_000)}.b.c`),
  {
    name: 'a fetch without a session token is refused, and may come again with one',
    prepare: installed,
    send: (scene) => scene.send(`/page?shop=${scene.domain}`, { headers: JSON_ONLY }),
    expects: { status: 401, error: 'session_token_missing', headers: { [RETRY]: '1' }, asked: [] },
  },
  {
    name: 'a fetch whose address names another shop than its token is refused',
    prepare: installed,
    send: (scene) => fetched(scene, scene.token(), `/page?shop=${OTHER}`),
    expects: { status: 403, error: 'shop_mismatch', asked: [] },
  },
  {
    name: 'a fetch whose address names two shops is refused',
    prepare: installed,
    send: (scene) =>
      fetched(scene, scene.token(), `/page?shop=${scene.domain}&shop=${scene.domain}`),
    expects: { status: 400, error: 'shop_invalid', asked: [] },
  },
  {
    name: 'a fetch of a shop that never had the app is told where to authorize it',
    send: (scene) => fetched(scene),
    ...REAUTHORIZED,
    expects: { ...REAUTHORIZED.expects, stored: [] },
  },
  {
    name: 'a fetch of a shop that has removed the app unheard goes on until its token is refused',
    async prepare(scene) {
      await scene.install();
      await scene.shop.uninstall(API_KEY);
    },
    send: (scene) => fetched(scene),
    expects: { status: 200, stored: ['offline_'], asked: [] },
  },
  {
    name: 'a fetch of a shop that has removed the app, whose session has expired, is told the same',
    async prepare(scene) {
      await scene.install({ expires: new Date(Date.now() - 60_000) });
      await scene.shop.uninstall(API_KEY);
    },
    send: (scene) => fetched(scene),
    ...REAUTHORIZED,
  },
  {
    name: 'a fetch whose session has expired gets another for its token',
    prepare: (scene) => scene.install({ expires: new Date(Date.now() - 60_000) }),
    send: (scene) => fetched(scene),
    expects: { status: 200, body: 'json', stored: ['offline_'] },
  },
  {
    name: 'a fetch whose session lacks scopes that the shop has granted since gets another',
    prepare: (scene) => scene.install({ scope: 'read_orders' }),
    send: (scene) => fetched(scene),
    expects: { status: 200, body: 'json', stored: ['offline_'] },
  },
  {
    name: 'a fetch of a shop that has taken scopes away is told where to grant them',
    async prepare(scene) {
      await scene.install({ scope: 'read_products' });
      scene.shop.setScopes(API_KEY, ['read_products']);
    },
    send: (scene) => fetched(scene),
    ...REAUTHORIZED,
    differs: {
      ...REAUTHORIZED.differs,
      fewerScopes: { status: 200, headers: { [REAUTHORIZE]: null }, body: 'json' },
    },
  },
  {
    name: 'a page in the frame with a session token is shown',
    prepare: installed,
    send: (scene) =>
      scene.send(`/page?${framed(scene, { id_token: scene.token() })}`, { headers: FRAME }),
    expects: { status: 200, body: 'json', asked: [] },
  },
  {
    name: 'a page in the frame without a session token fetches one',
    prepare: installed,
    send: (scene) => scene.send(`/page?${framed(scene)}`, { headers: FRAME }),
    ...BOUNCED,
  },
  {
    name: 'a page in the frame with an expired session token fetches another',
    prepare: installed,
    send: (scene) =>
      scene.send(
        `/page?${framed(scene, { id_token: scene.token({ exp: seconds() - 60, nbf: seconds() - 120 }) })}`,
        { headers: FRAME },
      ),
    ...BOUNCED,
  },
  {
    name: 'a page in a window of its own is shown in the admin',
    prepare: installed,
    send: (scene) => scene.send(`/page?shop=${scene.domain}`, { headers: WINDOW }),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/apps/${API_KEY}/page`,
      asked: [],
    },
  },
  {
    name: 'a page in a window of its own, of a shop without the app, begins OAuth',
    send: (scene) => scene.send(`/page?shop=${scene.domain}`, { headers: WINDOW }),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/oauth/authorize`,
      headers: { 'set-cookie': /HttpOnly/i },
      asked: [],
    },
    differs: {
      startByExitPage: { location: () => '/auth/exit-iframe', headers: { 'set-cookie': null } },
    },
  },
  {
    name: 'a page in the frame, of a shop without the app, is refused no token: it fetches one first',
    send: (scene) => scene.send(`/page?${framed(scene)}`, { headers: FRAME }),
    ...BOUNCED,
    expects: { ...BOUNCED.expects, stored: [] },
  },
  {
    name: 'a page of nobody’s shop is refused',
    send: (scene) => scene.send('/page?shop=evil.example', { headers: WINDOW }),
    ...WITHOUT_SHOP,
  },
  {
    name: 'a page without a shop is refused where nobody can know it',
    send: (scene) => scene.send('/page', { headers: WINDOW }),
    ...WITHOUT_SHOP,
  },
  {
    name: 'a page with a host that leads elsewhere leads to the shop',
    prepare: installed,
    send: (scene) =>
      scene.send(
        `/page?${new URLSearchParams({ shop: scene.domain, host: Buffer.from('evil.example/admin').toString('base64') })}`,
        { headers: WINDOW },
      ),
    expects: {
      status: 302,
      location: ({ shop }) => `${shop.origin}/admin/apps/${API_KEY}/page`,
    },
  },
  {
    name: 'a page for a crawler is refused',
    prepare: installed,
    send: (scene) =>
      scene.send(`/page?shop=${scene.domain}`, {
        headers: { ...WINDOW, 'user-agent': 'Googlebot' },
      }),
    expects: { status: 410, headers: { 'set-cookie': null } },
  },
  {
    name: 'a page asked for with HEAD gets the headers alone',
    prepare: installed,
    send: (scene) => scene.send('/page', { ...withToken(scene.token()), method: 'HEAD' }),
    expects: { status: 200, body: 'empty' },
  },
  {
    name: 'the session-token page loads the page of the app again, and no other',
    send: (scene) =>
      scene.send(
        `/auth/session-token?${new URLSearchParams({ shop: scene.domain, 'shopify-reload': 'https://evil.example/' })}`,
        { headers: FRAME },
      ),
    expects: { status: 400, headers: { 'set-cookie': null } },
  },
  {
    name: 'the exit page does not lead to an address that a query names',
    send: (scene) => {
      const name = scene.at.isWeb ? 'exitIframe' : 'redirectUri';
      const query = new URLSearchParams({ shop: scene.domain, [name]: 'https://evil.example/' });
      return scene.send(`${scene.at.exitIframePath}?${query}`, { headers: FRAME });
    },
    expects: { status: 400 },
  },
  {
    name: 'the exit page of another host is none',
    send: (scene) =>
      scene.send(`/exitiframe?${new URLSearchParams({ shop: scene.domain, redirectUri: '/' })}`, {
        headers: JSON_ONLY,
      }),
    expects: { status: 200, body: 'html' },
    differs: { exitPage: { status: 401, body: 'json' } },
  },
  {
    name: 'a page that needs a plan asks a fetch to leave for the confirmation page',
    prepare: installed,
    send: (scene) => fetched(scene, scene.token(), '/pro'),
    ...CONFIRMED,
  },
  {
    name: 'a page of an app with a window of its own needs the cookie of the session',
    app: 'standalone',
    prepare: installed,
    send: (scene) => scene.send(`/page?shop=${scene.domain}`, { headers: WINDOW }),
    expects: { status: 302, location: ({ shop }) => `${shop.origin}/admin/oauth/authorize` },
  },
  {
    name: 'a page that needs a plan is shown to a shop that pays for it',
    async prepare(scene) {
      await scene.install();
      subscribe(scene);
    },
    send: (scene) => fetched(scene, scene.token(), '/pro'),
    expects: { status: 200, body: /paidBy/ },
  },
  {
    name: 'a page that needs a plan asks a shop again that has cancelled',
    async prepare(scene) {
      await scene.install();
      scene.shop.billing.cancel(subscribe(scene));
    },
    send: (scene) => fetched(scene, scene.token(), '/pro'),
    ...CONFIRMED,
  },
  {
    name: 'a page that needs a plan is refused to whoever brings no session token',
    prepare: installed,
    send: (scene) => scene.send('/pro', { headers: JSON_ONLY }),
    expects: { status: 401, error: 'session_token_missing', asked: [] },
  },
  {
    name: 'a page of an app with a window of its own is shown to the browser that installed it',
    app: 'standalone',
    prepare: installed,
    async send(scene) {
      const { query, cookie } = await consented(scene);
      const callback = await scene.send(`/auth/callback?${query}`, { headers: { cookie } });
      return scene.send('/page', { headers: { ...WINDOW, cookie: cookiesOf(callback) } });
    },
    expects: { status: 200, body: 'json', stored: ['offline_'] },
  },
  {
    name: 'a page of an app with a window of its own is not shown for a cookie that was changed',
    app: 'standalone',
    prepare: installed,
    async send(scene) {
      const { query, cookie } = await consented(scene);
      const callback = await scene.send(`/auth/callback?${query}`, { headers: { cookie } });
      const changed = cookiesOf(callback).replaceAll(/=\w/g, '=0');
      return scene.send(`/page?shop=${scene.domain}`, { headers: { ...WINDOW, cookie: changed } });
    },
    expects: { status: 302, location: ({ shop }) => `${shop.origin}/admin/oauth/authorize` },
  },
  ...['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'].map(
    (target): Row => ({
      name: `a parameter of a page leads nowhere else: ${target}`,
      prepare: installed,
      send: (scene) => {
        const names = ['returnTo', 'return_to', 'redirectUri', 'exitIframe', 'shopify-reload'];
        const query = new URLSearchParams({ shop: scene.domain, host: target });
        for (const name of names) query.append(name, target);
        return scene.send(`/page?${query}`, { headers: WINDOW });
      },
      expects: {
        status: 302,
        location: ({ shop }) => `${shop.origin}/admin/apps/${API_KEY}/page`,
      },
    }),
  ),
];
