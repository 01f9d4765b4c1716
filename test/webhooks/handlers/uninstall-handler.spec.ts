import { Uninstallation } from '../../../lib/auth/lifecycle/uninstallation.js';
import { describe, expect, it } from '@jest/globals';

import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import { signedSessionToken } from '../../../lib/dev-store/base/request-factories.js';
import type { SignedWebhookOptions } from '../../../lib/dev-store/base/request-factories.js';
import { Session } from '../../../lib/sessions/session.js';
import { uninstallHandler } from '../../../lib/webhooks/handlers/uninstall-handler.js';
import { API_KEY, API_SECRET, SHOP } from '../../support/app.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const OTHER = 'other.myshopify.com';
const offline = (shop = SHOP): Session =>
  new Session({
    id: `offline_${shop}`,
    shop,
    state: '',
    isOnline: false,
    accessToken: 'shpat_1234567890',
  });

/** An app that is installed in two shops. */
async function installed(hooks?: AuthHooks): Promise<WebhooksFixture> {
  const app = new WebhooksFixture({ hooks });
  const online = new Session({ ...offline().toObject(), id: `${SHOP}_1`, isOnline: true });
  for (const session of [offline(), online, offline(OTHER)])
    await app.storage.storeSession(session);
  const uninstallation = app.app.get(Uninstallation);
  app.builtInHandlers.push(uninstallHandler(uninstallation, app.lines.logger, true));
  return app;
}

const uninstalled = (options: Partial<SignedWebhookOptions> = {}): ReturnType<typeof delivery> =>
  delivery({ topic: 'app/uninstalled', payload: { myshopify_domain: SHOP }, ...options });
const sessionsOf = async (app: WebhooksFixture, shop = SHOP): Promise<number> =>
  (await app.storage.findSessionsByShop(shop)).length;

