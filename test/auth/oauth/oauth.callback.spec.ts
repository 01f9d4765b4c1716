import { EventEmitter, once } from 'node:events';

import { describe, expect, it, jest } from '@jest/globals';

import type { AuthHooks } from '../../../lib/auth/auth.options.js';
import type { ConfigOptions } from '../../../lib/core/config/config.options.js';
import { sessionCookie, sessionInCookie } from '../../../lib/auth/credentials/session-cookie.js';
import { AppDistribution } from '../../../lib/core/config/config.options.js';
import { VERSION } from '../../../lib/core/version.js';
import { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import {
  ACCESS_TOKEN,
  API_KEY,
  CODE,
  HOST,
  OTHER_SHOP,
  SECRET,
  SHOP,
  StillClock,
  USER,
  cookiesAfter,
  cookiesIn,
  createApp,
  inbound,
  offlineSession,
  offlineToken,
  onlineToken,
  page,
  sessionToken,
  signedQuery,
} from '../auth.fixture.js';
import type { App, Call } from '../auth.fixture.js';

/** A clock whose sleeps end when it is told to. */
class ClockInHand extends StillClock {
  pending = 0;
  /** Of the latest sleep, in milliseconds. */
  asked: number | undefined;
  #ring = (): void => {};

  override sleep(ms?: number, signal?: AbortSignal): Promise<void> {
    this.asked = ms;
    this.pending++;
    return new Promise<void>((resolve, reject) => {
      this.#ring = resolve;
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    }).finally(() => this.pending--);
  }

  /** Ends the latest sleep. */
  ring(): void {
    this.#ring();
  }
}

interface Begun {
  readonly state: string;
  readonly cookie: string;
}

async function begin(
  { auth }: App,
  options: { isOnline?: boolean; shop?: string } = {},
): Promise<Begun> {
  return begunBy(await auth.begin(page('/auth'), { shop: SHOP, ...options }));
}

function begunBy(decision: {
  kind: string;
  location?: string;
  headers?: Parameters<typeof cookiesAfter>[0];
}): Begun {
  return {
    state: new URL(decision.location ?? '').searchParams.get('state') ?? '',
    cookie: cookiesAfter(decision.headers),
  };
}

/** The request a browser makes when the shop's consent page sends it back. */
function back(
  app: App,
  { state, cookie }: Begun,
  more: Record<string, string> = {},
  secret = SECRET,
): ReturnType<typeof page> {
  const params = {
    code: CODE,
    host: HOST,
    shop: SHOP,
    state,
    timestamp: String(app.clock.seconds),
    ...more,
  };
  return page(`/auth/callback?${signedQuery(params, secret)}`, { cookie });
}

describe('the end of an OAuth grant', () => {
  it('trades the code for an offline token and stores the session', async () => {
    const app = createApp();
    const begun = await begin(app);
    const decision = await app.auth.callback(back(app, begun));
    expect(decision).toMatchObject({ kind: 'granted' });
    const stored = await app.storage.loadSession(`offline_${SHOP}`);
    expect(stored?.toObject()).toEqual({
      ...{ id: `offline_${SHOP}`, shop: SHOP, state: begun.state, isOnline: false },
      ...{ scope: 'write_products', accessToken: ACCESS_TOKEN },
    });
    expect(app.installs).toEqual([SHOP]);
  });

  it('asks the token endpoint of the shop as documented', async () => {
    const app = createApp();
    await app.auth.callback(back(app, await begin(app)));
    const [call, ...others] = app.calls;
    expect(others).toEqual([]);
    expect(call?.url).toBe(`https://${SHOP}/admin/oauth/access_token`);
    expect(call?.body).toEqual({
      client_id: API_KEY,
      client_secret: SECRET,
      code: CODE,
      expiring: '1',
    });
    expect(Object.fromEntries(call?.headers ?? [])).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': `shopwright/${VERSION} | Node ${process.version}`,
    });
  });

  it('spends the state: both cookies are removed where they were set', async () => {
    const app = createApp();
    const decision = await app.auth.callback(back(app, await begin(app)));
    const cookies = cookiesIn(decision.headers);
    expect(cookies.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^shopify_app_state_[0-9a-f]{8}_[0-9a-f]{8}$/),
      expect.stringMatching(/\.sig$/),
    ]);
    for (const { value, attributes } of cookies) {
      expect(value).toBe('');
      expect(attributes).toEqual(expect.arrayContaining(['Path=/auth/callback', 'Max-Age=0']));
    }
  });

  it('keeps expiry and refresh token of an expiring offline token', async () => {
    const app = createApp({
      token: () =>
        offlineToken({
          expires_in: 3600,
          refresh_token: 'shprt_r',
          refresh_token_expires_in: 7200,
        }),
    });
    await app.auth.callback(back(app, await begin(app)));
    expect((await app.storage.loadSession(`offline_${SHOP}`))?.toObject()).toMatchObject({
      expires: new Date('2026-01-15T13:00:00.000Z'),
      refreshToken: 'shprt_r',
      refreshTokenExpires: new Date('2026-01-15T14:00:00.000Z'),
    });
  });

  it('asks for a token that never expires when the app wants such tokens', async () => {
    const app = createApp({ options: { expiringOfflineAccessTokens: false } });
    await app.auth.callback(back(app, await begin(app)));
    expect(app.calls[0]?.body).toMatchObject({ expiring: '0' });
    expect((await app.storage.loadSession(`offline_${SHOP}`))?.expires).toBeUndefined();
  });

  it('asks for tokens that never expire once the storage has dropped a refresh token', async () => {
    class OlderStorage extends MemorySessionStorage {
      override storeSession(session: Session): Promise<boolean> {
        const { refreshToken: _, ...known } = session.toObject();
        return super.storeSession(new Session(known));
      }
    }
    const app = createApp({
      storage: new OlderStorage(),
      token: () => offlineToken({ expires_in: 3600, refresh_token: 'shprt_r' }),
    });
    await app.auth.callback(back(app, await begin(app)));
    await app.auth.callback(back(app, await begin(app)));
    const asked = app.calls.flatMap(({ body }) =>
      typeof body === 'object' && body !== null && 'expiring' in body ? [body.expiring] : [],
    );
    expect(asked).toEqual(['1', '0']);
  });

  // Without it the session could never be renewed.
  it('keeps a refresh token that does not say how long it lives', async () => {
    const app = createApp({
      token: () => offlineToken({ expires_in: 3600, refresh_token: 'shprt_r' }),
    });
    await app.auth.callback(back(app, await begin(app)));
    const session = await app.storage.loadSession(`offline_${SHOP}`);
    expect(session).toMatchObject({ refreshToken: 'shprt_r' });
    expect(session?.refreshTokenExpires).toBeUndefined();
  });

  it('names an online session of an embedded app after shop and user', async () => {
    const app = createApp({
      token: () => onlineToken({ expires_in: '86399', associated_user: { ...USER, id: '42' } }),
    });
    const decision = await app.auth.callback(back(app, await begin(app, { isOnline: true })));
    expect(decision).toMatchObject({
      kind: 'granted',
      session: { id: `${SHOP}_42`, isOnline: true },
    });
    expect((await app.storage.loadSession(`${SHOP}_42`))?.toObject()).toMatchObject({
      expires: new Date('2026-01-16T11:59:59.000Z'),
      onlineAccessInfo: {
        expires_in: 86_399,
        associated_user_scope: 'write_products',
        associated_user: { ...USER, id: 42 },
      },
    });
  });

  it('fetches an offline token first and a user’s next when online tokens are on, and runs the hook once', async () => {
    const afterAuth = jest.fn<NonNullable<AuthHooks['afterAuth']>>();
    const app = createApp({
      options: { useOnlineTokens: true },
      hooks: { afterAuth },
      token: () => (app.calls.length === 1 ? offlineToken() : onlineToken()),
    });
    const first = await app.auth.callback(back(app, await begin(app)));
    expect(first).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
    expect(afterAuth).not.toHaveBeenCalled();
    expect(
      first.kind === 'redirect' && new URL(first.location).searchParams.get('grant_options[]'),
    ).toBe('per-user');
    const second = await app.auth.callback(back(app, begunBy(first as never)));
    expect(second).toMatchObject({ kind: 'granted', session: { isOnline: true } });
    expect(afterAuth).toHaveBeenCalledTimes(1);
    expect(app.installs).toEqual([SHOP]);
    expect((await app.storage.findSessionsByShop(SHOP)).map(({ id }) => id).sort()).toEqual([
      `${SHOP}_42`,
      `offline_${SHOP}`,
    ]);
  });

  it('does not go round in circles when a user’s token is never granted', async () => {
    const app = createApp({ options: { useOnlineTokens: true } });
    const first = await app.auth.callback(back(app, await begin(app)));
    const second = await app.auth.callback(back(app, begunBy(first as never)));
    expect(second).toMatchObject({ kind: 'denied', status: 502, reason: 'token_reply_invalid' });
  });

  it('accepts a signature made with the previous secret', async () => {
    const app = createApp({ options: { apiSecretKey: ['the-new-secret', SECRET] } });
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      kind: 'granted',
    });
    expect(app.calls[0]?.body).toMatchObject({ client_secret: 'the-new-secret' });
  });
});

