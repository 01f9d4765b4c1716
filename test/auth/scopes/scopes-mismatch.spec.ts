import { describe, expect, it } from '@jest/globals';

import { problemsInAuth } from '../../../lib/auth/auth.options.js';
import type {
  ScopesMismatchContext,
  ScopesMismatchHook,
} from '../../../lib/auth/scopes/scopes-mismatch.js';
import type { InboundRequest } from '../../../lib/core/http/inbound-request.js';
import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import {
  HOST,
  SHOP,
  cookiesAfter,
  createApp,
  offlineSession,
  offlineToken,
  page,
  query,
  script,
  sessionCookieFor,
  sessionToken,
  signedQuery,
} from '../auth.fixture.js';
import type { App, AppSetup } from '../auth.fixture.js';
import { inMinutes } from '../tokens/cluster.js';

const MINUTE = 60_000;
const WANTING = { options: { scopes: ['write_products', 'read_orders'] } };
const FRAME = query({ shop: SHOP, host: HOST, embedded: '1' });
const less = (): Response => offlineToken({ access_token: 'shpat_fresh' });

/** An app that asks for more than its shop has granted. */
async function lacking(
  onScopesMismatch: ScopesMismatchHook,
  setup: AppSetup = {},
  more = {},
): Promise<App> {
  const app = createApp({
    token: less,
    ...setup,
    hooks: { onScopesMismatch },
    options: { ...WANTING.options, ...setup.options },
  });
  await app.storage.storeSession(offlineSession(more));
  return app;
}

const REQUESTS: Record<string, (app: App) => InboundRequest> = {
  fetch: ({ clock }) => script('/api', sessionToken(clock)),
  iframe: ({ clock }) =>
    page(`/?${FRAME}&id_token=${sessionToken(clock)}`, { 'sec-fetch-dest': 'iframe' }),
  'page with a cookie': (app) =>
    page(`/?shop=${SHOP}`, {
      cookie: sessionCookieFor(app, `${app.clock.seconds}.offline_${SHOP}`),
    }),
};
const optionsFor = (kind: string): AppSetup =>
  kind === 'page with a cookie' ? { options: { isEmbeddedApp: false } } : {};

describe.each(Object.keys(REQUESTS))('a session that lacks scopes, of a %s', (kind) => {
  const request = REQUESTS[kind]!;

  it('goes on when the app says so, each time', async () => {
    const seen: ScopesMismatchContext[] = [];
    const app = await lacking((context) => (seen.push(context), 'continue'), optionsFor(kind));
    for (let count = 0; count < 3; count++) {
      await expect(app.auth.authenticateAdmin(request(app))).resolves.toMatchObject({
        kind: 'granted',
        session: { shop: SHOP },
      });
    }
    expect(
      seen.map(({ shop, missing, session, admin }) => [
        shop,
        missing,
        session.scope,
        typeof admin.graphql,
      ]),
    ).toEqual(
      Array.from({ length: 3 }, () => [SHOP, ['read_orders'], 'write_products', 'function']),
    );
  });

  it.each<[string, ScopesMismatchHook | undefined]>([
    ['without a hook', undefined],
    ['when the hook says so', () => 'request'],
    ['when the hook says nothing', async () => undefined],
  ])('is sent to the consent page %s', async (_, hook) => {
    const app = await lacking(hook!, optionsFor(kind));
    const decision = await app.auth.authenticateAdmin(request(app));
    expect(decision).toMatchObject(
      { fetch: { status: 403, reason: 'scopes_changed' }, iframe: { reason: 'exit_iframe' } }[
        kind
      ] ?? { reason: 'begin_oauth' },
    );
  });

  it('is answered with what the hook throws', async () => {
    const answer = new Response(null, { status: 302, headers: { location: '/permissions' } });
    const app = await lacking(() => Promise.reject(answer), optionsFor(kind));
    await expect(app.auth.authenticateAdmin(request(app))).resolves.toMatchObject({
      kind: 'redirect',
      location: '/permissions',
    });
  });

  it('is refused when the hook fails', async () => {
    const app = await lacking(() => Promise.reject(new Error('no')), optionsFor(kind));
    await expect(app.auth.authenticateAdmin(request(app))).resolves.toMatchObject({
      status: 500,
      reason: 'scopes_mismatch_failed',
    });
    expect(app.lines).toContainEqual(expect.stringMatching(/hooks.onScopesMismatch failed/));
  });
});

