// Genuine requests, one row per surface: an issue that adds a surface adds a row. `make` gives a
// request that the host must take, and `taken` says how that shows. Everything hostile is made of
// these.
import {
  APP_URL,
  SHOPS,
  adminMessage,
  base64Host,
  claimsOf,
  exitSignature,
  jwt,
  mac,
  proxyMessage,
  seconds,
  sessionCookie,
  signedCookies,
  stateCookie,
} from './platform.mjs';

export const OWN_PATHS = {
  auth: '/auth',
  callback: '/auth/callback',
  exit: '/exitiframe',
  token: '/auth/session-token',
  webhooks: '/webhooks',
};
/** The hosts of web requests. */
export const ROUTE_HOSTS = ['remix', 'react-router'];
export const ROUTE_PATHS = { ...OWN_PATHS, exit: '/auth/exit-iframe' };

/** A query whose values are encoded. */
export const pairsOf = (params) =>
  Object.entries(params).map(([name, value]) => [
    encodeURIComponent(name),
    encodeURIComponent(value),
  ]);
export const decodedPairs = (pairs) => [
  ...new URLSearchParams(pairs.map(([name, value]) => `${name}=${value}`).join('&')),
];

/** As a browser of a merchant names itself: crawlers are denied. */
const BROWSER = [
  'User-Agent',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
];
const PAGE = [
  ['Accept', 'text/html,application/xhtml+xml'],
  ['Sec-Fetch-Dest', 'document'],
  BROWSER,
];
const FRAME = PAGE.map(([name, value]) =>
  name === 'Sec-Fetch-Dest' ? [name, 'iframe'] : [name, value],
);
const SCRIPT = [['Accept', 'application/json'], BROWSER];

const get = (path, query, headers = PAGE) => ({
  method: 'GET',
  path,
  query: pairsOf(query),
  headers: [...headers],
  body: undefined,
});
const has = (kind) => (answer, effects) => effects.some((effect) => effect.kind === kind);
const leadsTo = (start) => (answer) =>
  answer.status === 302 && (answer.header('location') ?? '').startsWith(start);
const shows = (text) => (answer) => answer.status === 200 && answer.body.includes(text);

/**
 * A delivery as the platform makes it. `issued` is told of the body: nothing else is a delivery,
 * however it is signed.
 */
export function delivery(
  { issued, random },
  { path, shop, topic, payload, family = 'X-Shopify-' },
) {
  const body = Buffer.from(JSON.stringify(payload));
  issued(body, { topic, shop });
  const names = [
    'Hmac-Sha256',
    'Topic',
    'Shop-Domain',
    'API-Version',
    'Webhook-Id',
    'Event-Id',
    'Triggered-At',
  ];
  const values = [
    mac(body, 'base64'),
    topic,
    shop,
    '2026-07',
    random.hex(16),
    random.hex(16),
    new Date().toISOString(),
  ];
  const headers = [
    ['Content-Type', 'application/json'],
    ...names.map((name, index) => [family + name, values[index]]),
  ];
  return { method: 'POST', path, query: [], headers, body };
}

const product = (random) => ({
  id: random.below(1e9),
  title: random.pick(['Boots', 'Café', '{"a":1}']),
  tags: random.hex(8),
});
const adminQuery = (params) => {
  const complete = { ...params, timestamp: String(seconds()) };
  return { ...complete, hmac: mac(adminMessage(Object.entries(complete)), 'hex') };
};

const uninstallation = (given, shop) =>
  delivery(given, {
    path: given.paths.webhooks,
    shop,
    topic: 'app/uninstalled',
    payload: { id: 1, myshopify_domain: shop, domain: shop },
  });

const WEBHOOKS = [
  {
    surface: 'delivery',
    make: (given) =>
      delivery(given, {
        path: given.paths.webhooks,
        shop: given.random.pick(SHOPS.installed),
        topic: 'products/create',
        payload: product(given.random),
      }),
    taken: has('handled'),
  },
  {
    surface: 'delivery of an event',
    make: (given) =>
      delivery(given, {
        path: given.paths.webhooks,
        shop: given.random.pick(SHOPS.installed),
        topic: 'products/create',
        payload: product(given.random),
        family: 'shopify-',
      }),
    taken: has('handled'),
  },
  {
    surface: 'uninstallation',
    make: (given) => uninstallation(given, given.random.pick(SHOPS.gone)),
    taken: has('deleted'),
  },
  {
    // One of before: it is acknowledged, and nothing comes of it.
    surface: 'uninstallation of a shop that has the app again',
    make: (given) => uninstallation(given, given.random.pick(SHOPS.installed)),
    taken: (answer, effects) =>
      answer.status === 200 && effects.every(({ kind }) => kind === 'log'),
  },
];

