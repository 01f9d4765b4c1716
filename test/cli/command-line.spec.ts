import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';

import { run } from '../../lib/cli/command-line.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { Session } from '../../lib/sessions/session.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import { stage } from './apps/stage.js';

const SHOPS = ['a-shop.myshopify.com', 'b-shop.myshopify.com', 'c-shop.myshopify.com'];
const EXPRESS = fileURLToPath(new URL('./apps/express.app.ts', import.meta.url));
const COMPILED = fileURLToPath(new URL('./apps/compiled.app.ts', import.meta.url));
const NEST = fileURLToPath(new URL('./apps/nest.app.ts', import.meta.url));

let store: DevStore;

beforeEach(async () => {
  store = await DevStore.open({
    shops: SHOPS,
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  stage.shopOrigin = store.shopOrigin;
  stage.closed = 0;
  for (const shop of SHOPS) {
    const accessToken = store.shop(shop).install(API_KEY, { scopes: ['write_products'] });
    await stage.storage.storeSession(
      new Session({
        id: `offline_${shop}`,
        shop,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken,
      }),
    );
  }
});
afterEach(async () => {
  for (const shop of SHOPS) await stage.storage.deleteSession(`offline_${shop}`);
  await store.close();
});

const command = (...args: string[]) => commandUntil(undefined, ...args);

async function commandUntil(
  signal: AbortSignal | undefined,
  ...args: string[]
): Promise<{ code: number; out: string[]; err: string }> {
  const written = { out: '', err: '' };
  const code = await run(
    args,
    {
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
    },
    signal,
  );
  return { code, out: written.out.trimEnd().split('\n'), err: written.err };
}

const refreshTokens = (): Promise<boolean[]> =>
  Promise.all(
    SHOPS.map(async (shop) =>
      Boolean((await stage.storage.loadSession(`offline_${shop}`))?.refreshToken),
    ),
  );

describe('shopwright migrate-tokens', () => {
  it('tells what it would do, and does nothing', async () => {
    expect(await command('migrate-tokens', EXPRESS)).toEqual({
      code: 0,
      out: [
        `Tokens of the app with the client id ${API_KEY}:`,
        ...SHOPS.map((shop) => `offline_${shop} eligible`),
        '3 can be migrated, 0 have nothing to migrate. Nothing was changed: repeat with --apply to do it.',
      ],
      err: '',
    });
    expect([await refreshTokens(), stage.closed]).toEqual([[false, false, false], 1]);
  });

  it.each([
    ['an app of a facade', EXPRESS, []],
    ['an app that was compiled to CommonJS', COMPILED, []],
    ['a Nest module', `${NEST}#AppModule`, []],
    ['a named app of a Nest module', `${NEST}#NamedModule`, ['--app', 'b']],
    ['the unnamed one of two apps in a Nest module', `${NEST}#TwoApps`, []],
  ])('migrates the tokens of %s, and passes over those that are done', async (_, target, more) => {
    const first = await command(
      'migrate-tokens',
      target,
      '--apply',
      '--after',
      `offline_${SHOPS[0]}`,
      ...more,
    );
    expect(first).toMatchObject({
      code: 0,
      out: expect.arrayContaining(['2 migrated, 0 had nothing to migrate, 0 failed.']),
    });
    expect(await refreshTokens()).toEqual([false, true, true]);
    const second = await command(
      'migrate-tokens',
      target,
      '--apply',
      '--concurrency',
      '1',
      ...more,
    );
    expect(second.out).toEqual([
      `Tokens of the app with the client id ${API_KEY}:`,
      `offline_${SHOPS[0]} migrated`,
      `offline_${SHOPS[1]} skipped`,
      `offline_${SHOPS[2]} skipped`,
      '1 migrated, 2 had nothing to migrate, 0 failed.',
    ]);
  });

  it('goes on after a shop that fails, and fails in the end', async () => {
    store.shop(SHOPS[1]!).revokeTokens(API_KEY);
    const { code, out, err } = await command('migrate-tokens', EXPRESS, '--apply');
    expect([code, err]).toEqual([1, '']);
    expect(out).toEqual([
      expect.stringContaining(API_KEY),
      `offline_${SHOPS[0]} migrated`,
      expect.stringMatching(new RegExp(`^offline_${SHOPS[1]} failed: .+`)),
      `offline_${SHOPS[2]} migrated`,
      '2 migrated, 0 had nothing to migrate, 1 failed.',
      expect.stringContaining('Repeat'),
    ]);
  });

  it('ends after what is under way when it is interrupted, and says where to go on', async () => {
    const interruption = new AbortController();
    store.shop(SHOPS[0]!).onTokenRequest = (_, answer) => {
      interruption.abort();
      return answer();
    };
    const { code, out } = await commandUntil(
      interruption.signal,
      'migrate-tokens',
      EXPRESS,
      '--apply',
      '--concurrency',
      '1',
    );
    expect(await refreshTokens()).toEqual([true, false, false]);
    expect([code, out.slice(1)]).toEqual([
      1,
      [
        `offline_${SHOPS[0]} migrated`,
        '1 migrated, 0 had nothing to migrate, 0 failed.',
        `Broken off. Go on with --after offline_${SHOPS[0]}`,
      ],
    ]);
  });

  it('has nothing to go on with when it is interrupted at the last shop', async () => {
    const interruption = new AbortController();
    store.shop(SHOPS[2]!).onTokenRequest = (_, answer) => {
      interruption.abort();
      return answer();
    };
    const { code, out } = await commandUntil(
      interruption.signal,
      'migrate-tokens',
      EXPRESS,
      '--apply',
      '--concurrency',
      '1',
    );
    expect([code, out.at(-1)]).toEqual([0, '3 migrated, 0 had nothing to migrate, 0 failed.']);
  });

  it.each<[string, number, RegExp, string[]]>([
    ['without a command', 2, /A command is missing[^]*Usage: /, []],
    ['with an unknown command', 2, /no command "migrate"[^]*Usage: /, ['migrate', EXPRESS]],
    ['without a module', 2, /The module .* is missing/, ['migrate-tokens']],
    ['with too much', 2, /What is "more"\?/, ['migrate-tokens', EXPRESS, 'more']],
    ['with an unknown option', 2, /--now[^]*Usage: /, ['migrate-tokens', EXPRESS, '--now']],
    [
      'with a number that is none',
      2,
      /--concurrency must be/,
      ['migrate-tokens', EXPRESS, '--concurrency', '0'],
    ],
    [
      'with a file that is not there',
      1,
      /ERR_APP_NOT_FOUND: nowhere\.js could not be loaded/,
      ['migrate-tokens', 'nowhere.js'],
    ],
    [
      'with a module that exports several',
      1,
      /several apps[^]*#AppModule, [^]*#NamedModule/,
      ['migrate-tokens', NEST],
    ],
    [
      'with an export that is not there',
      1,
      /no app called "Nothing"/,
      ['migrate-tokens', `${NEST}#Nothing`],
    ],
    [
      'with a Nest module without the toolkit',
      1,
      /has no PlatformModule/,
      ['migrate-tokens', `${NEST}#OtherModule`],
    ],
    [
      'with an app that is not there',
      1,
      /no app called "c"/,
      ['migrate-tokens', `${NEST}#AppModule`, '--app', 'c'],
    ],
    [
      'with the name of an app beside a facade',
      2,
      /it is one app/,
      ['migrate-tokens', EXPRESS, '--app', 'b'],
    ],
  ])('called %s says what is wrong', async (_, code, message, args) => {
    expect(await command(...args)).toEqual({
      code,
      out: [''],
      err: expect.stringMatching(message),
    });
  });

  it('explains itself', async () => {
    expect(await command('--help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.arrayContaining([expect.stringContaining('--apply')]),
    });
  });
});
