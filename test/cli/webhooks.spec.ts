import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { run } from '../../lib/cli/command-line.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import { offlineSession } from '../support/offline-session.js';
import { stage } from './apps/stage.js';

const SHOPS = ['a-shop.myshopify.com', 'b-shop.myshopify.com', 'c-shop.myshopify.com'] as const;
const [A, B, C] = SHOPS;
const APP = fileURLToPath(new URL('./apps/webhooks.app.ts', import.meta.url));
const NEST = fileURLToPath(new URL('./apps/nest.app.ts', import.meta.url));
const TITLE = `Webhook subscriptions of the app with the client id ${API_KEY}:`;
const SHOWN = 'https://[redacted]@elsewhere.example/hooks?key=[redacted]&x=[redacted]';

let store: DevStore;
let folder: string;
const tokens: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-cli-'));
  store = await DevStore.open({
    shops: SHOPS,
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  stage.shopOrigin = store.shopOrigin;
  for (const shop of SHOPS) {
    const accessToken = store.shop(shop).install(API_KEY, { scopes: ['write_products'] });
    tokens.push(accessToken);
    await stage.storage.storeSession(offlineSession({ id: `offline_${shop}`, shop, accessToken }));
  }
});
afterEach(async () => {
  for (const shop of SHOPS) await stage.storage.deleteSession(`offline_${shop}`);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const command = (...args: string[]) => commandUntil(undefined, ...args);

async function commandUntil(
  signal: AbortSignal | undefined,
  ...args: string[]
): Promise<{ code: number; out: string[]; err: string[] }> {
  const written = { out: '', err: '' };
  const code = await run(
    args,
    {
      stdout: { write: (text: string) => (written.out += text) },
      stderr: { write: (text: string) => (written.err += text) },
    },
    signal,
  );
  const everything = written.out + written.err;
  for (const secret of [...tokens, API_SECRET, 'hidden-']) expect(everything).not.toContain(secret);
  const lines = (text: string): string[] => (text === '' ? [] : text.trimEnd().split('\n'));
  return { code, out: lines(written.out), err: lines(written.err) };
}

const subscriptionsOf = (shop: string): number => store.shop(shop).subscriptions.length;

/** Interrupts the command as soon as the shop has its subscriptions. */
function interruptAfter(shop: string): AbortSignal {
  const interruption = new AbortController();
  const session = stage.storage.loadSession.bind(stage.storage);
  stage.storage.loadSession = async (id) => {
    if (id === `offline_${shop}`) {
      interruption.abort();
      stage.storage.loadSession = session;
    }
    return session(id);
  };
  return interruption.signal;
}

describe('shopwright webhooks', () => {
  it('shows what it would do with each kind of subscription, and does nothing', async () => {
    expect(await command('webhooks', 'plan', APP, '--shop', A)).toEqual({
      code: 0,
      out: [
        TITLE,
        `${A} due`,
        `  create PRODUCTS_CREATE ${APP_URL}/hooks`,
        '  create PRODUCTS_UPDATE pubsub://project:topic',
        `  create PRODUCTS_DELETE ${SHOWN}`,
        '1 to be changed, 0 as declared, 0 failed. Nothing was changed: webhooks apply does it.',
      ],
      err: [],
    });
    expect(subscriptionsOf(A)).toBe(0);
  });

  it('does it for named shops or for all, and leaves alone what is as declared', async () => {
    const created = [
      `  create PRODUCTS_CREATE ${APP_URL}/hooks`,
      '  create PRODUCTS_UPDATE pubsub://project:topic',
      `  create PRODUCTS_DELETE ${SHOWN}`,
    ];
    expect(await command('webhooks', 'apply', APP, '--shop', B, '--shop', A)).toMatchObject({
      code: 0,
      out: [
        TITLE,
        `${A} changed`,
        ...created,
        `${B} changed`,
        ...created,
        '2 changed, 0 as declared, 0 failed.',
      ],
    });
    expect(await command('webhooks', 'apply', APP, '--all')).toMatchObject({
      code: 0,
      out: [
        TITLE,
        `${A} unchanged`,
        `${B} unchanged`,
        `${C} changed`,
        ...created,
        '1 changed, 2 as declared, 0 failed.',
      ],
    });
    expect(SHOPS.map(subscriptionsOf)).toEqual([3, 3, 3]);
  });

  it('shows what differs and what is not declared, and deletes that when it is told to prune', async () => {
    await command('webhooks', 'apply', APP, '--all');
    const [create, update] = store.shop(A).subscriptions;
    create!.filter = 'id:2';
    update!.includeFields = [];
    const extra = { ...store.shop(A).subscriptions[2]!, topic: 'app/uninstalled' };
    store.shop(B).subscriptions[2]!.topic = extra.topic;
    const changes = [
      `${A} due`,
      `  update PRODUCTS_CREATE ${APP_URL}/hooks`,
      '    filter: "id:2" -> "id:1"',
      '  update PRODUCTS_UPDATE pubsub://project:topic',
      '    includeFields: none -> ["id"]',
      `${B} due`,
      `  create PRODUCTS_DELETE ${SHOWN}`,
    ];
    const { out } = await command('webhooks', 'plan', APP, '--all');
    expect(out.slice(1, -1)).toEqual([
      ...changes,
      `  keep APP_UNINSTALLED ${SHOWN} (not declared)`,
      `${C} unchanged`,
    ]);
    const pruning = await command('webhooks', 'plan', APP, '--all', '--prune');
    expect(pruning.out.slice(1, -1)).toEqual([
      ...changes,
      `  delete APP_UNINSTALLED ${SHOWN}`,
      `${C} unchanged`,
    ]);
    await command('webhooks', 'apply', APP, '--all', '--prune');
    expect((await command('webhooks', 'plan', APP, '--all', '--prune')).out.slice(1, -1)).toEqual(
      SHOPS.map((shop) => `${shop} unchanged`),
    );
  });

  it('writes a line of JSON for each shop and one for all', async () => {
    store.shop(B).revokeTokens(API_KEY);
    const { code, out, err } = await command('webhooks', 'apply', APP, '--all', '--json');
    const lines = out.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(code).toBe(1);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({
      id: `offline_${A}`,
      shop: A,
      outcome: 'changed',
      subscriptions: [
        {
          operation: 'create',
          topic: 'PRODUCTS_CREATE',
          uri: `${APP_URL}/hooks`,
          isDeclared: true,
          differences: [],
        },
        {},
        { uri: SHOWN },
      ],
      results: [
        { operation: 'create', topic: 'PRODUCTS_CREATE', success: true },
        {},
        { uri: SHOWN },
      ],
    });
    expect(lines[1]).toMatchObject({ shop: B, outcome: 'failed', error: expect.any(String) });
    expect(lines[3]).toEqual({
      summary: {
        unchanged: 0,
        due: 0,
        changed: 2,
        failed: 1,
        failedShops: [B],
        lastId: `offline_${C}`,
        isComplete: true,
      },
    });
    expect(err).toEqual([`2 shops, last: offline_${B} failed`]);
  });

  it('goes on after a shop that fails, says why, and fails in the end', async () => {
    store.shop(A).revokeTokens(API_KEY);
    store.shop(B).setScopes(API_KEY, []);
    const { code, out, err } = await command('webhooks', 'apply', APP, '--all');
    expect([code, err.length]).toEqual([1, 2]);
    expect(out[1]).toMatch(new RegExp(`^${A} failed: .+`));
    expect(out.slice(2, 6)).toEqual([
      `${B} failed`,
      ...['CREATE', 'UPDATE', 'DELETE'].map((event) =>
        expect.stringMatching(new RegExp(`^  create PRODUCTS_${event} .* failed: .*permission`)),
      ),
    ]);
    expect(out.slice(-2)).toEqual(['1 changed, 0 as declared, 2 failed.', `Failed: ${A}, ${B}`]);
    expect(subscriptionsOf(C)).toBe(3);
  });

  it('ends after what is under way when it is interrupted, and says where to go on', async () => {
    const one = ['webhooks', 'apply', APP, '--all', '--concurrency', '1'];
    const { code, out, err } = await commandUntil(interruptAfter(A), ...one);
    expect([code, out[1], out.at(-1)]).toEqual([
      1,
      `${A} changed`,
      '1 changed, 0 as declared, 0 failed.',
    ]);
    expect(err).toEqual([`Broken off. Go on with --after offline_${A}`]);
    const rest = await command(...one, '--after', `offline_${A}`);
    expect(rest).toMatchObject({ code: 0, err: [`Going on after offline_${A}`] });
    expect(SHOPS.map(subscriptionsOf)).toEqual([3, 3, 3]);
  });

  it('keeps in a file how far it has come and who failed, until it is done', async () => {
    store.shop(A).revokeTokens(API_KEY);
    const resume = join(folder, 'resume.json');
    const one = ['webhooks', 'apply', APP, '--all', '--concurrency', '1', '--resume', resume];
    const first = await commandUntil(interruptAfter(B), ...one);
    expect([first.code, first.err.at(-1)]).toEqual([
      1,
      `Broken off. Go on with --resume ${resume}`,
    ]);
    expect(JSON.parse(await readFile(resume, 'utf8'))).toEqual({
      run: `webhooks apply, client id ${API_KEY}, shops: all`,
      after: `offline_${B}`,
      failed: [A],
    });
    const other = await command('webhooks', 'plan', APP, '--all', '--resume', resume);
    expect([other.code, other.err[0]]).toEqual([
      2,
      `ERR_USAGE: ${resume} belongs to another run (webhooks apply, client id ${API_KEY}, shops: all): name another file, or delete it to begin anew.`,
    ]);
    for (const others of [
      ['--shop', C],
      ['--all', '--prune'],
    ]) {
      // Shops were passed over as done, and nothing was deleted.
      const more = await command('webhooks', 'apply', APP, ...others, '--resume', resume);
      expect([more.code, more.err[0]]).toEqual([2, expect.stringContaining('another run')]);
    }
    const second = await command(...one);
    expect(second.err).toEqual([`Going on after offline_${B}`]);
    expect([second.code, second.out.slice(-2)]).toEqual([
      1,
      ['1 changed, 0 as declared, 0 failed.', `Failed: ${A}`],
    ]);
    expect(existsSync(resume)).toBe(false);
  });

  it.each(['no JSON', '[]', '{"run":1,"failed":[]}', '{"run":"a","failed":[1]}', ''])(
    'never overwrites a file that it has not written: %s',
    async (content) => {
      const path = join(folder, 'notes.txt');
      await writeFile(path, content);
      const { code, err } = await command('webhooks', 'apply', APP, '--all', '--resume', path);
      expect([code, err[0]]).toEqual([
        2,
        `ERR_USAGE: ${path} is not a file that --resume has written: name another, or delete it.`,
      ]);
      expect(await readFile(path, 'utf8')).toBe(content);
      expect(SHOPS.map(subscriptionsOf)).toEqual([0, 0, 0]);
    },
  );

  it('begins nothing when the file cannot be written', async () => {
    const path = join(folder, 'missing', 'resume.json');
    const { code, err } = await command('webhooks', 'apply', APP, '--all', '--resume', path);
    expect([code, err[0]]).toEqual([1, expect.stringContaining('ENOENT')]);
    expect(SHOPS.map(subscriptionsOf)).toEqual([0, 0, 0]);
  });

  it.each([
    ['/', ''],
    ['', ''],
    ['/api/', '/api'],
    ['api/v1', '/api/v1'],
  ])(
    'subscribes a Nest app to what the toolkit needs, too, at prefix "%s"',
    async (given, prefix) => {
      const args = [`${NEST}#AppModule`, '--shop', A, '--prefix', given];
      const { code, out } = await command('webhooks', 'plan', ...args);
      expect([code, out.slice(1, -1)]).toEqual([
        0,
        [
          `${A} due`,
          `  create APP_UNINSTALLED ${APP_URL}${prefix}/webhooks`,
          `  create APP_SCOPES_UPDATE ${APP_URL}${prefix}/webhooks`,
        ],
      ]);
    },
  );

  it('moves no subscription of a Nest app to the addresses of another prefix', async () => {
    // Its server sets the prefix outside the module: all were created anew without it.
    const nest = `${NEST}#AppModule`;
    await command('webhooks', 'apply', nest, '--shop', A, '--prefix', '/api');
    const before = structuredClone(store.shop(A).subscriptions);
    expect(before).toHaveLength(2);
    const { code, err } = await command('webhooks', 'apply', nest, '--shop', A);
    expect([code, err[0]]).toEqual([2, expect.stringContaining('say --prefix <path>')]);
    const again = await command('webhooks', 'apply', nest, '--shop', A, '--prefix', '/api');
    expect(again.out[1]).toBe(`${A} unchanged`);
    expect(store.shop(A).subscriptions).toEqual(before);
  });

  it.each(['https://app.example.com/api', 'a b', '/api?x=1'])(
    'takes no prefix that is no path: %s',
    async (prefix) => {
      const args = [`${NEST}#AppModule`, '--all', '--prefix', prefix];
      const { code, err } = await command('webhooks', 'plan', ...args);
      expect([code, err[0]]).toEqual([2, expect.stringContaining('--prefix takes a path')]);
    },
  );

  it('takes no prefix for an app whose paths are in its module', async () => {
    const { code, err } = await command('webhooks', 'plan', APP, '--all', '--prefix', '/api');
    expect([code, err[0]]).toEqual([2, expect.stringContaining('takes no --prefix')]);
  });

  const CONFIGURATION = `
client_id = "${API_KEY}"
application_url = "${APP_URL}/"

[webhooks]
api_version = "2026-07"

  [[webhooks.subscriptions]]
  topics = [ "products/create", "orders/create" ]
  uri = "/hooks"
  filter = "id:1"
  include_fields = [ "id" ]

  [[webhooks.subscriptions]]
  topics = [ "products/update" ]
  uri = "pubsub://project:other"

  [[webhooks.subscriptions]]
  compliance_topics = [ "customers/redact" ]
  uri = "https://elsewhere.example/privacy?key=hidden-4"
`;

  it('shows the subscriptions of the configuration file, and which are delivered twice', async () => {
    const path = join(folder, 'shopify.app.toml');
    await writeFile(path, CONFIGURATION);
    const { code, out } = await command('webhooks', 'plan', APP, '--shop', A, '--config', path);
    expect([code, out.slice(0, 11), out.at(-1)]).toEqual([
      0,
      [
        TITLE,
        'shopify.app.toml, for every shop:',
        `  PRODUCTS_CREATE ${APP_URL}/hooks`,
        '    filter: "id:1"',
        '    includeFields: ["id"]',
        `  ORDERS_CREATE ${APP_URL}/hooks`,
        '    filter: "id:1"',
        '    includeFields: ["id"]',
        '  PRODUCTS_UPDATE pubsub://project:other',
        '  CUSTOMERS_REDACT https://elsewhere.example/privacy?key=[redacted] (privacy)',
        `${A} due`,
      ],
      `Delivered twice: PRODUCTS_CREATE ${APP_URL}/hooks, by a subscription of the shops and by shopify.app.toml. Take it out of one of them.`,
    ]);
    const json = await command('webhooks', 'apply', APP, '--all', '--config', path, '--json');
    const lines = json.out.map((line) => JSON.parse(line) as object);
    expect(lines[0]).toMatchObject({
      configuration: {
        name: 'shopify.app.toml',
        subscriptions: [
          { topic: 'PRODUCTS_CREATE', isCompliance: false },
          {},
          {},
          { topic: 'CUSTOMERS_REDACT', isCompliance: true },
        ],
      },
    });
    expect(lines.at(-1)).toMatchObject({
      summary: { changed: 3, overlaps: [{ topic: 'PRODUCTS_CREATE', uri: `${APP_URL}/hooks` }] },
    });
  });

  it.each<[string, string, string]>([
    ['that is no TOML', 'a = 1\nSECRET=hidden-5', '(line 2, column '],
    ['without a table', 'webhooks = 1', 'webhooks must be a table.'],
    ['without a list', '[webhooks]\nsubscriptions = 1', 'webhooks.subscriptions must be a list'],
    [
      'with a list of others',
      '[webhooks]\nsubscriptions = [1]',
      'subscriptions[0] must be a table',
    ],
    ['without an address', '[[webhooks.subscriptions]]\ntopics = ["a"]', '[0].uri must be a text'],
    [
      'with a topic alone',
      '[[webhooks.subscriptions]]\nuri = "a:b"\ntopics = "a"',
      '[0].topics must be a list',
    ],
    [
      'with a strange filter',
      '[[webhooks.subscriptions]]\nuri = "a:b"\nfilter = 1',
      '[0].filter must be a text',
    ],
    [
      'with a path on nothing',
      '[[webhooks.subscriptions]]\nuri = "/a"',
      'application_url must be a text',
    ],
  ])('says what is wrong with a configuration file %s', async (_, content, message) => {
    const path = join(folder, 'shopify.app.toml');
    await writeFile(path, content);
    const { code, err } = await command('webhooks', 'plan', APP, '--all', '--config', path);
    expect([code, err.join('\n')]).toEqual([2, expect.stringContaining(message)]);
    expect(err[0]).toContain(path);
  });

  it('does without subscriptions in the configuration file, and not without the file', async () => {
    const path = join(folder, 'shopify.app.toml');
    const missing = await command('webhooks', 'plan', APP, '--all', '--config', path);
    expect([missing.code, missing.err[0]]).toEqual([2, expect.stringContaining('ENOENT')]);
    await writeFile(path, '[webhooks]\napi_version = "2026-07"');
    const { code, out } = await command('webhooks', 'plan', APP, '--all', '--config', path);
    expect([code, out[1], out[2]]).toEqual([0, 'shopify.app.toml, for every shop:', `${A} due`]);
  });

  it.each<[string, RegExp, string[]]>([
    ['without plan or apply', /no command "webhooks/, ['webhooks', APP, '--all']],
    ['without a module', /module .* is missing/, ['webhooks', 'plan', '--all']],
    ['without shops', /either --all, or --shop/, ['webhooks', 'plan', APP]],
    [
      'with all and one',
      /either --all, or --shop/,
      ['webhooks', 'plan', APP, '--all', '--shop', A],
    ],
    [
      'with what is no shop',
      /--shop takes the domain/,
      ['webhooks', 'plan', APP, '--shop', 'a.example'],
    ],
    [
      'with two ways to go on',
      /leave one of them out/,
      ['webhooks', 'plan', APP, '--all', '--after', 'a', '--resume', 'b'],
    ],
    [
      'with an option of another command',
      /webhooks apply takes no --apply/,
      ['webhooks', 'apply', APP, '--all', '--apply'],
    ],
    ['for another command', /migrate-tokens takes no --prune/, ['migrate-tokens', APP, '--prune']],
    [
      'with a number that is none',
      /--concurrency must be/,
      ['webhooks', 'apply', APP, '--all', '--concurrency', 'x'],
    ],
  ])('called %s says what is wrong', async (_, message, args) => {
    const { code, out, err } = await command(...args);
    expect([code, out, err[0]]).toEqual([2, [], expect.stringMatching(message)]);
    expect(err.join('\n')).toContain('Usage: ');
  });
});