describe('an OAuth callback that is not ours', () => {
  it.each<[string, string, (app: App, begun: Begun) => ReturnType<typeof page>]>([
    [
      'a signature by another secret',
      'hmac_invalid',
      (app, begun) => back(app, begun, {}, 'another-secret'),
    ],
    [
      'no signature',
      'hmac_invalid',
      (_, { cookie }) => page(`/auth/callback?shop=${SHOP}&code=${CODE}`, { cookie }),
    ],
    ['no query', 'hmac_invalid', (_, { cookie }) => page('/auth/callback', { cookie })],
    [
      'an old timestamp',
      'timestamp_stale',
      (app, begun) => back(app, begun, { timestamp: String(app.clock.seconds - 91) }),
    ],
    [
      'a timestamp of the future',
      'timestamp_stale',
      (app, begun) => back(app, begun, { timestamp: String(app.clock.seconds + 91) }),
    ],
    [
      'a timestamp that is none',
      'hmac_invalid',
      (app, begun) => back(app, begun, { timestamp: 'soon' }),
    ],
    [
      'a foreign domain as shop',
      'shop_invalid',
      (app, begun) => back(app, begun, { shop: 'evil.example.com' }),
    ],
    [
      'another state',
      'state_mismatch',
      (app, begun) => back(app, { ...begun, state: 'f'.repeat(64) }),
    ],
    ['an empty state', 'state_mismatch', (app, begun) => back(app, { ...begun, state: '' })],
    ['no code', 'code_missing', (app, begun) => back(app, begun, { code: '' })],
  ])('is refused for %s', async (_, reason, request) => {
    const app = createApp();
    const decision = await app.auth.callback(request(app, await begin(app)));
    expect(decision).toMatchObject({ kind: 'denied', status: 400, reason });
    expect(app.calls).toEqual([]);
    // The state of a grant that is under way stays good: whoever sent this must not end it.
    expect(decision.headers).toBeUndefined();
  });

  it('is accepted at exactly the edge of the time window', async () => {
    const app = createApp();
    const begun = await begin(app);
    await expect(
      app.auth.callback(back(app, begun, { timestamp: String(app.clock.seconds - 90) })),
    ).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  // Clearing the cookie was all: the same callback, sent once more with the cookie kept, was traded
  // for a token again.
  it('is refused when its state has ended a grant before, at once and later, whatever the cookie', async () => {
    const app = createApp();
    const begun = await begin(app);
    const [first, second] = await Promise.all([
      app.auth.callback(back(app, begun)),
      app.auth.callback(back(app, begun)),
    ]);
    expect(first).toMatchObject({ kind: 'granted' });
    expect(second).toMatchObject({ kind: 'denied', status: 400, reason: 'state_spent' });
    app.clock.advance(9 * 60_000);
    await expect(app.auth.callback(back(app, begun))).resolves.toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'state_spent',
    });
    expect(app.calls).toHaveLength(1);
  });

  // A HEAD, sent by whatever looks at links before a person does, spent the authorization code.
  it.each(['HEAD', 'POST', 'OPTIONS'])(
    'is answered with 405 when it comes by %s, and is still good by GET',
    async (method) => {
      const app = createApp();
      const request = back(app, await begin(app));
      const decision = await app.auth.callback({ ...request, method });
      expect(decision).toMatchObject({
        kind: 'denied',
        status: 405,
        reason: 'method_not_allowed',
        headers: [['allow', 'GET']],
      });
      expect(app.calls).toEqual([]);
      await expect(app.auth.callback(request)).resolves.toMatchObject({ kind: 'granted' });
    },
  );

  it('is refused when a parameter was added to what was signed', async () => {
    const app = createApp();
    const { url, header } = back(app, await begin(app));
    const decision = await app.auth.callback(
      inbound(`${url.pathname}${url.search}&more=1`, { cookie: header('cookie') ?? '' }),
    );
    expect(decision).toMatchObject({ kind: 'denied', reason: 'hmac_invalid' });
  });

  it('is refused when its cookie belongs to another shop', async () => {
    const app = createApp();
    const other = await begin(app, { shop: OTHER_SHOP });
    const { url } = back(app, other);
    await expect(
      app.auth.callback(inbound(url.pathname + url.search, { cookie: other.cookie })),
    ).resolves.toMatchObject({
      kind: 'denied',
      reason: 'state_missing',
    });
  });

  it('is refused for an app that has a fixed token', async () => {
    const app = createApp({
      options: { distribution: AppDistribution.PlatformAdmin, adminApiAccessToken: 'shpat_fixed' },
    });
    await expect(app.auth.callback(page('/auth/callback'))).resolves.toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'private_app',
    });
  });
});

