import { randomBytes } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { DevStore } from '../../../lib/dev-store/index.js';
import type { DevStoreOptions } from '../../../lib/dev-store/index.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import { EncryptedSessionStorage } from '../../../lib/sessions/encryption/encrypted-session.storage.js';
import type { SessionStorage } from '../../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { WebhookRollout } from '../../../lib/webhooks/subscriptions/webhook-rollout.js';
import type {
  ShopSubscriptions,
  WebhookRolloutOptions,
} from '../../../lib/webhooks/subscriptions/webhook-rollout.js';
import { API_KEY, API_SECRET, APP_URL } from '../../support/app.js';
import { offlineSession } from '../../support/offline-session.js';
import { resolverOf } from '../../support/resolver.js';

const shopOf = (number: number): string => `shop-${String(number).padStart(4, '0')}.myshopify.com`;
const idOf = (number: number): string => `offline_${shopOf(number)}`;
const http = { deliveryMethod: 'http' } as const;

let store: DevStore;
let storage: MemorySessionStorage;
beforeEach(() => {
  storage = new MemorySessionStorage();
});
afterEach(() => store.close());

/** A platform with so many shops, in each of which the app is installed. */
async function open(shops: number, options: DevStoreOptions = {}): Promise<void> {
  store = await DevStore.open({
    shops: Array.from({ length: shops }, (_, number) => shopOf(number)),
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
    ...options,
  });
  for (let number = 0; number < shops; number++) await install(number);
}

async function install(number: number, into: SessionStorage = storage): Promise<void> {
  const shop = shopOf(number);
  const accessToken = store.shop(shop).install(API_KEY, { scopes: ['write_products'] });
  await into.storeSession(offlineSession({ id: idOf(number), shop, accessToken }));
}

/** An app of this version: it subscribes to these topics. */
function rolloutOf(
  topics: readonly string[],
  options: Partial<PlatformOptions> = {},
): WebhookRollout {
  return resolverOf({
    shopOrigin: store.shopOrigin,
    sessionStorage: storage,
    webhooks: { ownTopics: false, ...Object.fromEntries(topics.map((topic) => [topic, http])) },
    ...options,
  }).get(WebhookRollout);
}

/** Runs a rollout, and notes each shop as `<number> <outcome>`. */
async function run(
  work: (options: WebhookRolloutOptions) => ReturnType<WebhookRollout['apply']>,
  options: WebhookRolloutOptions = {},
) {
  const reported: ShopSubscriptions[] = [];
  const summary = await work({
    ...options,
    onShop: (result) => {
      reported.push(result);
      return options.onShop?.(result);
    },
  });
  const lines = reported.map(({ shop, outcome }) => `${Number(/\d+/.exec(shop)?.[0])} ${outcome}`);
  return { summary, reported, lines };
}

const apply = (rollout: WebhookRollout, options?: WebhookRolloutOptions) =>
  run((all) => rollout.apply(all), options);
const plan = (rollout: WebhookRollout, options?: WebhookRolloutOptions) =>
  run((all) => rollout.plan(all), options);
const topicsIn = (number: number): string[] =>
  store.shop(shopOf(number)).subscriptions.map(({ topic }) => topic);
const callsTo = (number: number): number =>
  store.shop(shopOf(number)).events.filter(({ kind }) => kind === 'api').length;

