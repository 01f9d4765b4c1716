import { describe, expect, it } from '@jest/globals';

import {
  ReauthorizationRequiredError,
  SessionExpiredError,
  SessionNotStoredError,
} from '../../../lib/auth/auth.errors.js';
import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import { AppDistribution } from '../../../lib/core/config/config.options.js';
import { HttpRequestError, HttpResponseError } from '../../../lib/core/http/http.errors.js';
import { Session } from '../../../lib/sessions/session.js';
import { RecordLock } from '../../../lib/sessions/coordination/coordination-stores.js';
import { SessionNotFoundError } from '../../../lib/sessions/sessions.errors.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import {
  OTHER_SHOP,
  SHOP,
  StillClock,
  createApp,
  offlineSession,
  offlineToken,
  onlineToken,
  script,
  sessionToken,
} from '../auth.fixture.js';
import type { Call } from '../auth.fixture.js';
import { Cluster, MINUTE, expiring, inMinutes } from './cluster.js';

const grantOf = ({ body }: Call): string =>
  (body as { grant_type: string }).grant_type.split(':').at(-1)!;
const refuses = (error: string) => () => Response.json({ error }, { status: 400 });

describe('TokenManager.session()', () => {
  it.each([
    ['never expires', offlineSession()],
    ['is good for more than five minutes', expiring(5.1)],
  ])('answers with what is stored while it %s', async (_, session) => {
    const { app, storage, calls } = new Cluster(1);
    await storage.storeSession(session);
    expect((await app.tokens.session(SHOP)).equals(session)).toBe(true);
    expect(calls).toEqual([]);
  });

  it.each([
    ['expires within five minutes', expiring(4.9)],
    ['has expired', expiring(-60)],
  ])('refreshes what %s, and keeps what came', async (_, session) => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(session);
    const renewed = await cluster.app.tokens.session(SHOP);
    expect(renewed.toObject()).toEqual({
      ...session.toObject(),
      accessToken: 'shpat_fresh_1',
      refreshToken: 'shprt_fresh_1',
      expires: inMinutes(60),
      refreshTokenExpires: inMinutes(24 * 60),
    });
    expect((await cluster.stored())?.equals(renewed)).toBe(true);
    expect(cluster.refreshed).toEqual(['shprt_first']);
  });

  it('keeps the refresh token and the scopes when the reply names none', async () => {
    const cluster = new Cluster(1, {
      token: () => Response.json({ access_token: 'shpat_fresh', expires_in: 3600 }),
    });
    await cluster.storage.storeSession(expiring(1));
    await cluster.app.tokens.session(SHOP);
    await expect(cluster.stored()).resolves.toMatchObject({
      refreshToken: 'shprt_first',
      scope: 'write_products',
    });
  });

  // The app was not told, and the record kept the scopes of the grant.
  it('notes that a refresh has brought other scopes, of which the app is told with the next request', async () => {
    const told: string[] = [];
    const hooks: AuthHooks = {
      onScopesChanged: ({ previousScopes, session }) =>
        void told.push(`${previousScopes} → ${session.scope}`),
    };
    const scope = 'write_products,read_orders';
    const cluster = new Cluster(1, {
      hooks,
      token: () => offlineToken({ scope, access_token: 'shpat_fresh', expires_in: 3600 }),
    });
    await cluster.storage.storeSession(expiring(1));
    await cluster.app.tokens.session(SHOP);
    await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({ scope, generation: 1 });
    const request = () =>
      cluster.app.auth.authenticateAdmin(script('/api', sessionToken(cluster.clock)));
    for (let count = 0; count < 2; count++)
      await expect(request()).resolves.toMatchObject({ kind: 'granted' });
    expect(told).toEqual([`write_products → ${scope}`]);
  });

  it('refreshes once for two hundred callers in four processes', async () => {
    const cluster = new Cluster(4);
    await cluster.storage.storeSession(expiring(-1));
    const callers = Array.from({ length: 200 }, (_, index) =>
      cluster.processes[index % 4]!.tokens.session(SHOP),
    );
    const tokens = (await Promise.all(callers)).map(({ accessToken }) => accessToken);
    expect(new Set(tokens)).toEqual(new Set(['shpat_fresh_1']));
    expect(cluster.refreshed).toEqual(['shprt_first']);
  });

  it('tries again with the old refresh token after a crash between the reply and the keeping of it', async () => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(expiring(-1));
    const replace = cluster.storage.replaceSession.bind(cluster.storage);
    cluster.storage.replaceSession = () => Promise.reject(new Error('killed'));
    await expect(cluster.app.tokens.session(SHOP)).rejects.toThrow('killed');
    cluster.storage.replaceSession = replace;
    await expect(cluster.app.tokens.session(SHOP)).resolves.toMatchObject({
      accessToken: 'shpat_fresh_2',
    });
    expect(cluster.refreshed).toEqual(['shprt_first', 'shprt_first']);
  });

  it('uses what somebody without our lock has stored meanwhile', async () => {
    const other = expiring(60, {
      accessToken: 'shpat_of_another',
      refreshToken: 'shprt_of_another',
    });
    const cluster: Cluster = new Cluster(1, {
      token: async (call) => {
        await cluster.storage.storeSession(other);
        return cluster.grant(call);
      },
    });
    await cluster.storage.storeSession(expiring(-1));
    await expect(cluster.app.tokens.session(SHOP)).resolves.toMatchObject({
      accessToken: 'shpat_of_another',
    });
    await expect(cluster.stored()).resolves.toMatchObject({ accessToken: 'shpat_of_another' });
  });

  it('uses what somebody without our lock has stored when our refresh token is refused for it', async () => {
    const cluster: Cluster = new Cluster(1, {
      token: async () => {
        await cluster.storage.storeSession(
          expiring(60, { accessToken: 'shpat_of_another', refreshToken: 'shprt_of_another' }),
        );
        return refuses('invalid_grant')();
      },
    });
    await cluster.storage.storeSession(expiring(-1));
    await expect(cluster.app.tokens.session(SHOP)).resolves.toMatchObject({
      accessToken: 'shpat_of_another',
    });
    await expect(cluster.app.records.of(SHOP)).resolves.toBeUndefined();
  });

  it('does not bring back a session that was deleted while it was renewed', async () => {
    const cluster: Cluster = new Cluster(1, {
      token: async (call) => {
        await cluster.storage.deleteSession(`offline_${SHOP}`);
        return cluster.grant(call);
      },
    });
    await cluster.storage.storeSession(expiring(-1));
    await expect(cluster.app.tokens.session(SHOP)).rejects.toBeInstanceOf(SessionNotFoundError);
    await expect(cluster.stored()).resolves.toBeUndefined();
  });

  describe('when the refresh token is refused', () => {
    it('marks the shop and tells the app once, whoever asks how often', async () => {
      const told: unknown[] = [];
      const hooks: AuthHooks = { onReauthorizationNeeded: (context) => void told.push(context) };
      const cluster = new Cluster(2, { token: refuses('invalid_grant'), hooks });
      await cluster.storage.storeSession(expiring(-1));
      const attempts = Array.from({ length: 20 }, (_, index) =>
        cluster.processes[index % 2]!.tokens.session(SHOP),
      );
      for (const attempt of await Promise.allSettled(attempts)) {
        expect(attempt).toMatchObject({ reason: expect.any(ReauthorizationRequiredError) });
      }
      expect(told).toEqual([{ shop: SHOP }]);
      await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({
        status: 'needs_reauthorization',
      });
      // One for each process that has yet to learn it, and none within the next minute.
      expect(cluster.calls).toHaveLength(2);
      await expect(cluster.app.tokens.session(SHOP)).rejects.toMatchObject({
        code: 'ERR_REAUTHORIZATION_REQUIRED',
        shop: SHOP,
      });
      expect(cluster.calls).toHaveLength(2);
    });

    it.each([
      ['400 app_not_installed', 400, { error: 'app_not_installed' }],
      [
        '401 invalid_request, as the platform calls one that is no longer active',
        401,
        {
          error: 'invalid_request',
          error_description: 'This request requires an active refresh_token',
        },
      ],
    ])('takes %s for its end, too', async (_, status, body) => {
      const cluster = new Cluster(1, { token: () => Response.json(body, { status }) });
      await cluster.storage.storeSession(expiring(-1));
      await expect(cluster.app.tokens.session(SHOP)).rejects.toBeInstanceOf(
        ReauthorizationRequiredError,
      );
      await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({
        status: 'needs_reauthorization',
      });
    });

    it.each([
      ['a wrong secret', 401, 'invalid_client'],
      ['a request that is malformed', 400, 'invalid_request'],
    ])('does not take %s for its end', async (_, status, error) => {
      const cluster = new Cluster(1, { token: () => Response.json({ error }, { status }) });
      await cluster.storage.storeSession(expiring(-1));
      await expect(cluster.app.tokens.session(SHOP)).rejects.toBeInstanceOf(HttpResponseError);
      await expect(cluster.app.records.of(SHOP)).resolves.toBeUndefined();
    });

    it('does not wait for a handler that asks for the session itself', async () => {
      const asked: unknown[] = [];
      const cluster: Cluster = new Cluster(1, {
        token: refuses('invalid_grant'),
        hooks: {
          onReauthorizationNeeded: async ({ shop }) => {
            await cluster.app.tokens.session(shop).catch((error: unknown) => asked.push(error));
            throw new Error('not mine to mend');
          },
        },
      });
      await cluster.storage.storeSession(expiring(-1));
      await expect(cluster.app.tokens.session(SHOP)).rejects.toBeInstanceOf(
        ReauthorizationRequiredError,
      );
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked).toEqual([expect.any(ReauthorizationRequiredError)]);
      expect(cluster.app.lines.join('\n')).toContain('not mine to mend');
    });

    it('does not ask with a refresh token that has expired', async () => {
      const cluster = new Cluster(1);
      await cluster.storage.storeSession(expiring(-1, { refreshTokenExpires: inMinutes(0) }));
      await expect(cluster.app.tokens.session(SHOP)).rejects.toBeInstanceOf(
        ReauthorizationRequiredError,
      );
      expect(cluster.calls).toEqual([]);
    });
  });

  describe('when the platform cannot be reached', () => {
    const unreachable = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

    it('uses a token that is still good, and does not try again for half a minute', async () => {
      const cluster = new Cluster(1, { token: unreachable });
      await cluster.storage.storeSession(expiring(2));
      await expect(cluster.app.tokens.session(SHOP)).resolves.toMatchObject({
        refreshToken: 'shprt_first',
      });
      await cluster.app.tokens.session(SHOP);
      expect(cluster.calls).toHaveLength(4);
      cluster.clock.advance(30_000);
      await cluster.app.tokens.session(SHOP);
      expect(cluster.calls).toHaveLength(8);
    });

    it('rejects for a token that has expired', async () => {
      const { app, storage } = new Cluster(1, { token: unreachable });
      await storage.storeSession(expiring(-1));
      await expect(app.tokens.session(SHOP)).rejects.toBeInstanceOf(HttpRequestError);
    });
  });

  it.each<[string, Session | undefined, abstract new (...args: never[]) => Error]>([
    ['is none', undefined, SessionNotFoundError],
    [
      'is one whose token has ended',
      offlineSession({ accessToken: '' }),
      ReauthorizationRequiredError,
    ],
    [
      'is none but an expired one without a refresh token',
      offlineSession({ expires: inMinutes(-1) }),
      SessionExpiredError,
    ],
  ])('says so when there %s', async (_, session, Kind) => {
    const { app, storage } = new Cluster(1);
    if (session) await storage.storeSession(session);
    await expect(app.tokens.session(SHOP)).rejects.toBeInstanceOf(Kind);
  });

  it('refuses what is no shop', async () => {
    await expect(new Cluster(1).app.tokens.session('evil.example.com')).rejects.toMatchObject({
      code: 'ERR_SHOP_INVALID',
    });
  });

  it('makes a session up for a custom app, whose token is fixed', async () => {
    const options = {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_fixed',
    };
    await expect(new Cluster(1, { options }).app.tokens.session(SHOP)).resolves.toMatchObject({
      shop: SHOP,
      isOnline: false,
    });
  });

  describe('of a user', () => {
    const online = (more: Partial<Session> = {}): Session =>
      offlineSession({
        id: `${SHOP}_42`,
        isOnline: true,
        expires: inMinutes(60),
        ...more,
        onlineAccessInfo: { associated_user: { id: 42 } } as never,
      });

    it('is what is stored for them, as long as it lasts', async () => {
      const { app, storage, clock } = new Cluster(1);
      await storage.storeSession(online());
      await expect(app.tokens.session(SHOP, { user: 42 })).resolves.toMatchObject({
        id: `${SHOP}_42`,
      });
      await expect(app.tokens.session(SHOP, { user: 43 })).rejects.toBeInstanceOf(
        SessionNotFoundError,
      );
      clock.advance(61 * MINUTE);
      await expect(app.tokens.session(SHOP, { user: '42' })).rejects.toBeInstanceOf(
        SessionExpiredError,
      );
    });

    it('is missed as such while the shop has the app, or has lost it', async () => {
      const { app, storage } = new Cluster(1);
      for (const accessToken of ['shpat_good', undefined]) {
        await storage.storeSession(offlineSession({ accessToken }));
        await expect(app.tokens.session(SHOP, { user: 43 })).rejects.toThrow(
          new SessionNotFoundError(
            `There is no session of user 43 of ${SHOP}: the user has to open the app first.`,
          ),
        );
      }
      await expect(app.tokens.session(SHOP)).rejects.toBeInstanceOf(ReauthorizationRequiredError);
    });

    // It was stored without an end and swept never, under a lock that its exchange does not take.
    it('is deleted under the lock of its user when its token is refused for good', async () => {
      const taken: string[] = [];
      class NotedLock extends RecordLock {
        override take(name: string, holder: string, leaseMs: number): Promise<boolean> {
          taken.push(name);
          return super.take(name, holder, leaseMs);
        }
      }
      const lock = new NotedLock(new MemoryRecordStore(new StillClock()));
      const told: unknown[] = [];
      const hooks = { onReauthorizationNeeded: (context: object) => void told.push(context) };
      const { tokens, storage } = createApp({ lock, hooks });
      await storage.storeSession(online());
      await tokens.renew(online(), { refused: online().accessToken! });
      expect(await storage.loadSession(`${SHOP}_42`)).toBeUndefined();
      expect(taken).toEqual([expect.stringMatching(new RegExp(`${SHOP}:42$`))]);
      expect(told).toEqual([]);
    });

    it('is the one that lasts longest where a cookie carries ids', async () => {
      const { app, storage } = new Cluster(1, { options: { isEmbeddedApp: false } });
      await storage.storeSession(online({ id: 'one' }));
      await storage.storeSession(online({ id: 'two', expires: inMinutes(90) }));
      await expect(app.tokens.session(SHOP, { user: 42 })).resolves.toMatchObject({ id: 'two' });
    });
  });

  it('asks for a token on the strength of the secret once, and again when it is about to expire', async () => {
    const cluster = new Cluster(2, { token: () => offlineToken({ expires_in: 86_400 }) });
    const callers = Array.from({ length: 20 }, (_, index) =>
      cluster.processes[index % 2]!.tokens.session(SHOP, 'client-credentials'),
    );
    for (const session of await Promise.all(callers))
      expect(session).toMatchObject({ id: `offline_${SHOP}`, expires: inMinutes(24 * 60) });
    expect(cluster.calls.map(grantOf)).toEqual(['client_credentials']);
    cluster.clock.advance(24 * 60 * MINUTE - 4 * MINUTE);
    await cluster.app.tokens.session(SHOP, 'client-credentials');
    expect(cluster.calls).toHaveLength(2);
  });

  it.each(['offline', 'client-credentials'] as const)(
    'is a copy of what the storage keeps (%s)',
    async (kind) => {
      const { app, storage } = new Cluster(1);
      const kept = offlineSession();
      storage.loadSession = async () => kept;
      const session = await app.tokens.session(SHOP, kind);
      expect(session).toEqual(kept);
      expect(session).not.toBe(kept);
    },
  );
});

