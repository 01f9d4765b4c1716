import { describe, expect, it } from '@jest/globals';

import type { AdminDecision } from '../../../lib/auth/admin/admin-responses.js';
import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import { Session } from '../../../lib/sessions/session.js';
import { SessionStorageError } from '../../../lib/sessions/sessions.errors.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordLock } from '../../../lib/sessions/coordination/coordination-stores.js';
import {
  HOST,
  SHOP,
  StillClock,
  USER,
  createApp,
  headersOf,
  offlineSession,
  offlineToken,
  onlineToken,
  page,
  query,
  script,
  sessionToken,
} from '../auth.fixture.js';
import type { App, Call } from '../auth.fixture.js';
import { Cluster, MINUTE, expiring, inMinutes } from './cluster.js';

const FRESH = {
  access_token: 'shpat_fresh',
  expires_in: 3600,
  refresh_token: 'shprt_fresh',
  refresh_token_expires_in: 86_400,
};
const fetched = (app: App, claims?: object): Promise<AdminDecision> =>
  app.auth.authenticateAdmin(script('/api', sessionToken(app.clock, { ...claims })));
const framed = (app: App): Promise<AdminDecision> => {
  const target = `/products?${query({ embedded: '1', shop: SHOP, host: HOST, id_token: sessionToken(app.clock) })}`;
  return app.auth.authenticateAdmin(page(target, { 'sec-fetch-dest': 'iframe' }));
};
const requested = ({ body }: Call): string =>
  (body as { requested_token_type: string }).requested_token_type.split(':').at(-1)!;
const kindAnswered = async (call: Call): Promise<Response> => {
  await new Promise((resolve) => setImmediate(resolve));
  return requested(call) === 'online-access-token' ? onlineToken() : offlineToken(FRESH);
};

describe('a session token', () => {
  it.each<[string, Session | undefined]>([
    ['missing', undefined],
    ['expired', expiring(-60)],
    ['expiring', expiring(4)],
  ])(
    'is traded in once for fifty requests in a process and for three processes, with a token that is %s',
    async (_, session) => {
      const cluster = new Cluster(3, { token: kindAnswered });
      if (session) await cluster.storage.storeSession(session);
      const decisions = await Promise.all(
        Array.from({ length: 150 }, (__, index) =>
          fetched(cluster.processes[index % 3]!, { jti: String(index) }),
        ),
      );
      for (const decision of decisions)
        expect(decision).toMatchObject({
          kind: 'granted',
          session: { accessToken: 'shpat_fresh' },
        });
      expect(cluster.calls).toHaveLength(1);
    },
  );

  it('brings the app’s token and the user’s with online tokens on, and is granted the user’s', async () => {
    const cluster = new Cluster(1, { token: kindAnswered, options: { useOnlineTokens: true } });
    const decisions = await Promise.all(Array.from({ length: 50 }, () => fetched(cluster.app)));
    for (const decision of decisions)
      expect(decision).toMatchObject({
        kind: 'granted',
        session: { id: `${SHOP}_42`, isOnline: true },
      });
    expect(cluster.calls.map(requested)).toEqual(['offline-access-token', 'online-access-token']);
    await expect(cluster.stored()).resolves.toMatchObject({
      accessToken: 'shpat_fresh',
      isOnline: false,
    });
  });

  it('is not believed about a user it does not name', async () => {
    const token = (call: Call): Response =>
      requested(call).startsWith('online')
        ? onlineToken({ associated_user: { ...USER, id: 43 } })
        : offlineToken();
    const app = createApp({ options: { useOnlineTokens: true }, token });
    await expect(fetched(app)).resolves.toMatchObject({
      kind: 'denied',
      status: 502,
      reason: 'token_reply_invalid',
    });
    await expect(app.storage.loadSession(`${SHOP}_43`)).resolves.toBeUndefined();
  });

  it('goes to the shop it was issued in, whatever the address says', async () => {
    const app = createApp();
    await app.auth.authenticateAdmin(
      script('/?shop=other-shop.myshopify.com', sessionToken(app.clock)),
    );
    expect(app.calls).toEqual([]);
  });
});