describe('the uninstallation of the app', () => {
  it("deletes the shop's sessions, after the app's own handlers have run, and no other", async () => {
    const app = await installed();
    const found: number[] = [];
    app.handle('APP_UNINSTALLED', async ({ shop }) => void found.push(await sessionsOf(app, shop)));
    expect(await app.receiver.receive(uninstalled())).toMatchObject({ reason: 'handled' });
    expect([...found, await sessionsOf(app), await sessionsOf(app, OTHER)]).toEqual([2, 0, 1]);
  });

  it("leaves the sessions to the app's own handler until that has succeeded", async () => {
    // They were deleted although it had failed, and its second attempt had neither session nor API.
    const app = await installed();
    const found: boolean[] = [];
    app.handle('APP_UNINSTALLED', ({ session, admin }) => {
      found.push(session !== undefined && admin !== undefined);
      if (found.length === 1) throw new Error('no');
    });
    expect(await app.receiver.receive(uninstalled({ webhookId: 'w-1' }))).toMatchObject({
      status: 500,
    });
    expect(await sessionsOf(app)).toBe(2);
    expect(await app.receiver.receive(uninstalled({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'handled',
    });
    expect([found, await sessionsOf(app)]).toEqual([[true, true], 0]);
  });

  it('changes nothing when it is forged', async () => {
    const app = await installed();
    expect(await app.receiver.receive(uninstalled({ secret: 'other' }))).toMatchObject({
      status: 401,
      reason: 'invalid_hmac',
    });
    expect(await sessionsOf(app)).toBe(2);
  });

  it('changes nothing when it is forged from the session token of another shop', async () => {
    // Tokens are signed with the key of the deliveries: any user of the app could log every shop
    // out.
    const app = await installed();
    const [header, payload, signature] = signedSessionToken({
      apiKey: API_KEY,
      secret: API_SECRET,
      shop: OTHER,
    }).split('.');
    const hmac = Buffer.from(signature!, 'base64url').toString('base64');
    const forged = uninstalled({
      body: `${header}.${payload}`,
      headers: { 'X-Shopify-Hmac-Sha256': hmac },
    });
    expect(await app.receiver.receive(forged)).toMatchObject({
      status: 401,
      reason: 'invalid_hmac',
    });
    expect(await sessionsOf(app)).toBe(2);
  });

  it.each([
    ['of another shop', { myshopify_domain: OTHER }],
    [
      'of another shop beside a domain of its own',
      { domain: 'www.example.com', myshopify_domain: OTHER },
    ],
    ['of another shop, under another name', { shop_domain: OTHER }],
    ['of another shop, under a third name', { domain: OTHER }],
    ['that is a list', [{ myshopify_domain: SHOP }]],
    ['that names no shop', { id: 1, domain: null }],
    ['that names a domain of its own alone', { domain: 'www.example.com' }],
    ['that names a shop in a field of another topic', { shop: { myshopify_domain: SHOP } }],
  ])('changes nothing with a payload %s', async (_name, payload) => {
    // The signature does not cover the header that names the shop.
    const app = await installed();
    const heard = app.handle('APP_UNINSTALLED');
    expect(await app.receiver.receive(uninstalled({ payload }))).toEqual({
      kind: 'accepted',
      reason: 'not_believed',
    });
    expect([heard, await sessionsOf(app), await sessionsOf(app, OTHER)]).toEqual([[], 2, 1]);
    expect(app.lines.matching('not believed')).toHaveLength(1);
  });

  it('changes nothing with a payload that is no JSON', async () => {
    const app = await installed();
    expect(await app.receiver.receive(uninstalled({ body: '<shop/>' }))).toMatchObject({
      reason: 'not_believed',
    });
    expect(await sessionsOf(app)).toBe(2);
  });

  it.each([
    ['as the platform sends it', { domain: 'www.example.com', myshopify_domain: SHOP }],
    ['in another spelling', { myshopify_domain: SHOP.toUpperCase() }],
    ['in the words of another topic', { shop_domain: SHOP }],
    [
      'behind which there is more',
      { domain: SHOP, myshopify_domain: SHOP, shop_domain: 'www.example.com' },
    ],
  ])('deletes the sessions with a payload %s', async (_name, payload) => {
    const app = await installed();
    await app.receiver.receive(uninstalled({ payload }));
    expect([await sessionsOf(app), await sessionsOf(app, OTHER)]).toEqual([0, 1]);
  });

  it("is told to the app's hook, and again with the platform's next attempt when that fails", async () => {
    const told: string[] = [];
    const app = await installed({
      onUninstall: ({ shop }) => {
        told.push(shop);
        if (told.length === 1) throw new Error('no');
      },
    });
    expect(await app.receiver.receive(uninstalled({ webhookId: 'w-1' }))).toMatchObject({
      status: 500,
    });
    expect(await sessionsOf(app)).toBe(2);
    expect(app.lines.matching('hooks.onUninstall failed')).not.toEqual([]);
    expect(await app.receiver.receive(uninstalled({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'handled',
    });
    expect([told, await sessionsOf(app)]).toEqual([[SHOP, SHOP], 0]);
  });

  it('is over when the app gets to deal with it by itself, which still has the session', async () => {
    // It was never noted: neither this nor the next installation was told.
    const told: string[] = [];
    const app = await installed({ onUninstall: ({ shop }) => void told.push(shop) });
    expect(await app.receiver.accept(uninstalled())).toMatchObject({
      session: { id: `offline_${SHOP}` },
      admin: expect.anything(),
    });
    expect([told, await sessionsOf(app), await sessionsOf(app, OTHER)]).toEqual([[SHOP], 0, 1]);
    expect((await app.records.of(SHOP))?.status).toBe('uninstalled');
    expect(await app.receiver.accept(uninstalled())).toMatchObject({
      topic: 'APP_UNINSTALLED',
      session: undefined,
    });
    expect(told).toEqual([SHOP]);
  });

  it('is refused where the app would deal with it by itself when the hook fails, so that the platform tells again', async () => {
    const told: string[] = [];
    const app = await installed({
      onUninstall: ({ shop }) => {
        told.push(shop);
        if (told.length === 1) throw new Error('database password is hunter2');
      },
    });
    const refused = await app.receiver.accept(uninstalled());
    expect(refused).toMatchObject({ kind: 'denied', status: 500, reason: 'handler_failed' });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expect([await sessionsOf(app), app.lines.matching('hooks.onUninstall failed').length]).toEqual([
      2, 1,
    ]);
    expect(await app.receiver.accept(uninstalled())).toMatchObject({ topic: 'APP_UNINSTALLED' });
    expect([told, await sessionsOf(app)]).toEqual([[SHOP, SHOP], 0]);
  });

  it('changes nothing, and no handler hears of it, when the platform says that the shop has the app', async () => {
    const told: string[] = [];
    const app = await installed({ onUninstall: ({ shop }) => void told.push(shop) });
    const heard = app.handle('APP_UNINSTALLED');
    app.presence = 'installed';
    const request = uninstalled({ webhookId: 'w-1' });
    expect(await app.receiver.receive(request)).toEqual({
      kind: 'accepted',
      reason: 'not_believed',
    });
    expect(await app.receiver.accept(request)).toEqual({
      kind: 'accepted',
      reason: 'not_believed',
    });
    expect([heard, told, await sessionsOf(app)]).toEqual([[], [], 2]);
    expect(app.lines.matching('w-1').filter((line) => line.includes(SHOP))).toHaveLength(2);
  });

  it('is to be delivered again when the platform does not say, and runs then', async () => {
    const app = await installed();
    const heard = app.handle('APP_UNINSTALLED');
    app.presence = 'unknown';
    const request = uninstalled({ webhookId: 'w-1' });
    const later = {
      kind: 'denied',
      status: 503,
      reason: 'platform_unreachable',
      headers: [['retry-after', '5']],
    };
    expect(await app.receiver.receive(request)).toMatchObject(later);
    expect(await app.receiver.accept(request)).toMatchObject(later);
    expect([heard, await sessionsOf(app)]).toEqual([[], 2]);
    app.presence = 'uninstalled';
    expect(await app.receiver.receive(request)).toMatchObject({ reason: 'handled' });
    expect([heard.length, await sessionsOf(app)]).toEqual([1, 0]);
  });

  it('leaves alone what the shop stores when it installs the app again while handlers run', async () => {
    const app = await installed();
    app.handle('APP_UNINSTALLED', async () => {
      await app.records.granted(SHOP, { scope: '', grantedAt: app.clock.now(), isKnown: true });
      await app.storage.storeSession(offline());
    });
    expect(await app.receiver.receive(uninstalled())).toMatchObject({ reason: 'handled' });
    expect(await sessionsOf(app)).toBe(2);
  });
});
