import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { InstallationCheck } from '../../../lib/auth/lifecycle/installation-check.js';
import { AppDistribution } from '../../../lib/core/config/config.options.js';
import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import { AdminGraphqlClient } from '../../../lib/graphql-client/admin-graphql.client.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import type { Session } from '../../../lib/sessions/session.js';
import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { apiCaller } from '../../support/api-caller.js';
import { SHOP, appOptions } from '../../support/app.js';
import { json } from '../../support/scripted-fetch.js';
import { tokenManager } from '../../support/token-manager.js';
import { JumpingClock, Lines } from '../../webhooks/webhooks.fixture.js';
import { ofUser, offline } from './lifecycle.fixture.js';

const MINUTE = 60_000;
const OK = (): Response => json({ data: { shop: { id: 'gid://shopify/Shop/1' } } });
const answer = (status: number, body: unknown = { errors: 'no' }) => json(body, { status });
const refused = (): Response => answer(401);
const unreachable = (): never => {
  throw new TypeError('fetch failed');
};

interface Setup {
  readonly options?: Partial<PlatformOptions>;
  readonly storage?: SessionStorage;
  /** What the Admin API says to a token. */
  readonly toToken?: (token: string) => Response | Promise<Response>;
  /** What the token endpoint says. */
  readonly toRefresh?: () => Response;
}

/** The check of an app, over a platform that answers as the test says. */
class Checking {
  readonly clock = new JumpingClock();
  readonly lines = new Lines();
  readonly storage: SessionStorage;
  readonly told: string[] = [];
  /** The tokens the platform was asked with; `refresh` for what the token endpoint was asked. */
  readonly asked: string[] = [];
  readonly check: InstallationCheck;

  constructor({ options, storage, toToken = OK, toRefresh = refused }: Setup = {}) {
    const { clock } = this;
    const { logger } = this.lines;
    this.storage = storage ?? new MemorySessionStorage(clock);
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const isTokenEndpoint = String(url).includes('/oauth/');
      const token = new Headers(init?.headers).get('x-shopify-access-token') ?? '';
      this.asked.push(isTokenEndpoint ? 'refresh' : token);
      return isTokenEndpoint ? toRefresh() : toToken(token);
    };
    const config = resolveConfig(appOptions(options));
    const hooks = { onReauthorizationNeeded: () => void this.told.push('reauthorization') };
    const tokens = tokenManager({ config, clock, logger, storage: this.storage, fetch, hooks });
    const graphql = new AdminGraphqlClient(config, apiCaller(fetch, clock), logger);
    this.check = new InstallationCheck({
      config,
      clock,
      logger,
      storage: this.storage,
      tokens,
      graphql,
    });
  }

  /** With a token that lives for so many more minutes, and a refresh token. */
  expiring(accessToken: string, minutes: number): Session {
    const expires = new Date(this.clock.now().getTime() + minutes * MINUTE);
    return offline(accessToken, { expires, refreshToken: `refresh-${accessToken}` });
  }

  async of(...sessions: Session[]): Promise<string> {
    for (const session of sessions) await this.storage.storeSession(session);
    return this.check.of(SHOP);
  }
}

const granted = (accessToken: string) => (): Response =>
  json({
    access_token: accessToken,
    scope: 'write_products',
    expires_in: 3600,
    refresh_token: 'next',
    refresh_token_expires_in: 86_400,
  });

