import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { ProgramFile } from '../services/program.js';
import type { Program } from '../services/program.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import type { StoredShops, WebhooksCommands } from './webhooks.program.js';

// On a busy machine a process takes its time to start.
jest.setTimeout(300_000);

const SHOPS = Array.from(
  { length: 1000 },
  (_, number) => `shop-${String(number).padStart(4, '0')}.myshopify.com`,
);
const CONCURRENCY = 8;

let file: ProgramFile<WebhooksCommands>;
let store: DevStore;
let folder: string;
beforeAll(async () => {
  file = await ProgramFile.build('test/cli/webhooks.program.ts');
});
afterAll(() => file.remove());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shopwright-webhooks-'));
  store = await DevStore.open({
    shops: SHOPS,
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    limits: { graphql: { capacity: 600, restoreRate: 100 } },
  });
});
afterEach(async () => {
  await file.kill();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe('shopwright webhooks apply, for a thousand shops', () => {
  it('goes on where a process was killed, calls no shop more than it must, and ends with nothing left to do', async () => {
    const tokens = Object.fromEntries(
      store.allShops.map((shop) => [
        shop.domain,
        { origin: shop.origin, token: shop.install(API_KEY, { scopes: ['write_products'] }) },
      ]),
    );
    /** A process of the version of the app that declares these topics. */
    const version = async (...topics: string[]): Promise<Program<WebhooksCommands>> => {
      const path = join(folder, `shops-${topics.length}.json`);
      await writeFile(path, JSON.stringify({ topics, shops: tokens } satisfies StoredShops));
      return file.start(path);
    };
    const apply = (program: Program<WebhooksCommands>, ...args: string[]) =>
      program.ask(
        'shopwright',
        'webhooks',
        'apply',
        '--all',
        '--concurrency',
        String(CONCURRENCY),
        ...args,
      );
    const shopsWith = (topic: string): number =>
      store.allShops.filter(({ subscriptions }) => subscriptions.some((one) => one.topic === topic))
        .length;

    const first = await apply(await version('PRODUCTS_CREATE'));
    expect([first.code, first.out.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      '1000 changed, 0 as declared, 0 failed.',
    ]);
    expect(first.err.trimEnd().split('\n')).toHaveLength(20);
    expect(first.err).toContain(`500 shops, last: offline_${SHOPS[499]} changed\n`);

    const resume = join(folder, 'resume.json');
    const killed = await version('PRODUCTS_CREATE', 'PRODUCTS_UPDATE');
    const ending = expect(apply(killed, '--resume', resume)).rejects.toThrow('The process ended');
    while (shopsWith('products/update') < 300) await systemClock.sleep(5);
    await killed.kill();
    await ending;
    const { after } = JSON.parse(await readFile(resume, 'utf8')) as { after: string };
    const done = SHOPS.indexOf(after.slice('offline_'.length)) + 1;
    expect(done).toBeGreaterThan(300 - CONCURRENCY - 1);
    expect(done).toBeLessThan(1000);

    const rest = await version('PRODUCTS_CREATE', 'PRODUCTS_UPDATE');
    const second = await apply(rest, '--resume', resume);
    expect([second.code, second.err.split('\n')[0]]).toEqual([0, `Going on after ${after}`]);
    // What was under way when the process was killed may have been done already.
    const [changed = 0, unchanged = 0] = second.out
      .match(/^(\d+) changed, (\d+)/m)!
      .slice(1)
      .map(Number);
    expect(changed + unchanged).toBe(1000 - done);
    expect(unchanged).toBeLessThanOrEqual(CONCURRENCY);
    await expect(readFile(resume)).rejects.toThrow('ENOENT');

    const third = await apply(rest, '--json');
    const lines = third.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect([third.code, lines.length, lines.at(-1)]).toEqual([
      0,
      1001,
      { summary: expect.objectContaining({ unchanged: 1000, changed: 0, failed: 0 }) },
    ]);
    expect(new Set(store.allShops.map(({ subscriptions }) => subscriptions.length))).toEqual(
      new Set([2]),
    );
    const calls = store.allShops.map(
      ({ events }) => events.filter(({ kind }) => kind === 'api').length,
    );
    // Each reads and creates, twice, and reads in the end.
    expect(calls.filter((count) => count !== 5).length).toBeLessThanOrEqual(CONCURRENCY);
    expect(
      store.allShops.flatMap(({ events }) => events.filter(({ kind }) => kind === 'throttled')),
    ).toEqual([]);
    for (const { out, err } of [first, second, third])
      expect(Object.values(tokens).some(({ token }) => (out + err).includes(token))).toBe(false);
  });
});
