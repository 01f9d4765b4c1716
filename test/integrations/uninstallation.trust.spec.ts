import { randomBytes } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';

import { EncryptedSessionStorage } from '../../lib/sessions/encryption/encrypted-session.storage.js';
import { API_KEY, SHOP } from '../support/app.js';
import { ENTRANCES, OTHER, Uninstalling, shopFacts } from './uninstallation.fixture.js';
import type { Delivery } from './uninstallation.fixture.js';

const HOUR = 60 * 60_000;
const TOLD = [`handler ${SHOP}`, `hook ${SHOP}`];
const ORDER = { id: 820982911946, email: 'jon@example.com', total_price: '398.00' };
const GENUINE: Delivery = { payload: shopFacts(SHOP), webhookId: 'genuine' };
const EVENTS_FAMILY = [
  'hmac-sha256',
  'topic',
  'shop-domain',
  'api-version',
  'webhook-id',
  'triggered-at',
];

let app: Uninstalling;
afterEach(() => app.close());

const lasting = async (): Promise<unknown> => app.install();
const expired = async (): Promise<void> => {
  await app.install({ expiring: true });
  app.store.advance(2 * HOUR);
};
/** The app heard of an uninstallation, and was installed again. */
const reinstalled = async (): Promise<void> => {
  await app.install();
  app.uninstall();
  expect(await app.claim(GENUINE)).toBe(200);
  expect([app.told.splice(0).sort(), await app.sessions()]).toEqual([TOLD, 0]);
  app.store.advance(HOUR);
  await app.install();
};
const repliesGetLost = async (): Promise<void> => {
  await expired();
  app.shop.onTokenRequest = (_, answer) => (answer(), 'cut');
};
const refreshesFail = async (): Promise<void> => {
  await expired();
  app.shop.onTokenRequest = () => ({ status: 503, body: 'busy' });
};
const bodyOf = (text: string): Delivery => ({ body: text });
const inThePast = new Date(Date.now() - HOUR).toISOString();
const inTheFuture = new Date(Date.now() + 24 * HOUR).toISOString();

/**
 * What somebody can post who has a body that the platform has signed, and how it is answered. The
 * shop has the app.
 */
const FORGED: readonly (readonly [
  name: string,
  prepare: () => Promise<unknown>,
  delivery: () => Delivery,
  status: number,
])[] = [
  ['the order of a customer', lasting, () => ({ payload: ORDER }), 200],
  ['an update of the shop itself', lasting, () => ({ payload: shopFacts(SHOP) }), 200],
  [
    'a data request, which names the shop otherwise',
    lasting,
    () => ({ payload: { shop_id: 1, shop_domain: SHOP } }),
    200,
  ],
  ['an update of another shop', lasting, () => ({ payload: shopFacts(OTHER) }), 200],
  ['a body without a shop', lasting, () => ({ payload: {} }), 200],
  [
    'a body with a custom domain only',
    lasting,
    () => ({ payload: { id: 1, domain: 'www.example.com' } }),
    200,
  ],
  [
    'the uninstallation of another shop',
    lasting,
    () => ({ payload: { ...shopFacts(OTHER), domain: OTHER } }),
    200,
  ],
  ['a body that is no object', lasting, () => bodyOf(`["${SHOP}"]`), 200],
  [
    'a body that names the shop twice',
    lasting,
    () => bodyOf(`{"myshopify_domain":"${OTHER}","myshopify_domain":"${SHOP}"}`),
    200,
  ],
  [
    'a body behind a byte order mark',
    lasting,
    () => bodyOf(`\uFEFF${JSON.stringify(shopFacts(SHOP))}`),
    200,
  ],
  [
    'an old uninstallation',
    reinstalled,
    () => ({ ...GENUINE, webhookId: 'new', triggeredAt: inThePast }),
    200,
  ],
  [
    'an old uninstallation that does not say when it was',
    reinstalled,
    () => ({ ...GENUINE, webhookId: 'new', headers: { 'X-Shopify-Triggered-At': '' } }),
    200,
  ],
  [
    'an old uninstallation that says it is new',
    reinstalled,
    () => ({ ...GENUINE, webhookId: 'new', triggeredAt: inTheFuture }),
    200,
  ],
  [
    'an old uninstallation with the id it had',
    reinstalled,
    () => ({ ...GENUINE, triggeredAt: inTheFuture }),
    200,
  ],
  [
    'an old uninstallation in the headers of an event',
    reinstalled,
    () => ({ ...GENUINE, headers: eventHeaders() }),
    200,
  ],
  ['an update of the shop while its token is expired', expired, () => GENUINE, 200],
  [
    'an update of the shop whose user alone has a token',
    () => app.installForUser(),
    () => GENUINE,
    200,
  ],
  ['an update of the shop while replies to refreshes get lost', repliesGetLost, () => GENUINE, 503],
  ['an update of the shop while tokens are not refreshed', refreshesFail, () => GENUINE, 503],
];

function eventHeaders(): Record<string, string> {
  const { headers } = app.signed({ ...GENUINE, triggeredAt: inTheFuture });
  const named = EVENTS_FAMILY.map((name) => [
    `shopify-${name}`,
    new Headers(headers).get(`x-shopify-${name}`)!,
  ]);
  return Object.fromEntries(named) as Record<string, string>;
}