describe('an OAuth callback without its cookie', () => {
  it('begins once more, and then explains that cookies are blocked', async () => {
    const app = createApp();
    const { state } = await begin(app);
    const again = await app.auth.callback(back(app, { state, cookie: '' }));
    expect(again).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
    const { state: secondState } = begunBy(again as never);
    const decision = await app.auth.callback(back(app, { state: secondState, cookie: '' }));
    expect(decision).toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'cookies_blocked',
      message: expect.stringContaining('cookies'),
    });
  });

  it('goes through on the second beginning when the cookie comes along after all', async () => {
    const app = createApp();
    const again = await app.auth.callback(back(app, { ...(await begin(app)), cookie: '' }));
    await expect(app.auth.callback(back(app, begunBy(again as never)))).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  it('asks for a user again when it had asked for one', async () => {
    const app = createApp();
    const again = await app.auth.callback(
      back(app, { ...(await begin(app, { isOnline: true })), cookie: '' }),
    );
    expect(
      again.kind === 'redirect' && new URL(again.location).searchParams.get('grant_options[]'),
    ).toBe('per-user');
  });

  it('does not begin anything without the platform’s signature', async () => {
    const app = createApp();
    const { state } = await begin(app);
    await expect(
      app.auth.callback(back(app, { state, cookie: '' }, {}, 'another-secret')),
    ).resolves.toMatchObject({
      reason: 'hmac_invalid',
    });
  });

  it('treats an unsigned or re-signed cookie like none', async () => {
    const app = createApp();
    const { state, cookie } = await begin(app);
    const [value = '', signature = ''] = cookie.split('; ');
    for (const forged of [value, `${value}; ${signature.slice(0, -4)}AAA=`]) {
      const decision = await app.auth.callback(back(app, { state, cookie: forged }));
      expect(decision).toMatchObject({ kind: 'redirect', reason: 'begin_oauth' });
    }
  });

  it('refuses an API client instead of redirecting it', async () => {
    const app = createApp();
    const { url } = back(app, { ...(await begin(app)), cookie: '' });
    const decision = await app.auth.callback(inbound(url.pathname + url.search));
    expect(decision).toMatchObject({ kind: 'denied', status: 400, reason: 'state_missing' });
  });
});