const NAMED_PATH = {
  surface: 'delivery at a path that a handler names',
  make: (given) =>
    delivery(given, {
      path: '/hooks/paid',
      shop: given.random.pick(SHOPS.installed),
      topic: 'orders/paid',
      payload: product(given.random),
    }),
  taken: has('handled'),
};

const begin = (expected) => ({
  surface: 'OAuth begin',
  make: ({ random, paths }) => get(paths.auth, { shop: random.pick(SHOPS.fresh) }),
  taken: leadsTo(expected),
});

const callback = {
  surface: 'OAuth callback',
  make({ random, paths }) {
    const shop = random.pick(SHOPS.fresh);
    const state = random.hex(32);
    const query = adminQuery({
      code: `genuine-code-${random.hex(12)}`,
      shop,
      host: base64Host(shop),
      state,
    });
    const request = get(paths.callback, query);
    request.headers.push(['Cookie', signedCookies(stateCookie(shop), state)]);
    return request;
  },
  taken: has('stored'),
};

const exit = {
  surface: 'exit page',
  make({ random, paths }) {
    const shop = random.pick(SHOPS.installed);
    const [redirectUri, signed] = random.pick([
      [`${APP_URL}/auth?shop=${shop}`, false],
      [`https://${shop}/admin/apps`, false],
      ['https://partner.example/pay?a=1', true],
      ['/settings', false],
    ]);
    return get(
      paths.exit,
      {
        shop,
        host: base64Host(shop),
        embedded: '1',
        redirectUri,
        ...(signed && { sig: exitSignature(redirectUri) }),
      },
      FRAME,
    );
  },
  taken: shows('window.open('),
};

const EMBEDDED = [
  begin('https://fresh-'),
  callback,
  exit,
  {
    surface: 'embedded page',
    make({ random }) {
      const shop = random.pick(SHOPS.installed);
      return get(
        '/page',
        adminQuery({
          shop,
          host: base64Host(shop),
          embedded: '1',
          id_token: jwt(claimsOf(shop)),
          locale: 'en',
        }),
        FRAME,
      );
    },
    taken: has('granted'),
  },
  {
    surface: 'embedded page without a session token',
    make({ random }) {
      const shop = random.pick(SHOPS.installed);
      return get('/page', { shop, host: base64Host(shop), embedded: '1', tab: 'a b' }, FRAME);
    },
    // Express serves the page itself in place of a redirect to it.
    taken: (answer) =>
      answer.status === 302
        ? answer.header('location').includes('/auth/session-token?')
        : answer.status === 200 && answer.body.includes('"shopify-reload"'),
  },
  {
    surface: 'page opened outside of the admin',
    make({ random }) {
      const shop = random.pick(SHOPS.installed);
      return get('/page', { shop, host: base64Host(shop) });
    },
    taken: leadsTo('https://admin.shopify.com/store/installed-'),
  },
  {
    surface: 'call with a session token',
    make({ random }) {
      const request = get('/page', {}, SCRIPT);
      request.headers.push([
        'Authorization',
        `Bearer ${jwt(claimsOf(random.pick(SHOPS.installed)))}`,
      ]);
      return request;
    },
    taken: has('granted'),
  },
  {
    surface: 'session-token page',
    make({ random, paths }) {
      const shop = random.pick(SHOPS.installed);
      return get(
        paths.token,
        {
          shop,
          host: base64Host(shop),
          embedded: '1',
          'shopify-reload': `${APP_URL}/page?shop=${shop}`,
        },
        FRAME,
      );
    },
    taken: shows('app-bridge.js'),
  },
  {
    surface: 'return from a charge',
    make({ random }) {
      const shop = random.pick(SHOPS.installed);
      return get(
        '/pro',
        adminQuery({
          shop,
          host: base64Host(shop),
          embedded: '1',
          id_token: jwt(claimsOf(shop)),
          charge_id: '1',
        }),
        FRAME,
      );
    },
    taken: (answer) => answer.status === 402,
  },
];

const PROXY = {
  surface: 'app proxy',
  make({ random }) {
    const pairs = Object.entries({
      shop: random.pick(SHOPS.installed),
      path_prefix: '/apps/a',
      timestamp: String(seconds()),
      q: random.pick(['a b', '{', 'ü']),
    });
    return get(
      '/proxy',
      Object.fromEntries([...pairs, ['signature', mac(proxyMessage(pairs), 'hex')]]),
    );
  },
  taken: has('proxied'),
};

/** The same for a page that the toolkit answers for the app. */
const PROXY_PAGE = {
  ...PROXY,
  surface: 'page below an app proxy',
  make: (given) => ({ ...PROXY.make(given), path: '/apps' }),
};

