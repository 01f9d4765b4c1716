import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { DevStore, type DevShop } from '../../../../lib/dev-store/index.js';

const SHOP = 'dev-shop.myshopify.com';
const KEYS = { client_id: 'key', client_secret: 'hush' };
const EXCHANGE = { ...KEYS, grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' };
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const OFFLINE = 'urn:shopify:params:oauth:token-type:offline-access-token';
const ONLINE = 'urn:shopify:params:oauth:token-type:online-access-token';
const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];
const START = new Date('2026-03-01T12:00:00Z');

type Body = Record<string, unknown>;

describe('The tokens of a simulated shop', () => {
  let devStore: DevStore;
  let shop: DevShop;

  beforeEach(async () => {
    const apps = [
      { apiKey: 'key', apiSecretKey: 'hush', appUrl: 'http://localhost:3000', name: 'Labels' },
      {
        apiKey: 'own',
        apiSecretKey: 'own-secret',
        appUrl: 'http://localhost:3001',
        clientCredentials: true,
      },
    ];
    devStore = await DevStore.open({ apps, clock: { now: () => START }, deliveryRetries: [] });
    shop = devStore.shop();
    shop.install('key', { scopes: ['write_products'] });
  });
  afterEach(() => devStore.close());

  const request = async (body: Body): Promise<{ status: number; body: Body }> => {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await fetch(`${shop.origin}/admin/oauth/access_token`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: reply.status, body: (await reply.json()) as Body };
  };
  const exchange = (fields: Body = {}): ReturnType<typeof request> =>
    request({
      ...EXCHANGE,
      subject_token: shop.sessionToken('key'),
      subject_token_type: ID_TOKEN,
      requested_token_type: OFFLINE,
      expiring: '1',
      ...fields,
    });
  const refresh = (refreshToken: unknown, fields: Body = {}): ReturnType<typeof request> =>
    request({ ...KEYS, grant_type: 'refresh_token', refresh_token: refreshToken, ...fields });
  const migrate = (token: unknown, fields: Body = {}): ReturnType<typeof request> =>
    request({
      ...EXCHANGE,
      subject_token: token,
      subject_token_type: OFFLINE,
      requested_token_type: OFFLINE,
      expiring: '1',
      ...fields,
    });
  const call = async (token: unknown): Promise<number> => {
    const headers = { 'X-Shopify-Access-Token': String(token) };
    return (await fetch(`${shop.origin}/admin/api/2026-07/shop.json`, { headers })).status;
  };
  const refused = (status: number, error: string): object => ({
    status,
    body: { error, error_description: expect.any(String) },
  });
  const DEAD = refused(400, 'invalid_grant');
  const PAIR = {
    access_token: expect.stringMatching(/^shpat_[0-9a-f]{32}$/),
    scope: 'write_products',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^shprt_[0-9a-f]{32}$/),
    refresh_token_expires_in: 7_776_000,
  };

  describe('in exchange for a session token', () => {
    it('are an offline pair that ends after an hour, when it is to expire', async () => {
      const { status, body } = await exchange();
      expect([status, body]).toEqual([200, PAIR]);
      devStore.advance(HOUR - SECOND);
      expect(await call(body['access_token'])).toBe(200);
      devStore.advance(SECOND);
      expect(await call(body['access_token'])).toBe(401);
    });

    it.each(['0', undefined])(
      'are the one offline token that lasts, with expiring %j',
      async (expiring) => {
        const installed = shop.install('key', { scopes: ['write_products'] });
        expect(await exchange({ expiring })).toEqual({
          status: 200,
          body: { access_token: installed, scope: 'write_products' },
        });
      },
    );

    it('take a number and a form as well', async () => {
      expect((await exchange({ expiring: 1 })).body).toEqual(PAIR);
      const subject = { subject_token: shop.sessionToken('key'), subject_token_type: ID_TOKEN };
      const body = new URLSearchParams({
        ...EXCHANGE,
        ...subject,
        requested_token_type: OFFLINE,
        expiring: '1',
      });
      const reply = await fetch(`${shop.origin}/admin/oauth/access_token`, {
        method: 'POST',
        body,
      });
      expect(await reply.json()).toEqual(PAIR);
    });

    it('are online tokens of the user the session token names', async () => {
      const owner = await exchange({ requested_token_type: ONLINE });
      expect(owner.body).toEqual({
        access_token: expect.stringMatching(/^shpua_/),
        scope: 'write_products',
        expires_in: 86_399,
        associated_user_scope: 'write_products',
        associated_user: shop.user,
      });
      const other = await exchange({
        requested_token_type: ONLINE,
        subject_token: shop.sessionToken('key', { sub: '7' }),
      });
      expect(other.body).toMatchObject({ associated_user: { id: 7, account_owner: false } });
      expect(other.body['access_token']).not.toBe(owner.body['access_token']);
    });

    it('end the pair that was handed out before', async () => {
      const first = (await exchange()).body;
      const second = (await exchange()).body;
      expect(await call(first['access_token'])).toBe(401);
      expect(await refresh(first['refresh_token'])).toEqual(DEAD);
      expect(await call(second['access_token'])).toBe(200);
    });

    const jwt = (claims: Body, secret = 'hush'): Promise<string> => {
      const seconds = START.getTime() / 1000;
      const good = {
        aud: 'key',
        dest: `https://${SHOP}`,
        sub: '1',
        nbf: seconds,
        exp: seconds + 60,
      };
      return new SignJWT({ ...good, ...claims })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(secret));
    };

    it('are given for a token another implementation has signed', async () => {
      expect((await exchange({ subject_token: await jwt({}) })).status).toBe(200);
    });

    it.each([
      ['another secret', 'hush!', {}],
      ['another app', 'hush', { aud: 'own' }],
      ['another shop', 'hush', { dest: 'https://other.myshopify.com' }],
      ['the past', 'hush', { exp: START.getTime() / 1000 }],
      ['no time', 'hush', { exp: undefined }],
      ['the future', 'hush', { nbf: START.getTime() / 1000 + 1 }],
      ['nobody', 'hush', { sub: undefined }],
    ])('are refused to a session token of %s', async (_, secret, claims) => {
      expect(await exchange({ subject_token: await jwt(claims, secret) })).toEqual(
        refused(400, 'invalid_subject_token'),
      );
    });

    it('are refused to a token that names no signature, or is none', async () => {
      const [, payload = ''] = shop.sessionToken('key').split('.');
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      for (const token of [unsigned, 'a.b.c', '', undefined])
        expect(await exchange({ subject_token: token })).toEqual(
          refused(400, 'invalid_subject_token'),
        );
    });

    it('are refused when the request asks for no kind of token', async () => {
      expect(await exchange({ requested_token_type: 'refresh' })).toEqual(
        refused(400, 'invalid_request'),
      );
    });

    it('are refused to an app that is not installed', async () => {
      await shop.uninstall('key');
      expect(await exchange()).toEqual(refused(400, 'app_not_installed'));
    });
  });

  describe('in exchange for a refresh token', () => {
    it('are a new pair, which ends the old access token', async () => {
      const first = (await exchange()).body;
      devStore.advance(10 * DAY);
      const { status, body } = await refresh(first['refresh_token']);
      expect([status, body]).toEqual([200, PAIR]);
      expect(body['access_token']).not.toBe(first['access_token']);
      expect(body['refresh_token']).not.toBe(first['refresh_token']);
      expect([await call(first['access_token']), await call(body['access_token'])]).toEqual([
        401, 200,
      ]);
    });

    it('carry the scopes the merchant has granted since', async () => {
      const { body } = await exchange();
      shop.install('key', { scopes: ['write_products', 'read_orders'] });
      expect((await refresh(body['refresh_token'])).body['scope']).toBe(
        'write_products,read_orders',
      );
    });

    it('are given for the same refresh token again while the new one is unused', async () => {
      const first = (await exchange()).body;
      const lost = (await refresh(first['refresh_token'])).body;
      devStore.advance(30 * DAY - SECOND);
      const kept = (await refresh(first['refresh_token'])).body;
      expect(kept).toEqual(PAIR);
      expect(kept['refresh_token']).not.toBe(lost['refresh_token']);
      expect([await call(lost['access_token']), await refresh(lost['refresh_token'])]).toEqual([
        401,
        DEAD,
      ]);
      expect((await refresh(kept['refresh_token'])).status).toBe(200);
      expect(await refresh(first['refresh_token'])).toEqual(DEAD);
    });

    it('are refused to the refresh token before 30 days after its first use', async () => {
      const first = (await exchange()).body;
      await refresh(first['refresh_token']);
      devStore.advance(20 * DAY);
      await refresh(first['refresh_token']);
      devStore.advance(10 * DAY);
      expect(await refresh(first['refresh_token'])).toEqual(DEAD);
    });

    it('are refused after the 90 days of a refresh token, its grace included', async () => {
      const first = (await exchange()).body;
      devStore.advance(80 * DAY);
      const second = (await refresh(first['refresh_token'])).body;
      devStore.advance(10 * DAY);
      expect(await refresh(first['refresh_token'])).toEqual(DEAD);
      devStore.advance(80 * DAY);
      expect(await refresh(second['refresh_token'])).toEqual(DEAD);
    });

    it('are refused to another app, after an uninstall, and to what is no refresh token', async () => {
      const { body } = await exchange();
      shop.install('own', { scopes: [] });
      expect(
        await refresh(body['refresh_token'], { client_id: 'own', client_secret: 'own-secret' }),
      ).toEqual(DEAD);
      expect(await refresh(body['refresh_token'], { client_secret: 'guess' })).toEqual(
        refused(401, 'invalid_client'),
      );
      for (const token of [body['access_token'], 'made up', undefined])
        expect(await refresh(token)).toEqual(DEAD);
      await shop.uninstall('key');
      expect(await refresh(body['refresh_token'])).toEqual(DEAD);
      shop.install('key', { scopes: ['write_products'] });
      expect(await refresh(body['refresh_token'])).toEqual(DEAD);
    });
  });

  describe('in exchange for an offline token that lasts', () => {
    let lasting: string;
    beforeEach(() => {
      lasting = shop.install('key', { scopes: ['write_products'] });
    });

    it('are a pair, and the old token ends', async () => {
      const { status, body } = await migrate(lasting);
      expect([status, body]).toEqual([200, PAIR]);
      expect([await call(lasting), await call(body['access_token'])]).toEqual([401, 200]);
    });

    it('are the same pair for a week, with a new hour to live', async () => {
      const first = (await migrate(lasting)).body;
      devStore.advance(7 * DAY - SECOND);
      const again = (await migrate(lasting)).body;
      expect(again).toEqual({ ...first, refresh_token_expires_in: 7_776_000 - 604_799 });
      expect(await call(again['access_token'])).toBe(200);
      devStore.advance(SECOND);
      expect(await migrate(lasting)).toEqual(refused(400, 'invalid_subject_token'));
      expect((await refresh(again['refresh_token'])).status).toBe(200);
    });

    it('are refused once the pair was renewed or replaced', async () => {
      await refresh((await migrate(lasting)).body['refresh_token']);
      expect(await migrate(lasting)).toEqual(refused(400, 'invalid_subject_token'));
      const other = shop.install('key', { scopes: ['write_products'] });
      await migrate(other);
      await exchange();
      expect(await migrate(other)).toEqual(refused(400, 'invalid_subject_token'));
    });

    it('are refused to every other token, and to a request for anything else', async () => {
      const { body } = await exchange();
      const foreign = shop.install('own', { scopes: ['write_products'] });
      for (const token of [body['access_token'], body['refresh_token'], foreign, 'made up'])
        expect(await migrate(token)).toEqual(refused(400, 'invalid_subject_token'));
      expect(await migrate(lasting, { expiring: '0' })).toEqual(refused(400, 'invalid_request'));
      expect(await migrate(lasting, { requested_token_type: ONLINE })).toEqual(
        refused(400, 'invalid_request'),
      );
      expect(await call(lasting)).toBe(200);
    });
  });

  describe('in exchange for credentials alone', () => {
    const credentials = {
      client_id: 'own',
      client_secret: 'own-secret',
      grant_type: 'client_credentials',
    };

    it('last a day, beside those before them', async () => {
      shop.install('own', { scopes: ['read_products'] });
      const first = (await request(credentials)).body;
      expect(first).toEqual({
        access_token: expect.stringMatching(/^shpat_/),
        scope: 'read_products',
        expires_in: 86_399,
      });
      const second = (await request(credentials)).body;
      expect(second['access_token']).not.toBe(first['access_token']);
      devStore.advance(86_398 * SECOND);
      expect(await call(first['access_token'])).toBe(200);
      devStore.advance(SECOND);
      expect(await call(second['access_token'])).toBe(401);
    });

    it('are refused to an app of another developer, or one that is not installed', async () => {
      expect(await request(credentials)).toEqual(refused(400, 'app_not_installed'));
      expect(await request({ ...KEYS, grant_type: 'client_credentials' })).toEqual(
        refused(400, 'shop_not_permitted'),
      );
    });
  });

  describe('on command', () => {
    it('are revoked, all of them, while the app stays installed', async () => {
      const lasting = shop.install('key', { scopes: ['write_products'] });
      const online = (await exchange({ requested_token_type: ONLINE })).body;
      const pair = (await exchange()).body;
      shop.revokeTokens('key');
      for (const token of [lasting, online['access_token'], pair['access_token']])
        expect(await call(token)).toBe(401);
      expect(await refresh(pair['refresh_token'])).toEqual(DEAD);
      expect(await exchange()).toMatchObject({ status: 200 });
    });

    it('expire, while refresh tokens live on', async () => {
      const lasting = shop.install('key', { scopes: ['write_products'] });
      const pair = (await exchange()).body;
      shop.expireTokens('key');
      expect([await call(pair['access_token']), await call(lasting)]).toEqual([401, 200]);
      expect((await refresh(pair['refresh_token'])).status).toBe(200);
    });

    it('live on while refresh tokens expire, the one before included', async () => {
      const first = (await exchange()).body;
      const second = (await refresh(first['refresh_token'])).body;
      shop.expireRefreshTokens('key');
      expect(await call(second['access_token'])).toBe(200);
      for (const token of [first['refresh_token'], second['refresh_token']])
        expect(await refresh(token)).toEqual(DEAD);
    });

    it('of another app are left alone', async () => {
      const { body } = await exchange();
      for (const command of ['revokeTokens', 'expireTokens', 'expireRefreshTokens'] as const)
        shop[command]('own');
      expect(await call(body['access_token'])).toBe(200);
      expect((await refresh(body['refresh_token'])).status).toBe(200);
      expect(() => shop.expireTokens('kye')).toThrow(/knows no app with the API key "kye"/);
    });
  });

  describe('and the requests for them', () => {
    it('are noted with their grant, app and outcome', async () => {
      const lasting = shop.install('key', { scopes: ['write_products'] });
      const { body } = await migrate(lasting);
      await refresh(body['refresh_token']);
      await refresh('made up');
      await exchange({ requested_token_type: ONLINE });
      await request({ client_id: 'nobody', code: 'x' });
      expect(shop.tokenRequests).toEqual([
        { apiKey: 'key', grant: 'migration', requested: 'offline', status: 200 },
        { apiKey: 'key', grant: 'refresh_token', status: 200 },
        { apiKey: 'key', grant: 'refresh_token', status: 400 },
        { apiKey: 'key', grant: 'token_exchange', requested: 'online', status: 200 },
        { apiKey: 'nobody', grant: 'authorization_code', status: 400 },
      ]);
    });

    it('wait as long as they are told to, before they are answered', async () => {
      const { body } = await exchange();
      let arrived = (): void => undefined;
      let letGo = (): void => undefined;
      const underWay = new Promise<void>((resolve) => (arrived = resolve));
      const gate = new Promise<void>((resolve) => (letGo = resolve));
      shop.onTokenRequest = async (_, answer) => {
        arrived();
        await gate;
        return answer();
      };
      const renewed = refresh(body['refresh_token']);
      await underWay;
      expect(await call(body['access_token'])).toBe(200);
      letGo();
      expect((await renewed).body).toEqual(PAIR);
      expect(await call(body['access_token'])).toBe(401);
    });

    it('are cut after the tokens have changed, and can be made again', async () => {
      const { body } = await exchange();
      shop.onTokenRequest = (_, answer) => {
        answer();
        return 'cut';
      };
      await expect(refresh(body['refresh_token'])).rejects.toThrow('fetch failed');
      expect(shop.tokenRequests.at(-1)).toEqual({ apiKey: 'key', grant: 'refresh_token' });
      expect(await call(body['access_token'])).toBe(401);
      shop.onTokenRequest = undefined;
      expect((await refresh(body['refresh_token'])).body).toEqual(PAIR);
    });

    it('are answered with what a test makes up, for one grant alone', async () => {
      shop.onTokenRequest = ({ grant }, answer) =>
        grant === 'refresh_token' ? { status: 503, body: '{"error":"busy"}' } : answer();
      const { body } = await exchange();
      expect(await refresh(body['refresh_token'])).toEqual({
        status: 503,
        body: { error: 'busy' },
      });
    });

    it('are told by the event log, refusals too, without a secret', async () => {
      const { body } = await exchange();
      await refresh('shprt_made_up');
      const log = await (await fetch(`${shop.origin}/admin/events.json`)).text();
      expect(log).toContain('expiring offline access token shpat_…');
      expect(log).toContain('refresh_token of Labels refused: invalid_grant');
      for (const secret of [body['access_token'], body['refresh_token'], 'shprt_made_up', 'hush'])
        expect(log).not.toContain(String(secret));
    });
  });
});