describe('a token endpoint', () => {
  const html = (status: number): Response =>
    new Response('<html>Oops</html>', { status, headers: { 'content-type': 'text/html' } });

  it.each<[string, () => Response | Promise<Response>, number, string]>([
    [
      'that knows the code as used',
      () => Response.json({ error: 'invalid_request' }, { status: 400 }),
      400,
      'code_refused',
    ],
    ['that refuses in HTML', () => html(403), 400, 'code_refused'],
    ['that is busy', () => Response.json({}, { status: 429 }), 503, 'platform_busy'],
    ['that fails in HTML', () => html(502), 502, 'platform_failed'],
    [
      'that cannot be reached',
      () => Promise.reject(new TypeError('fetch failed')),
      503,
      'platform_unreachable',
    ],
    [
      'that redirects',
      () => Response.redirect('https://elsewhere.example/'),
      503,
      'platform_unreachable',
    ],
    ['that answers HTML', () => html(200), 502, 'token_reply_invalid'],
    ['that answers nothing', () => new Response(''), 502, 'token_reply_invalid'],
    ['that answers null', () => Response.json(null), 502, 'token_reply_invalid'],
    [
      'that grants no token',
      () => Response.json({ scope: 'write_products' }),
      502,
      'token_reply_invalid',
    ],
    [
      'that grants an empty token',
      () => offlineToken({ access_token: '' }),
      502,
      'token_reply_invalid',
    ],
    [
      'that grants a token no header can carry',
      () => offlineToken({ access_token: 'a\nb' }),
      502,
      'token_reply_invalid',
    ],
    [
      'that names no user in an online token',
      () => onlineToken({ associated_user: {} }),
      502,
      'token_reply_invalid',
    ],
  ])('%s ends in a refusal, and the state is spent', async (_, token, status, reason) => {
    const app = createApp({ token });
    const decision = await app.auth.callback(back(app, await begin(app)));
    expect(decision).toMatchObject({ kind: 'denied', status, reason });
    expect(cookiesIn(decision.headers).map(({ value }) => value)).toEqual(['', '']);
    expect(await app.storage.findSessionsByShop(SHOP)).toEqual([]);
    expect(app.installs).toEqual([]);
  });

  it('is never followed to where it redirects, secret in hand', async () => {
    const app = createApp({ token: () => Response.redirect('https://elsewhere.example/', 307) });
    await app.auth.callback(back(app, await begin(app)));
    const endpoint = `https://${SHOP}/admin/oauth/access_token`;
    const calls = app.calls.map(({ url, redirect }) => [url, redirect]);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls).toEqual(calls.map(() => [endpoint, 'manual']));
  });
});

