import { afterEach, describe, expect, it } from '@jest/globals';

import { API_KEY, SHOP as OTHER } from '../support/app.js';
import { reloadIn } from '../support/bounced.js';
import {
  SHOP,
  createApp,
  inbound,
  offlineSession,
  page,
  sessionCookieFor,
} from '../auth/auth.fixture.js';
import type { App } from '../auth/auth.fixture.js';
import { openApp } from './express/express.fixture.js';
import { Visited, WIRINGS } from './heal.fixture.js';
import type { Setup } from './heal.fixture.js';

const EMBEDDED: Setup = { isEmbeddedApp: true, useOnlineTokens: false };
const RETRY = 'x-shopify-retry-invalid-session-request';

// A token that was revoked, in a shop that gives no other: every request failed with 500.
describe.each(WIRINGS)(
  'a request whose token is refused while the app works, on $name',
  (wiring) => {
    const isRemix = wiring.name === 'Remix' || wiring.name === 'React Router';
    let visited: Visited;
    afterEach(() => visited.close());

    /** An app whose stored token is revoked, in a shop that exchanges no session token. */
    const refused = async (error: string): Promise<Visited> => {
      visited = await Visited.open(wiring, EMBEDDED);
      await visited.install();
      visited.shop.revokeTokens(API_KEY);
      visited.refuseTokens(error);
      return visited;
    };
    const stored = async (): Promise<unknown> =>
      (await visited.storage.loadSession(`offline_${visited.shop.domain}`))?.accessToken;

    it('loads a page again with another session token, at an address without the refused one', async () => {
      await refused('invalid_subject_token');
      const url = visited.shop.embeddedUrl(API_KEY, '/page');
      const response = await visited.send(url, { accept: 'text/html', 'sec-fetch-dest': 'iframe' });
      const reload = await reloadIn(response, url);
      expect(reload?.pathname).toBe('/page');
      expect(reload?.searchParams.get('id_token')).toBeNull();
      expect(response.status).toBe(wiring.name.startsWith('Express') ? 200 : 302);
    });

    it('is answered with 401 when it is a fetch, and App Bridge may repeat it', async () => {
      await refused('invalid_subject_token');
      const response = await visited.sendFetch();
      expect([response.status, response.headers.get(RETRY)]).toEqual([401, isRemix ? null : '1']);
    });

    it.each(['invalid_subject_token', 'app_not_installed'])(
      'removes the stored token when the platform answers %s, and the next request has another',
      async (error) => {
        await refused(error);
        await visited.sendFetch();
        expect(await stored()).toBeUndefined();
        visited.refuseTokens(undefined);
        expect(await visited.fetch()).toBe(visited.shop.name);
      },
    );

    it('keeps the stored token while the platform does not say that it gives no other', async () => {
      await refused('invalid_subject_token');
      const before = await stored();
      visited.refuseTokens('cut');
      await visited.sendFetch();
      expect(await stored()).toBe(before);
    });

    // A secret that was deployed wrongly, or a firewall, ended the tokens of every shop that came by.
    it.each(['invalid_client', 'cut'])(
      'keeps the stored token when the token endpoint answers %s',
      async (error) => {
        await refused(error);
        const before = await stored();
        await visited.sendFetch();
        expect(await stored()).toBe(before);
      },
    );

    it('never says that a request of one shop was one of another', async () => {
      await refused('invalid_subject_token');
      expect(visited.shop.domain).not.toBe(OTHER);
      const response = await visited.sendFetch(`/page?shop=${OTHER}`);
      expect(response.status).toBe(403);
      expect(await stored()).toBeDefined();
    });
  },
);

describe('an error of a token that is not that of the request', () => {
  // Every 401 of the same shop began OAuth, again and again.
  it('goes on to the app: the request is not answered for it', async () => {
    const app = await openApp((routes, shopify) => {
      routes.get('/page', shopify.validateAuthenticatedSession(), async (_req, res) => {
        const { shop } = res.locals.shopify.session;
        const session = { shop, accessToken: 'shpat_of_somebody_else' };
        res.json(await new shopify.api.clients.Graphql({ session }).request('{ shop { name } }'));
      });
    });
    try {
      await app.install();
      const authorization = `Bearer ${app.shop.sessionToken(API_KEY)}`;
      const response = await app.send('/page', { headers: { authorization } });
      expect([response.status, await response.json()]).toEqual([
        500,
        { thrown: 'AuthenticationError' },
      ]);
    } finally {
      await app.close();
    }
  });
});

it('asks the platform a few times at most about a shop, however many load its pages at once', async () => {
  const app = createApp({ token: () => Response.json({ data: { shop: { id: '1' } } }) });
  await app.storage.storeSession(offlineSession());
  const visit = (): Promise<unknown> =>
    app.auth.authenticateAdmin(inbound(`/?shop=${SHOP}`, { 'sec-fetch-dest': 'document' }));
  await visit();
  await Promise.all(Array.from({ length: 100 }, visit));
  expect(app.calls.length).toBeLessThanOrEqual(10);
});

describe('a session that nothing can renew', () => {
  const refusing = (isEmbeddedApp: boolean): App =>
    createApp({
      options: { isEmbeddedApp },
      token: () => Response.json({ errors: 'revoked' }, { status: 401 }),
    });
  const stored = async (app: App): Promise<unknown> =>
    (await app.storage.loadSession(`offline_${SHOP}`))?.accessToken;

  it.each([
    [
      'of a request with a cookie',
      false,
      async (app: App) => {
        const cookie = sessionCookieFor(app, `${app.clock.seconds}.offline_${SHOP}`);
        const decision = await app.auth.authenticateAdmin(page(`/?shop=${SHOP}`, { cookie }));
        return decision.kind === 'granted' ? decision.admin : undefined;
      },
    ],
    [
      'of background work',
      true,
      async (app: App) => app.clients.for(await app.tokens.session(SHOP)).admin,
    ],
  ])('ends with the call that is refused, and asks for no other token: %s', async (_, ...of) => {
    const [isEmbeddedApp, adminOf] = of;
    const app = refusing(isEmbeddedApp);
    await app.storage.storeSession(offlineSession());
    const admin = await adminOf(app);
    await expect(admin?.graphql('{ shop { name } }')).rejects.toMatchObject({
      name: 'AuthenticationError',
    });
    expect(app.calls.map(({ url }) => new URL(url).pathname)).toEqual([
      '/admin/api/2026-01/graphql.json',
    ]);
    expect(await stored(app)).toBeUndefined();
  });
});
