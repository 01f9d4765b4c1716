import { randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { TokenMigration } from '../../../lib/auth/tokens/token-migration.js';
import type {
  MigratedShop,
  TokenMigrationOptions,
  TokenMigrationSummary,
} from '../../../lib/auth/tokens/token-migration.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import type { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { createApp, offlineSession, offlineToken } from '../auth.fixture.js';
import type { App, Call } from '../auth.fixture.js';
import { inMinutes } from './cluster.js';

const shopOf = (number: number): string => `shop-${String(number).padStart(3, '0')}.myshopify.com`;
const shopIn = ({ url }: Call): string => new URL(url).hostname;

/** An app that was installed by so many shops when tokens did not expire. */
async function appOf(
  shops: number,
  token?: (call: Call) => Response | Promise<Response>,
): Promise<App> {
  const app = createApp({
    token:
      token ??
      (() =>
        offlineToken({
          access_token: 'shpat_new',
          expires_in: 3600,
          refresh_token: 'shprt_1',
          refresh_token_expires_in: 7200,
        })),
  });
  for (let number = 0; number < shops; number++)
    await app.storage.storeSession(offlineSession({ shop: shopOf(number), state: 'kept' }));
  return app;
}

async function run(
  app: App,
  options: TokenMigrationOptions = {},
): Promise<{ summary: TokenMigrationSummary; results: MigratedShop[] }> {
  const results: MigratedShop[] = [];
  const migration = new TokenMigration(app.storage, app.tokens);
  const summary = await migration.run({
    onShop: (result) => void results.push(result),
    ...options,
  });
  return { summary, results };
}

const stored = (app: App, number: number): Promise<Session | undefined> =>
  app.storage.loadSession(`offline_${shopOf(number)}`);

describe('the migration of tokens', () => {
  it('asks nobody and changes nothing unless it is told to', async () => {
    const app = await appOf(3);
    const { summary } = await run(app);
    expect(summary).toEqual({
      eligible: 3,
      migrated: 0,
      skipped: 0,
      failed: 0,
      lastId: `offline_${shopOf(2)}`,
      isComplete: true,
    });
    expect([app.calls, (await stored(app, 0))?.expires]).toEqual([[], undefined]);
  });

  it('replaces every token that never expires, page after page, in the order of ids', async () => {
    const app = await appOf(250);
    const { summary, results } = await run(app, { apply: true });
    expect(summary).toEqual({
      eligible: 0,
      migrated: 250,
      skipped: 0,
      failed: 0,
      lastId: `offline_${shopOf(249)}`,
      isComplete: true,
    });
    expect(results.map(({ shop }) => shop)).toEqual(
      Array.from({ length: 250 }, (_, number) => shopOf(number)),
    );
    await expect(stored(app, 7)).resolves.toMatchObject({
      accessToken: 'shpat_new',
      expires: inMinutes(60),
      refreshToken: 'shprt_1',
      refreshTokenExpires: inMinutes(120),
      state: 'kept',
    });
    expect((await run(app, { apply: true })).summary).toMatchObject({ migrated: 0, skipped: 250 });
    expect(app.calls).toHaveLength(250);
  });

  it('leaves alone what expires, what has no token, and users', async () => {
    const app = await appOf(0);
    await app.storage.storeSession(offlineSession({ shop: shopOf(1), expires: inMinutes(30) }));
    await app.storage.storeSession(offlineSession({ shop: shopOf(2), accessToken: '' }));
    await app.storage.storeSession(
      offlineSession({ shop: shopOf(3), id: `${shopOf(3)}_42`, isOnline: true }),
    );
    expect((await run(app, { apply: true })).summary).toMatchObject({ migrated: 0, skipped: 2 });
    expect(app.calls).toEqual([]);
  });

  it('goes on after a shop that fails', async () => {
    const app = await appOf(10, (call) =>
      shopIn(call) === shopOf(4)
        ? Response.json({ error: 'invalid_subject_token' }, { status: 400 })
        : offlineToken({ access_token: 'shpat_new', expires_in: 3600, refresh_token: 'shprt_1' }),
    );
    const { summary, results } = await run(app, { apply: true, concurrency: 3 });
    expect(summary).toMatchObject({ migrated: 9, failed: 1 });
    expect(results[4]).toMatchObject({
      shop: shopOf(4),
      outcome: 'failed',
      error: expect.any(Error),
    });
    await expect(stored(app, 4)).resolves.toMatchObject({
      accessToken: offlineSession().accessToken,
    });
  });

  it.each<[string, TokenMigrationOptions]>([
    ['that it finds', {}],
    ['that are named', { shops: [2, 1, 0].map(shopOf) }],
  ])('goes on after a session whose key is lost, among the shops %s', async (_, options) => {
    const inner = new MemorySessionStorage();
    const under = (id: string) =>
      new EncryptedSessionStorage(inner, { keys: [{ id, key: randomBytes(32) }] });
    const app = createApp({
      storage: under('new'),
      token: () => offlineToken({ expires_in: 3600, refresh_token: 'shprt_1' }),
    });
    const lost = under('lost');
    for (const number of [0, 1, 2])
      await (number === 1 ? lost : app.storage).storeSession(
        offlineSession({ shop: shopOf(number) }),
      );
    for (const [apply, outcome] of [
      [false, 'eligible'],
      [true, 'migrated'],
      [true, 'skipped'],
    ] as const) {
      const { results } = await run(app, { ...options, apply });
      expect(results.map((result) => result.outcome)).toEqual([outcome, 'failed', outcome]);
      expect(results[1]).toMatchObject({
        shop: shopOf(1),
        error: { code: 'ERR_SESSION_ENCRYPTION' },
      });
    }
  });

  it('goes on where an earlier run was broken off', async () => {
    const app = await appOf(10);
    const broken: string[] = [];
    const onShop = ({ id }: MigratedShop): void => {
      broken.push(id);
      if (broken.length === 4) throw new Error('enough');
    };
    await expect(run(app, { apply: true, concurrency: 2, onShop })).rejects.toThrow('enough');
    const { summary } = await run(app, { apply: true, after: broken.at(-1) });
    // One more was under way when the run was broken off.
    expect(summary).toMatchObject({ migrated: 5, skipped: 1 });
  });

  it('ends when it is told to', async () => {
    const app = await appOf(10);
    const over = new AbortController();
    const { summary } = await run(app, {
      apply: true,
      concurrency: 2,
      signal: over.signal,
      onShop: () => over.abort(),
    });
    expect(summary).toMatchObject({
      migrated: 2,
      lastId: `offline_${shopOf(1)}`,
      isComplete: false,
    });
  });

  it('asks for no more shops at once than it may', async () => {
    let now = 0;
    let most = 0;
    const app = await appOf(20, async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return offlineToken({ expires_in: 3600, refresh_token: 'shprt_1' });
    });
    await run(app, { apply: true, concurrency: 5 });
    expect(most).toBe(5);
    await expect(run(app, { concurrency: 0 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });

  it('takes the shops that are named, whatever the storage can list', async () => {
    const app = await appOf(5);
    const { storage } = app;
    Object.defineProperty(storage, 'listSessions', { value: undefined });
    await expect(run(app)).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining('name the shops'),
    });
    const { results } = await run(app, { apply: true, shops: [shopOf(3), shopOf(1), shopOf(9)] });
    expect(results.map(({ shop, outcome }) => [shop, outcome])).toEqual([
      [shopOf(1), 'migrated'],
      [shopOf(3), 'migrated'],
      [shopOf(9), 'skipped'],
    ]);
  });
});