describe('a rollout of webhook subscriptions', () => {
  it('plans for every shop, changes each once, and has nothing left to do', async () => {
    await open(3);
    await apply(rolloutOf(['PRODUCTS_CREATE']), { shops: [shopOf(1)] });
    const next = rolloutOf(['PRODUCTS_CREATE']);
    expect((await plan(next)).lines).toEqual(['0 due', '1 unchanged', '2 due']);
    expect([0, 1, 2].map(topicsIn)).toEqual([[], ['products/create'], []]);

    const { lines, summary, reported } = await apply(next);
    expect(lines).toEqual(['0 changed', '1 unchanged', '2 changed']);
    expect(summary).toEqual({
      unchanged: 1,
      due: 0,
      changed: 2,
      failed: 0,
      failedShops: [],
      lastId: idOf(2),
      isComplete: true,
    });
    expect(reported[0]).toMatchObject({
      id: idOf(0),
      subscriptions: [{ operation: 'create', topic: 'PRODUCTS_CREATE' }],
      results: [{ operation: 'create', success: true }],
    });
    expect((await apply(next)).summary).toMatchObject({ unchanged: 3, changed: 0 });
    expect([0, 1, 2].map(topicsIn)).toEqual([1, 2, 3].map(() => ['products/create']));
  });

  it('prunes when it is told to', async () => {
    await open(2);
    await apply(rolloutOf(['PRODUCTS_CREATE', 'PRODUCTS_DELETE']));
    const next = rolloutOf(['PRODUCTS_CREATE']);
    expect((await plan(next)).lines).toEqual(['0 unchanged', '1 unchanged']);
    expect((await plan(next, { prune: true })).lines).toEqual(['0 due', '1 due']);
    expect((await apply(next, { prune: true })).lines).toEqual(['0 changed', '1 changed']);
    expect([0, 1].map(topicsIn)).toEqual([['products/create'], ['products/create']]);
  });

  it('goes on after shops that fail, and names them in the end', async () => {
    await open(5);
    store.shop(shopOf(1)).revokeTokens(API_KEY);
    await storage.storeSession(offlineSession({ id: 'offline_strange', shop: 'no shop' }));
    // This app may not read products: one subscription fails, the other does not.
    store.shop(shopOf(3)).setScopes(API_KEY, []);
    const { lines, summary, reported } = await apply(
      rolloutOf(['PRODUCTS_CREATE', 'APP_UNINSTALLED']),
    );
    expect(lines.slice(0, 5)).toEqual([
      '0 changed',
      '1 failed',
      '2 changed',
      '3 failed',
      '4 changed',
    ]);
    expect(summary).toMatchObject({
      changed: 3,
      failed: 3,
      failedShops: [shopOf(1), shopOf(3), 'no shop'],
      lastId: 'offline_strange',
      isComplete: true,
    });
    expect(reported[1]).toMatchObject({ subscriptions: [], results: [], error: expect.any(Error) });
    expect(reported[3]!.results).toMatchObject([
      { topic: 'PRODUCTS_CREATE', success: false },
      { topic: 'APP_UNINSTALLED', success: true },
    ]);
    expect(reported[3]).not.toHaveProperty('error');
  });

  it('leaves out users, and shops without a token', async () => {
    await open(2);
    await storage.storeSession(
      offlineSession({ id: `${shopOf(0)}_1`, shop: shopOf(0), isOnline: true }),
    );
    await storage.storeSession(offlineSession({ id: idOf(1), shop: shopOf(1), accessToken: '' }));
    expect((await apply(rolloutOf(['PRODUCTS_CREATE']))).lines).toEqual(['0 changed']);
  });

  it('goes on where it was ended, and works on shops again only when it is told to', async () => {
    await open(6);
    const rollout = rolloutOf(['PRODUCTS_CREATE']);
    const ended = new AbortController();
    const first = await apply(rollout, {
      concurrency: 2,
      signal: ended.signal,
      onShop: ({ id }) => id === idOf(1) && ended.abort(),
    });
    // Another shop had begun, and was finished.
    expect(first.lines).toEqual(['0 changed', '1 changed', '2 changed']);
    expect(first.summary).toMatchObject({ isComplete: false, lastId: idOf(2) });
    const second = await apply(rollout, { after: first.summary.lastId });
    expect(second.lines).toEqual(['3 changed', '4 changed', '5 changed']);
    expect(second.summary.isComplete).toBe(true);
    expect([0, 1, 2, 3, 4, 5].map(callsTo)).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('waits for what has begun when a report fails', async () => {
    await open(4);
    const rollout = rolloutOf(['PRODUCTS_CREATE']);
    const failing = apply(rollout, {
      concurrency: 3,
      onShop: () => {
        throw new Error('The disk is full');
      },
    });
    await expect(failing).rejects.toThrow('The disk is full');
    expect([0, 1, 2, 3].map((number) => topicsIn(number).length)).toEqual([1, 1, 1, 0]);
  });

  it('works on no more shops at once than it is told', async () => {
    await open(7);
    let running = 0;
    let most = 0;
    const counting: typeof fetch = async (input, init) => {
      most = Math.max(most, ++running);
      try {
        return await fetch(input, init);
      } finally {
        running--;
      }
    };
    await apply(rolloutOf(['PRODUCTS_CREATE'], { fetch: counting }), { concurrency: 3 });
    expect(most).toBe(3);
  });

  it('takes named shops in the order of their ids, each once', async () => {
    await open(3);
    const rollout = rolloutOf(['PRODUCTS_CREATE']);
    const shops = [2, 0, 2, 1].map(shopOf);
    const { lines } = await apply(rollout, { shops, after: idOf(0) });
    expect(lines).toEqual(['1 changed', '2 changed']);
    const absent = await apply(rollout, { shops: ['not-installed.myshopify.com'] });
    expect(absent.reported).toMatchObject([
      { outcome: 'failed', error: { code: 'ERR_SESSION_NOT_FOUND' } },
    ]);
    await expect(apply(rollout, { shops: ['no shop'] })).rejects.toMatchObject({
      code: 'ERR_SHOP_INVALID',
    });
  });

  it.each([0, -1, 1.5, NaN])('refuses to work on %s shops at once', async (concurrency) => {
    await open(1);
    await expect(apply(rolloutOf([]), { concurrency })).rejects.toThrow('whole number from 1');
  });

  it('says what to do when the storage cannot list its sessions', async () => {
    await open(1);
    const bound = (name: keyof MemorySessionStorage) =>
      (storage[name] as () => unknown).bind(storage);
    const five = Object.fromEntries(
      (
        [
          'storeSession',
          'loadSession',
          'deleteSession',
          'deleteSessions',
          'findSessionsByShop',
        ] as const
      ).map((name) => [name, bound(name)]),
    ) as unknown as SessionStorage;
    const rollout = rolloutOf(['PRODUCTS_CREATE'], { sessionStorage: five });
    await expect(apply(rollout)).rejects.toThrow(/cannot list its sessions: name the shops/);
    expect((await apply(rollout, { shops: [shopOf(0)] })).lines).toEqual(['0 changed']);
  });

  it('goes on after a session whose key is lost', async () => {
    await open(3);
    const under = (id: string): EncryptedSessionStorage =>
      new EncryptedSessionStorage(storage, { keys: [{ id, key: randomBytes(32) }] });
    const sealed = under('new');
    for (const number of [0, 1, 2]) await install(number, number === 1 ? under('lost') : sealed);
    const { lines } = await apply(rolloutOf(['PRODUCTS_CREATE'], { sessionStorage: sealed }));
    expect(lines).toEqual(['0 changed', '1 failed', '2 changed']);
  });

  it('stays within the rate limits of a shop', async () => {
    // To read the subscriptions of a shop takes 502 points in advance.
    await open(1, { limits: { graphql: { capacity: 520, restoreRate: 200 } } });
    const rollout = rolloutOf(['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE']);
    expect((await apply(rollout)).lines).toEqual(['0 changed']);
    expect((await apply(rollout)).lines).toEqual(['0 unchanged']);
    expect(store.shop().events.filter(({ kind }) => kind === 'throttled')).toEqual([]);
  });
});