const EXTENSION = {
  surface: 'call of a checkout extension',
  make({ random }) {
    const shop = random.pick(SHOPS.installed);
    const request = get('/checkout', {}, [
      ...SCRIPT,
      ['Origin', 'https://extensions.shopifycdn.com'],
    ]);
    // It names the shop without a scheme, and no admin.
    const claims = claimsOf(shop, { iss: undefined, dest: shop, sub: 'gid://shopify/Customer/1' });
    request.headers.push(['Authorization', `Bearer ${jwt(claims)}`]);
    return request;
  },
  taken: has('extended'),
};

/** A request whose body alone is signed. @param headers those that it has besides */
function signed({ issued }, { path, shop, source, payload, headers = [] }) {
  const body = Buffer.from(JSON.stringify(payload));
  issued(body, { topic: source, shop });
  const signature = ['X-Shopify-Hmac-Sha256', mac(body, 'base64')];
  return {
    method: 'POST',
    path,
    query: [],
    headers: [['Content-Type', 'application/json'], signature, ...headers],
    body,
  };
}

function flowAction(given, path) {
  const shop = given.random.pick(SHOPS.installed);
  const payload = {
    shop_id: 1,
    shopify_domain: shop,
    handle: 'tag-order',
    action_run_id: given.random.hex(16),
    properties: { note: given.random.pick(['a', 'Café', '{"a":1}']) },
  };
  return signed(given, { path, shop, source: 'flow', payload });
}

const FLOW = {
  surface: 'action of a flow',
  make: (given) => flowAction(given, '/flow'),
  taken: has('flowed'),
};

/** What the toolkit takes for handlers, recorded as webhooks are. */
const SIGNED_DELIVERIES = [
  {
    surface: 'action of a flow, for a handler',
    make: (given) => flowAction(given, '/hooks/flow'),
    taken: has('flowed'),
  },
  {
    surface: 'notification of a fulfillment service, for a handler',
    make(given) {
      const shop = given.random.pick(SHOPS.installed);
      return signed(given, {
        path: '/hooks/service/fulfillment_order_notification',
        shop,
        source: 'fulfillment service',
        payload: { kind: given.random.pick(['FULFILLMENT_REQUEST', 'CANCELLATION_REQUEST']) },
        headers: [['X-Shopify-Shop-Domain', shop]],
      });
    },
    taken: has('notified'),
  },
];

/** Everything that the toolkit answers with handlers of the app. */
const AT_OWN_PATHS = [...WEBHOOKS, NAMED_PATH, ...SIGNED_DELIVERIES];

/** Requests that need no page of the admin. */
const SIGNED = [PROXY_PAGE, EXTENSION, FLOW];

const INSTALLED_PAGE = {
  surface: 'page for shops that have the app',
  make({ random }) {
    const shop = random.pick(SHOPS.installed);
    return get('/home', { shop, host: base64Host(shop), embedded: '1' }, FRAME);
  },
  taken: has('opened'),
};

/** The session cookie of an app that is not embedded. */
const COOKIE_PAGE = {
  surface: 'page with a session cookie',
  make({ random }) {
    const request = get('/page', {});
    request.headers.push([
      'Cookie',
      signedCookies(sessionCookie(), `${seconds()}.offline_${random.pick(SHOPS.installed)}`),
    ]);
    return request;
  },
  taken: has('granted'),
};

const LOGIN = {
  surface: 'login form',
  make({ random }) {
    const body = Buffer.from(new URLSearchParams({ shop: random.pick(SHOPS.fresh) }).toString());
    return {
      method: 'POST',
      path: '/auth/login',
      query: [],
      headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...PAGE],
      body,
    };
  },
  taken: leadsTo('https://admin.shopify.com/store/fresh-'),
};

/** Which surfaces a host has. */
export const CORPUS = {
  express: [...AT_OWN_PATHS, ...EMBEDDED, PROXY, ...SIGNED, INSTALLED_PAGE],
  wired: [...WEBHOOKS, begin('https://fresh-'), callback, exit, PROXY, COOKIE_PAGE],
  'nest-express': [...AT_OWN_PATHS, ...EMBEDDED, PROXY],
  'nest-fastify': [...AT_OWN_PATHS, ...EMBEDDED, PROXY],
  remix: [...AT_OWN_PATHS, ...EMBEDDED, PROXY, ...SIGNED, LOGIN],
  'react-router': [...AT_OWN_PATHS, ...EMBEDDED, PROXY, ...SIGNED, LOGIN],
  'by-hand': [...WEBHOOKS, PROXY],
};