describe('InstallationCheck', () => {
  it.each([
    ['data', OK, 'installed'],
    [
      'errors of GraphQL',
      () => json({ errors: [{ message: 'Access denied', extensions: { code: 'ACCESS_DENIED' } }] }),
      'installed',
    ],
    ['401', refused, 'uninstalled'],
    ['402, of a frozen shop', () => answer(402), 'installed'],
    ['403', () => answer(403), 'installed'],
    ['423, of a locked shop', () => answer(423), 'installed'],
    ['404, which is said of a wrong address as well', () => answer(404), 'unknown'],
    ['400', () => answer(400), 'unknown'],
    ['429', () => answer(429), 'unknown'],
    ['430, to a caller that looks suspicious', () => answer(430), 'unknown'],
    ['500', () => answer(500), 'unknown'],
    ['503', () => answer(503), 'unknown'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://example.com/' } }),
      'unknown',
    ],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'unknown',
    ],
    ['nothing', unreachable, 'unknown'],
  ])('is told by %s', async (_, toToken, presence) => {
    const app = new Checking({ toToken });
    expect(await app.of(offline('token-1'))).toBe(presence);
    expect([app.asked, app.told]).toEqual([['token-1'], []]);
    expect(await app.storage.findSessionsByShop(SHOP)).toHaveLength(1);
  });

  it.each([
    ['has expired', -1],
    ['is about to expire', 2],
  ])('renews a token that %s before it asks with it, and keeps it', async (_, minutes) => {
    const app = new Checking({ toRefresh: granted('token-2') });
    expect(await app.of(app.expiring('token-1', minutes))).toBe('installed');
    expect(app.asked).toEqual(['refresh', 'token-2']);
    expect(await app.storage.loadSession(`offline_${SHOP}`)).toMatchObject({
      accessToken: 'token-2',
      refreshToken: 'next',
    });
  });

  it('takes a refusal to renew for an answer, and alarms nobody', async () => {
    const app = new Checking({ toRefresh: () => answer(400, { error: 'invalid_grant' }) });
    expect(await app.of(app.expiring('token-1', -1))).toBe('uninstalled');
    expect([app.asked, app.told]).toEqual([['refresh'], []]);
    expect(app.lines.matching('no longer renews')).toEqual([]);
  });

  it.each([
    ['that is not reached', unreachable],
    ['that fails', () => answer(500)],
    ['that takes the secret for wrong', () => answer(401, { error: 'invalid_client' })],
    ['whose answer is cut', () => json({ scope: 'write_products' })],
  ])('knows nothing from a token endpoint %s', async (_, toRefresh) => {
    const app = new Checking({ toRefresh });
    expect(await app.of(app.expiring('token-1', -1))).toBe('unknown');
    expect(app.lines.matching('did not say whether')).toHaveLength(1);
  });

  it('renews a fresh token that is refused, which can be replaced before its time', async () => {
    const toToken = (token: string): Response => (token === 'token-1' ? refused() : OK());
    const app = new Checking({ toToken, toRefresh: granted('token-2') });
    expect(await app.of(app.expiring('token-1', 50))).toBe('installed');
    expect(app.asked).toEqual(['token-1', 'refresh', 'token-2']);
  });

  it('believes the refusal of a fresh token when it cannot be renewed either', async () => {
    const app = new Checking({
      toToken: refused,
      toRefresh: () => answer(400, { error: 'invalid_grant' }),
    });
    expect(await app.of(app.expiring('token-1', 50))).toBe('uninstalled');
  });

  it('asks with what another process has put in the place of a token that never expires', async () => {
    const toToken = async (token: string): Promise<Response> => {
      if (token === 'token-2') return OK();
      await app.storage.storeSession(offline('token-2'));
      return refused();
    };
    const app: Checking = new Checking({ toToken });
    expect(await app.of(offline('token-1'))).toBe('installed');
    expect(app.asked).toEqual(['token-1', 'token-2']);
  });

  it.each([
    ['brings another', granted('token-2'), 'installed', ['refresh', 'token-2']],
    [
      'is refused for want of the app',
      () => answer(400, { error: 'app_not_installed' }),
      'uninstalled',
      ['refresh'],
    ],
    ['is not answered', () => answer(503), 'unknown', ['refresh', 'refresh', 'refresh', 'refresh']],
  ])(
    'asks for another token on the strength of the secret when the one of the organization has expired: it %s',
    async (...row) => {
      const [, toRefresh, presence, asked] = row;
      const app = new Checking({ toRefresh });
      const expires = new Date(app.clock.now().getTime() - MINUTE);
      expect([await app.of(offline('token-1', { expires })), app.asked]).toEqual([presence, asked]);
    },
  );

  it('asks with users’ tokens where there are no others, and one that is accepted is enough', async () => {
    const app = new Checking({ toToken: (token) => (token === 'token-3' ? OK() : refused()) });
    const users = [1, 2, 3].map((user) => ofUser(user, `token-${user}`));
    expect(await app.of(...users)).toBe('installed');
    expect([...app.asked].sort()).toEqual(['token-1', 'token-2', 'token-3']);
  });

  it('knows nothing when one user’s token is refused and another’s is not answered', async () => {
    const app = new Checking({
      toToken: (token) => (token === 'token-2' ? answer(503) : refused()),
    });
    expect(await app.of(ofUser(1, 'token-1'), ofUser(2, 'token-2'))).toBe('unknown');
  });

  it('asks with the tokens of five users at most', async () => {
    const app = new Checking({ toToken: refused });
    expect(
      await app.of(...Array.from({ length: 20 }, (_, user) => ofUser(user, `token-${user}`))),
    ).toBe('uninstalled');
    expect(new Set(app.asked).size).toBe(5);
  });

  it('has the word of nobody when no token is left to ask with', async () => {
    const app = new Checking();
    const expires = new Date(app.clock.now().getTime() - MINUTE);
    const user = ofUser(1, 'token-1');
    user.expires = expires;
    expect(await app.of()).toBe('uninstalled');
    expect(await app.of(user, offline(''))).toBe('uninstalled');
    expect(app.asked).toEqual([]);
  });

  it('does without a session whose key is lost, and asks with one that it can open', async () => {
    const inner = new MemorySessionStorage();
    const under = (id: string) =>
      new EncryptedSessionStorage(inner, { keys: [{ id, key: randomBytes(32) }] });
    await under('lost').storeSession(offline('token-1'));
    const storage = under('new');
    const app = new Checking({ storage });
    expect([await app.of(), app.asked]).toEqual(['uninstalled', []]);
    expect([await app.of(ofUser(1, 'token-2')), app.asked]).toEqual(['installed', ['token-2']]);
  });

  it('fails when the storage fails', async () => {
    class Broken extends MemorySessionStorage {
      override findSessionsByShop(): Promise<Session[]> {
        return Promise.reject(new Error('no database'));
      }
    }
    await expect(new Checking({ storage: new Broken() }).of()).rejects.toThrow('no database');
  });

  it.each([
    ['accepted', OK, 'installed'],
    ['refused', refused, 'uninstalled'],
  ])('asks with the fixed token of a custom app, which is %s', async (_, toToken, presence) => {
    const options = {
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_fixed_0123456789',
    };
    const app = new Checking({ options, toToken });
    expect([await app.of(), app.asked]).toEqual([presence, ['shpat_fixed_0123456789']]);
  });
});