describe('what follows a granted token', () => {
  it('happens in order: the session is stored, the install announced, the hook run', async () => {
    const order: string[] = [];
    class NotingStorage extends MemorySessionStorage {
      override storeSession(
        ...args: Parameters<MemorySessionStorage['storeSession']>
      ): Promise<boolean> {
        order.push('stored');
        return super.storeSession(...args);
      }
    }
    const app = createApp({
      storage: new NotingStorage(),
      afterInstall: { run: async () => void order.push('announced') },
      hooks: {
        afterAuth: ({ session, admin }) =>
          order.push(`hook ${session.shop} ${admin.session === session}`),
      },
    });
    await app.auth.callback(back(app, await begin(app)));
    expect(order).toEqual(['stored', 'announced', `hook ${SHOP} true`]);
  });

  it('is announced again when the merchant authorizes the app again, for what was added since; a traded session token is not', async () => {
    const app = createApp();
    for (let round = 1; round <= 2; round++) {
      await app.auth.callback(back(app, await begin(app)));
      expect(app.installs).toHaveLength(round);
    }
    await app.storage.deleteSession(`offline_${SHOP}`);
    const granted = await app.auth.authenticateAdmin(
      inbound('/', { authorization: `Bearer ${sessionToken(app.clock)}` }),
    );
    expect(granted).toMatchObject({ kind: 'granted' });
    expect(app.installs).toHaveLength(2);
  });

  it('lets the install stand when announcing it fails', async () => {
    const app = createApp({
      afterInstall: { run: () => Promise.reject(new Error('no webhooks today')) },
    });
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      kind: 'granted',
    });
    expect(app.lines.join('\n')).toContain('no webhooks today');
  });

  // The merchant's browser waited for every webhook to be subscribed, however long that took.
  it('is waited for no longer than ten seconds: it goes on in the background, and a failure is still logged', async () => {
    const clock = new ClockInHand();
    let fail = (_: Error): void => {};
    const work = new Promise<void>((_, reject) => (fail = reject));
    const started = new EventEmitter();
    const app = createApp({ clock, afterInstall: { run: () => (started.emit('now'), work) } });
    const start = once(started, 'now');
    const answer = app.auth.callback(back(app, await begin(app)));
    await start;
    expect(clock.asked).toBe(10_000);
    clock.ring();
    await expect(answer).resolves.toMatchObject({ kind: 'granted' });
    expect(app.lines).toContainEqual(expect.stringMatching(/WARNING.*takes long.*dev-shop/));
    fail(new Error('no webhooks after all'));
    await new Promise(setImmediate);
    expect(app.lines.join('\n')).toContain('no webhooks after all');
  });

  it('leaves no timer behind when it is done in time', async () => {
    const clock = new ClockInHand();
    const app = createApp({ clock });
    await app.auth.callback(back(app, await begin(app)));
    expect(clock.pending).toBe(0);
    expect(app.lines.join('\n')).not.toContain('takes long');
  });

  it('is refused when the hook fails, with the session stored', async () => {
    const app = createApp({
      hooks: { afterAuth: () => Promise.reject(new Error('the hook broke')) },
    });
    const decision = await app.auth.callback(back(app, await begin(app)));
    expect(decision).toMatchObject({ kind: 'denied', status: 500, reason: 'after_auth_failed' });
    expect(decision).not.toMatchObject({ message: expect.stringContaining('broke') });
    expect(await app.storage.loadSession(`offline_${SHOP}`)).toBeDefined();
  });

  // It was called directly: what had failed was never run again.
  it('is completed by the next request when the hook has failed, once', async () => {
    const ran: (string | undefined)[] = [];
    let isBroken = true;
    const afterAuth: AuthHooks['afterAuth'] = ({ session }) => {
      ran.push(session.accessToken);
      if (isBroken) throw new Error('the hook broke');
    };
    const app = createApp({ hooks: { afterAuth } });
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      reason: 'after_auth_failed',
    });
    isBroken = false;
    const next = () =>
      app.auth.authenticateAdmin(
        inbound('/', { authorization: `Bearer ${sessionToken(app.clock)}` }),
      );
    await expect(next()).resolves.toMatchObject({ kind: 'granted' });
    await expect(next()).resolves.toMatchObject({ kind: 'granted' });
    expect(ran).toEqual([ACCESS_TOKEN, ACCESS_TOKEN]);
    expect(app.calls).toHaveLength(1);
  });

  it('is told of a user’s grant also where the app itself was never granted anything, without taking it for an installation', async () => {
    const ran: string[] = [];
    const hooks: AuthHooks = {
      afterAuth: ({ session }) => ran.push(session.id),
      onInstall: () => ran.push('onInstall'),
    };
    const app = createApp({
      hooks,
      token: () => (app.calls.length === 1 ? onlineToken() : offlineToken()),
    });
    await expect(
      app.auth.callback(back(app, await begin(app, { isOnline: true }))),
    ).resolves.toMatchObject({ kind: 'granted' });
    expect(ran).toEqual([`${SHOP}_42`]);
    await app.auth.callback(back(app, await begin(app)));
    expect(ran).toEqual([`${SHOP}_42`, 'onInstall', `offline_${SHOP}`]);
  });

  it('is answered with the response the hook throws, and spends the state all the same', async () => {
    const redirect = new Response(null, {
      status: 302,
      headers: { location: '/plans', 'x-from': 'hook' },
    });
    const app = createApp({ hooks: { afterAuth: () => Promise.reject(redirect) } });
    const decision = await app.auth.callback(back(app, await begin(app)));
    expect(decision).toMatchObject({ kind: 'redirect', location: '/plans', reason: 'after_auth' });
    expect(decision.headers).toContainEqual(['x-from', 'hook']);
    expect(
      decision.headers?.some(
        ([name, value]) => name === 'set-cookie' && /Max-Age=0|1970/.test(value),
      ),
    ).toBe(true);

    const page = new Response('one moment', {
      status: 503,
      headers: { 'content-type': 'text/plain' },
    });
    const busy = createApp({ hooks: { afterAuth: () => Promise.reject(page) } });
    await expect(busy.auth.callback(back(busy, await begin(busy)))).resolves.toMatchObject({
      kind: 'document',
      status: 503,
      html: 'one moment',
    });
  });

  it('is refused when the storage says it kept nothing', async () => {
    class FullStorage extends MemorySessionStorage {
      override storeSession(): Promise<boolean> {
        return Promise.resolve(false);
      }
    }
    const app = createApp({ storage: new FullStorage() });
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      status: 500,
      reason: 'session_not_stored',
    });
    expect(app.installs).toEqual([]);
  });

  it('is refused when the shop granted less than was asked for: letting it in would begin again for ever', async () => {
    const afterAuth = jest.fn<NonNullable<AuthHooks['afterAuth']>>();
    const app = createApp({
      options: { scopes: ['write_products', 'read_orders'] },
      hooks: { afterAuth },
      token: () => offlineToken({ scope: 'write_products' }),
    });
    const decision = await app.auth.callback(back(app, await begin(app)));
    expect(decision).toMatchObject({
      kind: 'denied',
      status: 403,
      reason: 'scopes_not_granted',
      message: expect.stringContaining('read_orders'),
    });
    expect((await app.storage.loadSession(`offline_${SHOP}`))?.scope).toBe('write_products');
    expect(app.lines).toContainEqual(expect.stringMatching(/WARNING.*missing: read_orders/));
    expect(afterAuth).not.toHaveBeenCalled();
  });

  it('is granted when a read scope comes by way of its write scope', async () => {
    const app = createApp({ options: { scopes: ['read_products'] } });
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      kind: 'granted',
    });
  });
});