describe('an app that goes on without scopes', () => {
  // Once a minute it was given a fresh token, and `hooks.afterAuth` ran.
  it('does not ask the platform for more as long as its token is good', async () => {
    const app = await lacking(() => 'continue');
    for (let count = 0; count < 3; count++) {
      await app.auth.authenticateAdmin(REQUESTS['fetch']!(app));
      app.clock.advance(2 * MINUTE);
    }
    expect(app.calls).toEqual([]);
    await expect(app.records.of(SHOP)).resolves.toBeUndefined();
  });

  it.each([
    ['is about to expire', 4],
    ['has expired', -1],
  ])('has a token renewed that %s', async (_, minutes) => {
    const app = await lacking(() => 'continue', {
      token: () => offlineToken({ access_token: 'shpat_fresh', expires_in: 3600 }),
    });
    await app.auth.authenticateAdmin(REQUESTS['fetch']!(app));
    const expires = new Date(app.clock.now().getTime() + minutes * MINUTE);
    await app.storage.storeSession(offlineSession({ accessToken: 'shpat_old', expires }));
    await expect(app.auth.authenticateAdmin(REQUESTS['fetch']!(app))).resolves.toMatchObject({
      session: { accessToken: 'shpat_fresh' },
    });
    expect(app.calls).toHaveLength(1);
  });

  it('is not asked when the token is due and a fresh one has all of them', async () => {
    const setup = { token: () => offlineToken({ scope: 'write_products,read_orders' }) };
    const app = await lacking(() => Promise.reject(new Error('asked')), setup, {
      expires: inMinutes(4),
    });
    await expect(app.auth.authenticateAdmin(REQUESTS['fetch']!(app))).resolves.toMatchObject({
      kind: 'granted',
    });
  });

  it('is asked about a token as well that is about to expire and cannot be renewed', async () => {
    const down = { token: () => new Response('down', { status: 503 }) };
    const answers: ('continue' | 'request')[] = ['continue', 'request'];
    const app = await lacking(() => answers.shift(), down, { expires: inMinutes(4) });
    const decide = () => app.auth.authenticateAdmin(REQUESTS['fetch']!(app));
    await expect(decide()).resolves.toMatchObject({ kind: 'granted' });
    await expect(decide()).resolves.toMatchObject({ status: 403, reason: 'scopes_changed' });
  });

  it('lets a page of an installed shop through that brings no session token', async () => {
    const app = await lacking(() => 'continue');
    await expect(app.auth.ensureInstalled(page(`/?${FRAME}`))).resolves.toMatchObject({
      kind: 'granted',
    });
    await expect(
      app.auth.ensureInstalled(page(`/?${FRAME}`, { 'sec-fetch-dest': 'iframe' })),
    ).resolves.toMatchObject({ kind: 'granted' });
  });

  it('has a page outside of the admin opened inside, where it is asked', async () => {
    const target = page(`/products?${query({ shop: SHOP, host: HOST })}`);
    const asked = await lacking(() => 'request');
    await expect(asked.auth.authenticateAdmin(target)).resolves.toMatchObject({
      reason: 'embed_app',
    });
    const silent = await lacking(undefined!);
    await expect(silent.auth.authenticateAdmin(target)).resolves.toMatchObject({
      reason: 'begin_oauth',
    });
  });
});

describe('a shop that grants less on the consent page', () => {
  const callback = async (onScopesMismatch?: ScopesMismatchHook) => {
    const app = createApp({ ...WANTING, token: less, hooks: { onScopesMismatch } });
    const begun = await app.auth.begin(page(`/auth?shop=${SHOP}`));
    const state =
      new URL(begun.kind === 'redirect' ? begun.location : '').searchParams.get('state') ?? '';
    const signed = signedQuery({
      code: 'c0de',
      host: HOST,
      shop: SHOP,
      state,
      timestamp: String(app.clock.seconds),
    });
    return app.auth.callback(
      page(`/auth/callback?${signed}`, { cookie: cookiesAfter(begun.headers) }),
    );
  };

  it('is let in when the app goes on without', async () => {
    await expect(callback(() => 'continue')).resolves.toMatchObject({
      kind: 'granted',
      session: { scope: 'write_products' },
    });
  });

  it.each<[string, ScopesMismatchHook | undefined]>([
    ['without a hook', undefined],
    ['when the app wants to ask again: that would go on for ever', () => 'request'],
  ])('is refused %s', async (_, hook) => {
    await expect(callback(hook)).resolves.toMatchObject({
      status: 403,
      reason: 'scopes_not_granted',
    });
  });

  it('is answered with what the hook throws, and keeps its session', async () => {
    const decision = await callback(() => Promise.reject(new Response('please', { status: 403 })));
    expect(decision).toMatchObject({ kind: 'document', status: 403, html: 'please' });
  });
});

describe('hooks.onScopesMismatch', () => {
  it('has to be a function', () => {
    const problems = problemsInAuth({
      hooks: { onScopesMismatch: 'continue' as unknown as ScopesMismatchHook },
    });
    expect(problems).toEqual([{ option: 'hooks.onScopesMismatch', message: 'must be a function' }]);
    expect(new InvalidOptionsError(problems).message).toContain('hooks.onScopesMismatch');
  });
});