describe('TokenManager.renew()', () => {
  const refusedOf = (cluster: Cluster, session: Session, claims: object = {}) => ({
    refused: session.accessToken!,
    sessionToken: sessionToken(cluster.clock, { ...claims }),
  });

  // Any 401 was taken for an uninstallation, such as that of a token whose successor was lost on
  // the way.
  it('refreshes a token that was refused before its time, and takes it for no uninstallation', async () => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(expiring(30));
    await cluster.app.records.granted(SHOP, {
      scope: 'write_products',
      grantedAt: cluster.clock.now(),
      isKnown: false,
    });
    const renewed = await cluster.app.tokens.renew(expiring(30), refusedOf(cluster, expiring(30)));
    expect(renewed).toMatchObject({ accessToken: 'shpat_fresh_1', refreshToken: 'shprt_fresh_1' });
    expect(cluster.calls.map(grantOf)).toEqual(['refresh_token']);
    await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({ generation: 1 });
  });

  it('trades its session token in when the refresh token is refused as well: the shop had uninstalled the app', async () => {
    const told: unknown[] = [];
    const cluster: Cluster = new Cluster(1, {
      token: (call) =>
        grantOf(call) === 'refresh_token' ? refuses('invalid_grant')() : cluster.grant(call),
      hooks: { onReauthorizationNeeded: (context) => void told.push(context) },
    });
    await cluster.storage.storeSession(expiring(30));
    await cluster.app.records.granted(SHOP, {
      scope: 'write_products',
      grantedAt: cluster.clock.now(),
      isKnown: false,
    });
    const renewed = await cluster.app.tokens.renew(expiring(30), refusedOf(cluster, expiring(30)));
    expect(renewed).toMatchObject({ accessToken: 'shpat_fresh_1' });
    expect(cluster.calls.map(grantOf)).toEqual(['refresh_token', 'token-exchange']);
    await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({
      generation: 2,
      status: 'installed',
    });
    expect(told).toEqual([]);
  });

  it('takes a token that never expires and is refused for one of an earlier installation', async () => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(offlineSession());
    await cluster.app.tokens.renew(offlineSession(), refusedOf(cluster, offlineSession()));
    expect(cluster.calls.map(grantOf)).toEqual(['token-exchange']);
    await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({ generation: 2 });
  });

  it('does not trade in the session token of another shop', async () => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(offlineSession());
    const foreign = refusedOf(cluster, offlineSession(), {
      iss: `https://${OTHER_SHOP}/admin`,
      dest: `https://${OTHER_SHOP}`,
    });
    await expect(cluster.app.tokens.renew(offlineSession(), foreign)).resolves.toBe('ended');
    await cluster.storage.storeSession(expiring(30));
    await expect(cluster.app.tokens.renew(expiring(30), foreign)).resolves.toMatchObject({
      shop: SHOP,
      accessToken: 'shpat_fresh_1',
    });
    expect(cluster.calls.map(grantOf)).toEqual(['refresh_token']);
  });

  it('trades in a user’s session token for nobody but that user', async () => {
    const token = ({ body }: Call): Response =>
      String((body as { requested_token_type: string }).requested_token_type).includes('online')
        ? onlineToken({ access_token: 'shpat_user' })
        : offlineToken();
    const cluster = new Cluster(1, { token, options: { useOnlineTokens: true } });
    const session = offlineSession({
      id: `${SHOP}_42`,
      isOnline: true,
      accessToken: 'shpat_refused',
      expires: inMinutes(60),
    });
    await cluster.storage.storeSession(session);
    await expect(
      cluster.app.tokens.renew(session, refusedOf(cluster, session, { sub: '43' })),
    ).resolves.toBe('ended');
    expect(cluster.calls).toEqual([]);
    await expect(
      cluster.app.tokens.renew(session, refusedOf(cluster, session)),
    ).resolves.toMatchObject({
      id: `${SHOP}_42`,
      accessToken: 'shpat_user',
    });
  });

  // It stayed in use until it expired, a day later.
  it('asks for another token on the strength of the secret when such a one is refused', async () => {
    let count = 0;
    const cluster = new Cluster(1, {
      token: () => offlineToken({ access_token: `shpat_org_${++count}`, expires_in: 86_400 }),
    });
    const session = await cluster.app.tokens.session(SHOP, 'client-credentials');
    const renew = () => cluster.app.tokens.renew(session, { refused: 'shpat_org_1' });
    for (const renewed of await Promise.all([renew(), renew(), renew()]))
      expect(renewed).toMatchObject({ accessToken: 'shpat_org_2' });
    await expect(cluster.app.tokens.session(SHOP, 'client-credentials')).resolves.toMatchObject({
      accessToken: 'shpat_org_2',
    });
    expect(cluster.calls.map(grantOf)).toEqual(['client_credentials', 'client_credentials']);
    await expect(cluster.app.records.of(SHOP)).resolves.toMatchObject({ generation: 1 });
  });
});