describe('a non-embedded app', () => {
  const options = { isEmbeddedApp: false };

  // The cookie held the bare id, the same in every browser and for ever: one that leaked was good
  // until the secret changed.
  it('carries the id of an offline session, and when it was issued, in a signed cookie', async () => {
    const app = createApp({ options });
    const decision = await app.auth.callback(back(app, await begin(app)));
    const [, , session, signature] = cookiesIn(decision.headers);
    expect(session?.name).toMatch(/^shopify_app_session_[0-9a-f]{8}$/);
    expect(session?.value).toBe(`${app.clock.seconds}.offline_${SHOP}`);
    expect(signature?.name).toBe(`${session?.name}.sig`);
    for (const { attributes } of [session!, signature!])
      expect([...attributes].sort()).toEqual([
        'HttpOnly',
        'Max-Age=2592000',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
  });

  it.each<[string, NonNullable<ConfigOptions['cookiePath']>, string]>([
    ['a path', '/shops', '/shops'],
    ['a function', ({ shop }) => `/shops/${shop}/`, `/shops/${SHOP}/`],
  ])('limits its cookie to %s of the app', async (_, cookiePath, expected) => {
    const app = createApp({ options: { ...options, cookiePath } });
    const decision = await app.auth.callback(back(app, await begin(app)));
    const [, , ...cookies] = cookiesIn(decision.headers);
    expect(cookies).toHaveLength(2);
    for (const { attributes } of cookies) expect(attributes).toContain(`Path=${expected}`);
  });

  // The browser sends the cookie of the longest path first: users were sent round for ever.
  it('believes the newest of its cookies after their path was changed', async () => {
    const app = createApp({ options });
    const cookieOf = (id: string): string =>
      sessionCookie(new Session({ id, shop: SHOP, state: '', isOnline: false }), app)
        .map(([, line]) => line.split(';')[0])
        .join('; ');
    const old = cookieOf('old');
    app.clock.advance(60_000);
    for (const cookie of [`${old}; ${cookieOf('new')}`, `${cookieOf('new')}; ${old}`])
      expect(sessionInCookie(inbound('/page', { cookie }), app)?.id).toBe('new');
  });

  // Two apps on one origin overwrote each other's session cookie.
  it('keeps its cookie apart from that of another app', async () => {
    const names = await Promise.all(
      ['api-key', 'another-key'].map(async (apiKey) => {
        const app = createApp({ options: { ...options, apiKey } });
        const decision = await app.auth.callback(back(app, await begin(app)));
        return cookiesIn(decision.headers)[2]?.name;
      }),
    );
    expect(new Set(names).size).toBe(2);
  });

  it('carries the random id of an online session', async () => {
    const app = createApp({ options, token: () => onlineToken({ expires_in: 3600 }) });
    const decision = await app.auth.callback(back(app, await begin(app, { isOnline: true })));
    const session = cookiesIn(decision.headers)[2];
    expect(session?.value).toMatch(
      /^\d+\.[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(decision).toMatchObject({ session: { id: session?.value.split('.')[1] } });
  });

  // A refresh that began while the code was traded was refused for good, and the app was told that
  // the shop had to authorize it again.
  it('takes nobody for unauthorized whose token is renewed while the code is traded', async () => {
    const told: string[] = [];
    let job: Promise<Session> | undefined;
    const token = async ({ body }: Call): Promise<Response> => {
      if ('refresh_token' in (body as object))
        return Response.json({ error: 'invalid_grant' }, { status: 400 });
      job = app.tokens.session(SHOP);
      job.catch(() => {});
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return offlineToken({
        access_token: 'shpat_new',
        expires_in: 3600,
        refresh_token: 'shprt_new',
      });
    };
    const app: App = createApp({
      options,
      token,
      hooks: { onReauthorizationNeeded: ({ shop }) => void told.push(shop) },
    });
    const expires = new Date(app.clock.now().getTime() - 1000);
    await app.storage.storeSession(offlineSession({ expires, refreshToken: 'shprt_old' }));
    await expect(app.auth.callback(back(app, await begin(app)))).resolves.toMatchObject({
      kind: 'granted',
    });
    await expect(job).resolves.toMatchObject({ accessToken: 'shpat_new' });
    expect([told, app.calls.length]).toEqual([[], 1]);
  });

  it('does not keep the grants of users waiting for each other', async () => {
    let asked = 0;
    let answer = (): void => {};
    const together = new Promise<void>((resolve) => (answer = resolve));
    const token = async (): Promise<Response> => {
      if (++asked === 2) answer();
      await together;
      return onlineToken();
    };
    const app = createApp({ options: { ...options, useOnlineTokens: true }, token });
    const begun = [await begin(app, { isOnline: true }), await begin(app, { isOnline: true })];
    const decisions = await Promise.all(begun.map((one) => app.auth.callback(back(app, one))));
    for (const decision of decisions)
      expect(decision).toMatchObject({ kind: 'granted', session: { isOnline: true } });
  });

  it('lands on its own root with shop and host', async () => {
    const app = createApp({ options });
    const decision = await app.auth.callback(back(app, await begin(app)));
    const landing =
      decision.kind === 'granted' &&
      app.auth.landing(page(`/auth/callback?host=${encodeURIComponent(HOST)}`), decision.session);
    expect(landing).toMatchObject({
      kind: 'redirect',
      location: `/?shop=${SHOP}&host=${encodeURIComponent(HOST)}`,
    });
  });
});

describe('the landing of an embedded app', () => {
  it.each([
    [
      'admin.shopify.com/store/dev-shop',
      `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`,
    ],
    [`${SHOP}/admin`, `https://${SHOP}/admin/apps/${API_KEY}`],
    [
      'admin.shopify.com/store/other-shop',
      `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`,
    ],
    ['evil.example.com/admin', `https://admin.shopify.com/store/dev-shop/apps/${API_KEY}`],
  ])('with the host %s is %s', async (address, location) => {
    const app = createApp();
    const decision = await app.auth.callback(back(app, await begin(app)));
    const host = encodeURIComponent(Buffer.from(address).toString('base64'));
    const landing =
      decision.kind === 'granted' &&
      app.auth.landing(page(`/auth/callback?host=${host}`), decision.session);
    expect(landing).toMatchObject({ kind: 'redirect', location });
  });
});

describe('an OAuth grant', () => {
  it('leaves no secret in a log line, a message or an address', async () => {
    const app = createApp({
      token: () =>
        Response.json({ error: 'invalid_request', access_token: ACCESS_TOKEN }, { status: 400 }),
    });
    const begun = await begin(app);
    const decision = await app.auth.callback(back(app, begun));
    const told = JSON.stringify({ ...decision, headers: [] }) + app.lines.join('\n');
    for (const secret of [SECRET, CODE, ACCESS_TOKEN, begun.state])
      expect(told).not.toContain(secret);
  });
});