describe('an exchange that fails', () => {
  const refused = (): Response =>
    Response.json({ error: 'invalid_subject_token' }, { status: 400 });

  it('for the session token’s sake asks a script for another, and sends a page for one, once', async () => {
    const app = createApp({ token: refused });
    const decision = await fetched(app);
    expect(decision).toMatchObject({
      kind: 'denied',
      status: 401,
      reason: 'session_token_refused',
    });
    expect(headersOf(decision as never)).toEqual({
      'x-shopify-retry-invalid-session-request': '1',
    });
    await expect(framed(app)).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'session_token_needed',
    });
    const bounced = `/products?${query({ embedded: '1', shop: SHOP, host: HOST, 'bounced-at': String(app.clock.seconds), id_token: sessionToken(app.clock) })}`;
    await expect(
      app.auth.authenticateAdmin(page(bounced, { 'sec-fetch-dest': 'iframe' })),
    ).resolves.toMatchObject({ status: 401 });
  });

  it.each<[string, () => Response | Promise<Response>, number, string]>([
    [
      'the platform refuses',
      () => Response.json({ error: 'invalid_client' }, { status: 400 }),
      500,
      'token_not_granted',
    ],
    ['the shop is frozen', () => new Response('', { status: 402 }), 500, 'token_not_granted'],
    ['the platform is busy', () => new Response('', { status: 429 }), 503, 'platform_busy'],
    ['the platform fails', () => new Response('', { status: 500 }), 502, 'platform_failed'],
    [
      'the platform cannot be reached',
      () => Promise.reject(new TypeError('fetch failed')),
      503,
      'platform_unreachable',
    ],
    ['the reply is no token', () => Response.json({}), 502, 'token_reply_invalid'],
    ['a user’s token is granted for the app’s', () => onlineToken(), 502, 'token_reply_invalid'],
  ])(
    'because %s is answered with a reason, and logged with the cause',
    async (_, token, status, reason) => {
      const app = createApp({ token });
      await expect(fetched(app)).resolves.toMatchObject({ kind: 'denied', status, reason });
      expect(app.lines).toContainEqual(
        expect.stringMatching(/ERROR.*A token could not be renewed.*error: /),
      );
      await expect(framed(app)).resolves.toMatchObject({ kind: 'denied', status, reason });
    },
  );

  it('because the shop does not have the app leads to the consent page', async () => {
    const cluster = new Cluster(1, {
      token: () => Response.json({ error: 'app_not_installed' }, { status: 400 }),
    });
    await expect(fetched(cluster.app)).resolves.toMatchObject({
      kind: 'denied',
      status: 403,
      reason: 'session_missing',
    });
    await expect(framed(cluster.app)).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'exit_iframe',
    });
    await cluster.storage.storeSession(expiring(3));
    await expect(fetched(cluster.app)).resolves.toMatchObject({
      kind: 'denied',
      status: 403,
      reason: 'session_expired',
    });
  });

  it('lets a request go on with a token that is still good', async () => {
    const cluster = new Cluster(1, { token: () => Promise.reject(new TypeError('fetch failed')) });
    await cluster.storage.storeSession(expiring(3));
    for (let request = 0; request < 3; request++)
      await expect(fetched(cluster.app)).resolves.toMatchObject({ kind: 'granted' });
    expect(cluster.calls).toHaveLength(4);
    expect(
      cluster.app.lines.filter((line) => /WARNING.*it is used as long as it lasts/.test(line)),
    ).toHaveLength(1);
  });

  // The request failed with 500.
  it('lets a request go on with a token that is still good while the lock is away', async () => {
    const clock = new StillClock();
    class AwayLock extends RecordLock {
      override take(): Promise<boolean> {
        return Promise.reject(new SessionStorageError('the server is away'));
      }
    }
    const app = createApp({ clock, lock: new AwayLock(new MemoryRecordStore(clock)) });
    await app.storage.storeSession(expiring(3));
    await expect(fetched(app)).resolves.toMatchObject({
      kind: 'granted',
      session: { accessToken: expiring(3).accessToken },
    });
    clock.advance(4 * MINUTE);
    await expect(fetched(app)).rejects.toBeInstanceOf(SessionStorageError);
  });
});