describe('a token that is refused and that nothing can renew', () => {
  it('ends: the app is told once that the shop has to authenticate again', async () => {
    const told: unknown[] = [];
    const cluster = new Cluster(1, {
      hooks: { onReauthorizationNeeded: (context) => void told.push(context) },
    });
    const { app, storage, clock } = cluster;
    await storage.storeSession(offlineSession());
    await app.records.granted(SHOP, {
      ...{ scope: 'write_products', grantedAt: clock.now(), isKnown: false },
    });
    const refused = offlineSession().accessToken!;
    for (let time = 0; time < 2; time++) await app.tokens.renew(offlineSession(), { refused });
    expect((await cluster.stored())?.accessToken).toBeUndefined();
    await expect(app.records.of(SHOP)).resolves.toMatchObject({ status: 'needs_reauthorization' });
    expect(told).toEqual([{ shop: SHOP }]);
    const ended = app.lines.filter((line) => line.includes('no longer accepts the token'));
    expect(ended).toHaveLength(1);
  });
});

describe('TokenManager.migrate()', () => {
  it('keeps the scopes when the reply names none', async () => {
    const cluster = new Cluster(1, {
      token: () =>
        Response.json({ access_token: 'shpat_new', expires_in: 3600, refresh_token: 'shprt_1' }),
    });
    await cluster.storage.storeSession(offlineSession());
    await cluster.app.tokens.migrate(SHOP);
    await expect(cluster.stored()).resolves.toMatchObject({
      accessToken: 'shpat_new',
      refreshToken: 'shprt_1',
      scope: 'write_products',
    });
  });

  // The lasting token was traded for one that ended for good after an hour.
  it.each([
    ['refreshToken', { refreshToken: undefined }],
    ['expires', { expires: undefined }],
    ['refreshToken and expires', { refreshToken: undefined, expires: undefined }],
  ])('trades nothing where the storage drops %s', async (names, dropped) => {
    const cluster = new Cluster(1);
    const { storage } = cluster;
    const store = storage.storeSession.bind(storage);
    storage.storeSession = (session) => store(new Session({ ...session, ...dropped }));
    await storage.storeSession(offlineSession());
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(cluster.app.tokens.migrate(SHOP)).rejects.toMatchObject({
        code: 'ERR_RENEWAL_NOT_KEPT',
        message: expect.stringContaining(`(MemorySessionStorage) does not keep ${names} of`),
      });
    expect(cluster.calls).toEqual([]);
    const { accessToken } = offlineSession();
    expect(await storage.listSessions({ limit: 10 })).toMatchObject([{ shop: SHOP, accessToken }]);
  });

  it('trades nothing where the storage gives nothing back, and leaves nothing behind', async () => {
    const cluster = new Cluster(1);
    const { storage } = cluster;
    await storage.storeSession(offlineSession());
    const load = storage.loadSession.bind(storage);
    storage.loadSession = async (id) => (id === `offline_${SHOP}` ? load(id) : undefined);
    await expect(cluster.app.tokens.migrate(SHOP)).rejects.toThrow(SessionNotStoredError);
    expect(cluster.calls).toEqual([]);
    expect(await storage.listSessions({ limit: 10 })).toHaveLength(1);
  });

  it('fails when what came could not be kept, and is repeated with the token there was', async () => {
    const cluster = new Cluster(1, {
      token: () =>
        offlineToken({ access_token: 'shpat_new', expires_in: 3600, refresh_token: 'shprt_1' }),
    });
    await cluster.storage.storeSession(offlineSession());
    const replace = cluster.storage.replaceSession.bind(cluster.storage);
    cluster.storage.replaceSession = () => Promise.reject(new Error('the server is away'));
    await expect(cluster.app.tokens.migrate(SHOP)).rejects.toThrow('the server is away');
    cluster.storage.replaceSession = replace;
    await expect(cluster.app.tokens.migrate(SHOP)).resolves.toMatchObject({
      accessToken: 'shpat_new',
    });
    const { accessToken } = offlineSession();
    expect(cluster.calls.map(({ body }) => body)).toMatchObject([
      { subject_token: accessToken },
      { subject_token: accessToken },
    ]);
  });
});
