// What every host is given: the same app over the same platform, and a book in which everything
// that counts is written down.
import { AsyncLocalStorage } from 'node:async_hooks';

import { ApiVersion } from '../../../dist/index.js';
import { MemorySessionStorage, Session } from '../../../dist/sessions/index.js';
import { APP, APP_URL, SHOPS, accessTokenOf, refreshTokenOf } from '../platform.mjs';

/** Which request is being answered, as its sender numbered it. */
const answering = new AsyncLocalStorage();
let entries = [];

/** Notes what a request brought about. */
export function note(kind, facts = {}) {
  entries.push({ ...facts, kind, id: answering.getStore() });
}

/** Hands over what was noted since the last time. */
export function takeNotes() {
  const taken = entries;
  entries = [];
  return taken;
}

/** Knows from now on which request of a server is being answered. */
export function follow(server) {
  const emit = server.emit;
  server.emit = function (event, ...rest) {
    const id = ['request', 'checkContinue', 'checkExpectation', 'upgrade'].includes(event)
      ? Number(rest[0].headers['x-trace'])
      : undefined;
    return id === undefined
      ? emit.call(this, event, ...rest)
      : answering.run(id, () => emit.call(this, event, ...rest));
  };
  return server;
}

class NotedStorage extends MemorySessionStorage {
  async storeSession(session) {
    // Without a token: the platform has refused the one it had.
    const kind = session.accessToken ? 'stored' : 'ended';
    note(kind, { shop: session.shop, session: session.id });
    return super.storeSession(session);
  }

  async deleteSession(id) {
    note('deleted', { sessions: [id] });
    return super.deleteSession(id);
  }

  async deleteSessions(ids) {
    note('deleted', { sessions: ids });
    return super.deleteSessions(ids);
  }

  /**
   * Gives the shops that have, or had, the app their sessions back, which an uninstallation may
   * have taken.
   */
  async restore() {
    for (const shop of [...SHOPS.installed, ...SHOPS.gone]) {
      const given = {
        id: `offline_${shop}`,
        shop,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken: accessTokenOf(shop),
      };
      await super.storeSession(
        new Session({
          ...given,
          expires: new Date(Date.now() + 86_400_000),
          refreshToken: refreshTokenOf(shop),
        }),
      );
    }
  }
}

export const storage = new NotedStorage();

const INSTALLATION = {
  accessScopes: [{ handle: 'write_products' }],
  app: { requestedAccessScopes: [{ handle: 'write_products' }], optionalAccessScopes: [] },
  activeSubscriptions: [],
  allSubscriptions: {
    nodes: [
      { id: 'gid://shopify/AppSubscription/1', name: 'Pro', test: false, status: 'DECLINED' },
    ],
  },
  oneTimePurchases: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
};

const NO_SUBSCRIPTIONS = {
  edges: [],
  nodes: [],
  pageInfo: { hasNextPage: false, endCursor: null },
};

/**
 * The platform's servers: they grant whatever the app asks for, so that nothing but the app's own
 * checks stands in anybody's way. A shop that has uninstalled the app is refused.
 */
async function platform(input, init) {
  const shop = new URL(String(input)).host;
  if (SHOPS.gone.includes(shop))
    return Response.json({ error: 'app_not_installed' }, { status: 401 });
  if (String(input).endsWith('/admin/oauth/access_token')) {
    const times = {
      expires_in: 3600,
      refresh_token: refreshTokenOf(shop),
      refresh_token_expires_in: 7_776_000,
    };
    return Response.json({ access_token: accessTokenOf(shop), scope: 'write_products', ...times });
  }
  const query = String(JSON.parse(String(init?.body ?? '{}')).query ?? '');
  const data = {
    currentAppInstallation: INSTALLATION,
    app: { ...INSTALLATION.app, installation: INSTALLATION },
    webhookSubscriptions: NO_SUBSCRIPTIONS,
    outcome: outcomeIn(shop),
  };
  return Response.json({ data: query.includes('mutation') ? { outcome: data.outcome } : data });
}

/** What any mutation comes to. */
function outcomeIn(shop) {
  return {
    confirmationUrl: `https://${shop}/admin/charges/1/confirm`,
    appSubscription: {
      id: 'gid://shopify/AppSubscription/2',
      name: 'Pro',
      test: false,
      status: 'PENDING',
      lineItems: [],
    },
    webhookSubscription: { id: 'gid://shopify/WebhookSubscription/1' },
    userErrors: [],
  };
}

const told =
  (name) =>
  ({ shop }) =>
    note('told', { hook: name, shop });

export const OPTIONS = {
  apiKey: APP.key,
  apiSecretKey: [APP.secret, APP.previous],
  scopes: ['write_products'],
  apiVersion: ApiVersion.July26,
  appUrl: APP_URL,
  fetch: platform,
  sessionStorage: storage,
  billing: { Pro: { lineItems: [{ interval: 'EVERY_30_DAYS', amount: 10, currencyCode: 'USD' }] } },
  hooks: {
    onInstall: told('onInstall'),
    onReinstall: told('onReinstall'),
    afterAuth: told('afterAuth'),
    onUninstall: told('onUninstall'),
  },
  logger: { level: 3, log: (severity, line) => note('log', { severity, line }) },
};

/** The same for Express, which nests them. */
export function expressOptions(overrides = {}) {
  const { sessionStorage, hooks, appUrl, ...api } = { ...OPTIONS, ...overrides };
  return {
    api: { ...api, hostName: new URL(appUrl).host, hostScheme: 'https' },
    sessionStorage,
    hooks,
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    webhooks: { path: '/webhooks' },
  };
}

const handled = async (topic, shop) => note('handled', { topic, shop });
/** Handlers by topic; that of `orders/paid` names a path. */
export const HANDLERS = {
  PRODUCTS_CREATE: { deliveryMethod: 'http', callback: handled },
  ORDERS_PAID: { deliveryMethod: 'http', callbackUrl: '/hooks/paid', callback: handled },
};

/** Where signed requests arrive that are no webhooks. */
export const SIGNED_PATHS = {
  flowPath: '/hooks/flow',
  fulfillmentServicePath: '/hooks/service/fulfillment_order_notification',
};
const flowed = ({ shop }) => note('flowed', { shop });
const notified = ({ shop }) => note('notified', { shop });
/** The same with their handlers, for hosts that are given none in a module. */
export const SIGNED_HANDLERS = {
  ...SIGNED_PATHS,
  flowActions: { 'tag-order': flowed },
  fulfillmentService: notified,
};

/** Answers a request through an app proxy. */
export async function proxied(api, query) {
  const isGenuine = await api.utils
    .validateHmac(query, { signator: 'appProxy' })
    .catch(() => false);
  if (isGenuine) note('proxied', { shop: query.get('shop') });
  return isGenuine;
}
export const queryOf = (target) =>
  new URL(`http://app${target?.startsWith('/') ? target : '/'}`).searchParams;