describe('what the app is told', () => {
  it('comes before the first request goes on, once, with all who wait seeing its effects', async () => {
    const told: string[] = [];
    const hook = (name: string) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      told.push(name);
    };
    const hooks: AuthHooks = { onInstall: hook('onInstall'), afterAuth: hook('afterAuth') };
    const cluster = new Cluster(2, { token: kindAnswered, hooks });
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const decision = await fetched(cluster.processes[index % 2]!);
        return [decision.kind, told.length];
      }),
    );
    expect(told).toEqual(['onInstall', 'afterAuth']);
    for (const facts of seen) expect(facts).toEqual(['granted', 2]);
  });

  it('is told again with the next request when the app fails to deal with it', async () => {
    let attempts = 0;
    const onInstall = (): void => {
      if (++attempts === 1) throw new Error('no database today');
    };
    const app = createApp({ hooks: { onInstall } });
    await expect(fetched(app)).resolves.toMatchObject({
      kind: 'denied',
      status: 500,
      reason: 'after_auth_failed',
    });
    expect(app.lines).toContainEqual(expect.stringMatching(/ERROR.*no database today/));
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    expect([attempts, app.calls.length]).toEqual([2, 1]);
  });

  it('may be answered with a response of its own', async () => {
    const app = createApp({
      hooks: {
        afterAuth: () => Promise.reject(Response.redirect('https://app.example.com/plans', 302)),
      },
    });
    await expect(fetched(app)).resolves.toMatchObject({
      kind: 'redirect',
      location: 'https://app.example.com/plans',
      reason: 'after_auth',
    });
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    const busy = createApp({
      hooks: { afterAuth: () => Promise.reject(new Response('come back later', { status: 503 })) },
    });
    await expect(fetched(busy)).resolves.toMatchObject({
      kind: 'document',
      html: 'come back later',
      status: 503,
    });
    await expect(fetched(busy)).resolves.toMatchObject({ kind: 'granted' });
  });

  // It was noted with the app's own token: any request before the user's was stored told of it,
  // with the wrong session.
  it('of a user comes with the user’s session only, also when other requests of the shop come in between', async () => {
    const told: string[] = [];
    let isBroken = true;
    const passer = (): Promise<unknown> =>
      app.auth.ensureInstalled(page(`/?${query({ embedded: '1', shop: SHOP, host: HOST })}`));
    const app: App = createApp({
      options: { useOnlineTokens: true },
      hooks: {
        afterAuth: ({ session }) => {
          if (isBroken) throw new Error('no database today');
          told.push(session.id);
        },
      },
      token: async (call) => {
        if (requested(call) === 'online-access-token')
          await expect(passer()).resolves.toMatchObject({ kind: 'granted' });
        return kindAnswered(call);
      },
    });
    await expect(fetched(app)).resolves.toMatchObject({
      kind: 'denied',
      reason: 'after_auth_failed',
    });
    isBroken = false;
    app.clock.advance(6 * 60_000);
    await expect(passer()).resolves.toMatchObject({ kind: 'granted' });
    expect(told).toEqual([]);
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    expect(told).toEqual([`${SHOP}_42`]);
  });

  it('is nothing new for a shop that had a session before there were records', async () => {
    const told: unknown[] = [];
    const app = createApp({ hooks: { onInstall: () => void told.push('onInstall') } });
    await app.storage.storeSession(expiring(-1));
    await expect(fetched(app)).resolves.toMatchObject({ kind: 'granted' });
    expect(told).toEqual([]);
  });
});

describe('ensureInstalled', () => {
  const target = (app: App): string =>
    `/?${query({ embedded: '1', shop: SHOP, host: HOST, id_token: sessionToken(app.clock) })}`;

  it('installs by the session token the admin opens the page with', async () => {
    const app = createApp();
    await expect(app.auth.ensureInstalled(page(target(app)))).resolves.toMatchObject({
      kind: 'granted',
      session: { shop: SHOP },
    });
    expect(app.calls).toHaveLength(1);
  });

  it('renews what has expired, and begins OAuth when the platform does not', async () => {
    const cluster = new Cluster(1);
    await cluster.storage.storeSession(expiring(-1));
    await expect(
      cluster.app.auth.ensureInstalled(page(`/?shop=${SHOP}&embedded=1`)),
    ).resolves.toMatchObject({
      session: { accessToken: 'shpat_fresh_1' },
    });
    const refusing = new Cluster(1, {
      token: () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
    });
    await refusing.storage.storeSession(expiring(-1));
    await expect(refusing.app.auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      reason: 'begin_oauth',
    });
  });

  it('says so when the platform cannot be reached', async () => {
    const cluster = new Cluster(1, { token: () => Promise.reject(new TypeError('fetch failed')) });
    await cluster.storage.storeSession(expiring(-1));
    await expect(cluster.app.auth.ensureInstalled(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      status: 503,
      reason: 'platform_unreachable',
    });
  });
});

describe('a page outside of the admin', () => {
  it('goes into the admin with a session that has expired: it is renewed there', async () => {
    const app = createApp();
    await app.storage.storeSession(offlineSession({ expires: inMinutes(-1) }));
    await expect(app.auth.authenticateAdmin(page(`/?shop=${SHOP}`))).resolves.toMatchObject({
      kind: 'redirect',
      reason: 'embed_app',
    });
  });
});