const gone = (install: () => Promise<unknown>) => async (): Promise<void> => {
  await install();
  app.uninstall();
};
const dormant = async (): Promise<void> => {
  await app.install({ expiring: true });
  app.uninstall();
  app.store.advance(100 * 24 * HOUR);
};

/** What the platform posts when a shop has uninstalled the app. */
const TRUE: readonly (readonly [
  name: string,
  prepare: () => Promise<unknown>,
  delivery: Delivery,
])[] = [
  ['has a token that never expires', gone(lasting), {}],
  ['has a token that is fresh', gone(() => app.install({ expiring: true })), {}],
  ['has a token that has expired', gone(expired), {}],
  ['has a refresh token that has expired as well', dormant, {}],
  ['has only a user’s token', gone(() => app.installForUser()), {}],
  ['has no token any more', async () => {}, {}],
  ['has a platform whose clock is behind', gone(lasting), { triggeredAt: inThePast }],
  [
    'has a platform that does not say when it was',
    gone(lasting),
    { headers: { 'X-Shopify-Triggered-At': '' } },
  ],
  [
    'is named in other letters',
    gone(lasting),
    { payload: { myshopify_domain: SHOP.toUpperCase() } },
  ],
];

describe.each(ENTRANCES)('on $name', (entrance) => {
  it.each(FORGED)(
    '%s is not believed to be an uninstallation',
    async (_, prepare, delivery, status) => {
      // Topic and shop of a delivery are not signed: sessions were deleted, and hooks told, by
      // whoever had one signed body.
      app = await Uninstalling.open(entrance);
      await prepare();
      const before = await app.sessions();
      expect(await app.claim(delivery())).toBe(status);
      expect([app.told, await app.sessions()]).toEqual([[], before]);
      if (status === 200)
        expect(app.shop.accessToken((await app.stored()).accessToken!)).toMatchObject({
          apiKey: API_KEY,
        });
    },
  );

  it.each(TRUE)('an uninstallation of a shop that %s is believed', async (_, prepare, delivery) => {
    app = await Uninstalling.open(entrance);
    await prepare();
    expect(await app.claim({ ...GENUINE, ...delivery })).toBe(200);
    expect([app.told.filter((line) => line === TOLD[1]), await app.sessions()]).toEqual([
      [TOLD[1]],
      0,
    ]);
    expect([...new Set(app.told)].sort()).toEqual(TOLD);
    expect(app.told).not.toContain('reauthorization needed');
    expect(await app.claim({ ...GENUINE, ...delivery })).toBe(200);
    expect(app.told.filter((line) => line === TOLD[1])).toEqual([TOLD[1]]);
  });

  it('an uninstallation of a shop whose session cannot be decrypted is believed', async () => {
    const key = (id: string) => ({ id, key: randomBytes(32) });
    const lost = key('lost');
    app = await Uninstalling.open(
      entrance,
      (inner) => new EncryptedSessionStorage(inner, { keys: [key('new')] }),
    );
    const session = await app.install();
    await new EncryptedSessionStorage(app.storage, { keys: [lost] }).storeSession(session);
    app.uninstall();
    expect(await app.claim(GENUINE)).toBe(200);
    expect([app.told.includes(TOLD[1]!), await app.sessions()]).toEqual([true, 0]);
  });

  it('an uninstallation is believed with its second attempt when the hook has failed with the first', async () => {
    app = await Uninstalling.open(entrance);
    await app.install();
    app.uninstall();
    app.failing.hook = true;
    expect([await app.claim(GENUINE), await app.sessions()]).toEqual([500, 1]);
    expect([await app.claim(GENUINE), await app.sessions()]).toEqual([200, 0]);
    expect(app.told.filter((line) => line === TOLD[1])).toHaveLength(2);
  });

  it('an uninstallation is believed as soon as the platform can be asked', async () => {
    app = await Uninstalling.open(entrance);
    await refreshesFail();
    app.uninstall();
    expect([await app.claim(GENUINE), await app.sessions(), app.told]).toEqual([503, 1, []]);
    app.shop.onTokenRequest = undefined;
    expect([await app.claim(GENUINE), await app.sessions()]).toEqual([200, 0]);
    expect([...new Set(app.told)].sort()).toEqual(TOLD);
  });

  it('an uninstallation that nobody can be asked about says when to come again', async () => {
    app = await Uninstalling.open(entrance);
    await refreshesFail();
    const response = await app.deliver(app.signed(GENUINE));
    expect(response.status).toBe(503);
    if (entrance.name !== 'api.webhooks.process()')
      expect(response.headers.get('retry-after')).toBe('5');
  });

  it('what is not believed is one line in the log, with the shop and the delivery', async () => {
    app = await Uninstalling.open(entrance);
    await app.install();
    expect(await app.claim({ ...GENUINE, webhookId: 'w-1' })).toBe(200);
    const lines = app.logged.filter(
      (line) => line.includes('w-1') && line.includes(SHOP) && line.includes('not believed'),
    );
    expect(lines).toHaveLength(1);
  });
});
