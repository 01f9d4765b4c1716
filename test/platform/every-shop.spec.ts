import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { ForEachShopOptions, ShopProgress } from '../../lib/platform/api/every-shop.js';
import { bind } from '../../lib/core/binding.js';
import { InFlight } from '../../lib/core/concurrency/in-flight.js';
import { FREE_TICKET, Pacer } from '../../lib/core/pacing/pacer.js';
import type { PaceRequest, Ticket } from '../../lib/core/pacing/pacer.js';
import { DevStore } from '../../lib/dev-store/index.js';
import { PlatformClients } from '../../lib/platform/api/platform-clients.js';
import type { SessionStorage } from '../../lib/sessions/session.storage.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL } from '../support/app.js';
import { offlineSession } from '../support/offline-session.js';
import { resolverOf } from '../support/resolver.js';
import { FiveMethods } from '../support/five-methods.js';

const shopOf = (number: number): string => `shop-${number}.myshopify.com`;
const SHOPS = [0, 1, 2, 3, 4, 5].map(shopOf);

let store: DevStore;
let storage: MemorySessionStorage;

beforeEach(async () => {
  storage = new MemorySessionStorage();
  store = await DevStore.open({
    shops: SHOPS,
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
  });
  for (const shop of SHOPS) {
    const accessToken = store.shop(shop).install(API_KEY, { scopes: ['write_products'] });
    await storage.storeSession(offlineSession({ id: `offline_${shop}`, shop, accessToken }));
  }
});
afterEach(() => store.close());

/** An app that shares the storage with the others. */
const appOver = (sessionStorage: SessionStorage = storage) =>
  resolverOf({ shopOrigin: store.shopOrigin, sessionStorage });

/** Runs over all shops, and notes in which ones it was. */
async function run(
  clients: PlatformClients,
  options?: ForEachShopOptions,
  failsIn: (shop: string) => boolean = () => false,
) {
  const worked: string[] = [];
  const progress: ShopProgress[] = [];
  const summary = await clients.forEachShop(
    ({ session }) => {
      worked.push(session.shop);
      if (failsIn(session.shop)) throw new Error(`no ${session.shop}`);
    },
    {
      ...options,
      onProgress: (one) => {
        progress.push(one);
        return options?.onProgress?.(one);
      },
    },
  );
  return { summary, worked, progress };
}

describe('forEachShop', () => {
  it('works in every shop, and collects what fails', async () => {
    const { summary, worked, progress } = await run(
      appOver().get(PlatformClients),
      { concurrency: 3 },
      (shop) => shop === shopOf(1),
    );
    expect(worked.sort()).toEqual(SHOPS);
    expect(progress.map(({ shop }) => shop)).toEqual(SHOPS);
    expect(progress[1]).toEqual({
      id: `offline_${shopOf(1)}`,
      shop: shopOf(1),
      error: new Error(`no ${shopOf(1)}`),
      succeeded: 1,
      failed: 1,
    });
    expect(summary).toEqual({
      succeeded: 5,
      failed: 1,
      failedShops: [shopOf(1)],
      failures: [{ shop: shopOf(1), error: new Error(`no ${shopOf(1)}`) }],
      lastId: `offline_${shopOf(5)}`,
      isComplete: true,
    });
  });

  it('leaves users and shops without a token out, and fails for one whose token has ended', async () => {
    await storage.storeSession(
      offlineSession({ id: `${shopOf(0)}_7`, shop: shopOf(0), isOnline: true }),
    );
    await storage.storeSession(
      offlineSession({ id: `offline_${shopOf(1)}`, shop: shopOf(1), accessToken: '' }),
    );
    await storage.storeSession(
      offlineSession({
        id: `offline_${shopOf(2)}`,
        shop: shopOf(2),
        accessToken: 'shpat_old',
        expires: new Date(1000),
      }),
    );
    const { summary, worked } = await run(appOver().get(PlatformClients));
    expect(worked.sort()).toEqual([0, 3, 4, 5].map(shopOf));
    expect(summary.failures).toEqual([
      { shop: shopOf(2), error: expect.objectContaining({ code: 'ERR_SESSION_EXPIRED' }) },
    ]);
  });

  it('takes the shops that are named', async () => {
    const { worked } = await run(appOver().get(PlatformClients), { shops: [shopOf(4), shopOf(2)] });
    expect(worked).toEqual([shopOf(2), shopOf(4)]);
    const once = [shopOf(3), shopOf(1)].values();
    const named = await run(appOver().get(PlatformClients), { name: 'tags', shops: once });
    expect(named.worked).toEqual([shopOf(1), shopOf(3)]);
    await expect(
      run(appOver().get(PlatformClients), { shops: ['evil.example'] }),
    ).rejects.toMatchObject({ code: 'ERR_SHOP_INVALID' });
  });

  it('sends the calls of its clients in the background', async () => {
    const priorities: unknown[] = [];
    class NotingPacer extends Pacer {
      async reserve({ priority }: PaceRequest): Promise<Ticket> {
        priorities.push(priority);
        return FREE_TICKET;
      }
      async close(): Promise<void> {}
    }
    const resolver = resolverOf({ shopOrigin: store.shopOrigin, sessionStorage: storage }, [
      bind(Pacer, {}, () => new NotingPacer()),
    ]);
    await resolver.get(PlatformClients).forEachShop(
      async ({ admin }) => {
        await admin.graphql('{ shop { name } }');
        await admin.rest.get({ path: 'shop' });
        await admin.graphql('{ shop { name } }', { priority: 'interactive' });
      },
      { shops: [shopOf(0)] },
    );
    expect(priorities).toEqual(['background', 'background', 'interactive']);
  });

  it('goes on in another app where a run of the same name was ended, with the figures of both', async () => {
    const ends = new AbortController();
    const first = await run(
      appOver().get(PlatformClients),
      {
        name: 'tags',
        concurrency: 2,
        signal: ends.signal,
        onProgress: ({ succeeded, failed }) => succeeded + failed === 2 && ends.abort(),
      },
      (shop) => shop === shopOf(0),
    );
    expect([first.summary.isComplete, first.summary.failedShops]).toEqual([false, [shopOf(0)]]);
    const done = first.worked.length;
    expect(done).toBeLessThan(6);
    const second = await run(appOver().get(PlatformClients), { name: 'tags' });
    expect(second.worked).toEqual(SHOPS.slice(done));
    expect(second.summary).toEqual({
      succeeded: 5,
      failed: 1,
      failedShops: [shopOf(0)],
      failures: [],
      lastId: `offline_${shopOf(5)}`,
      isComplete: true,
    });
    expect((await run(appOver().get(PlatformClients), { name: 'tags' })).worked).toHaveLength(6);
    expect((await run(appOver().get(PlatformClients), { name: 'other' })).worked).toHaveLength(6);
  });

  it('leaves a named run to the process that began it last', async () => {
    const other = appOver().get(PlatformClients);
    let taken: ReturnType<typeof run> | undefined;
    await expect(
      run(appOver().get(PlatformClients), {
        name: 'tags',
        concurrency: 1,
        onProgress: async ({ succeeded }) => {
          if (succeeded === 3) await (taken = run(other, { name: 'tags' }));
        },
      }),
    ).rejects.toMatchObject({ code: 'ERR_RUN_TAKEN_OVER', runName: 'tags' });
    await expect(taken).resolves.toMatchObject({
      worked: [3, 4, 5].map(shopOf),
      summary: { succeeded: 6, isComplete: true },
    });
  });

  // Each of these used to end the run that was under way.
  it.each<[string, Omit<ForEachShopOptions, 'name'>, () => SessionStorage]>([
    ['a concurrency of 0', { concurrency: 0 }, () => storage],
    ['a name that is none of a shop', { shops: ['evil.example'] }, () => storage],
    ['a signal that is aborted already', { signal: AbortSignal.abort() }, () => storage],
    [
      'a storage that cannot list',
      {},
      () => Object.assign(new FiveMethods(), { companions: storage.companions }),
    ],
  ])('leaves a named run alone when it cannot begin: %s', async (_, options, other) => {
    const hindered = appOver(other()).get(PlatformClients);
    const ended: unknown[] = [];
    const { summary } = await run(appOver().get(PlatformClients), {
      name: 'tags',
      concurrency: 1,
      onProgress: async ({ succeeded }) => {
        if (succeeded !== 3) return;
        const again = run(hindered, { name: 'tags', ...options });
        ended.push(await again.then(({ summary }) => summary, String));
      },
    });
    expect(summary).toMatchObject({ succeeded: 6, isComplete: true });
    expect(ended).toEqual([
      options.signal
        ? {
            succeeded: 3,
            failed: 0,
            failedShops: [],
            failures: [],
            lastId: `offline_${shopOf(2)}`,
            isComplete: false,
          }
        : expect.stringMatching(/^Invalid(Request|Shop)Error: /),
    ]);
  });

  it('ends with the app, and can be resumed', async () => {
    const resolver = appOver();
    const { summary } = await run(resolver.get(PlatformClients), {
      name: 'tags',
      concurrency: 1,
      onProgress: ({ succeeded }) => succeeded === 2 && void resolver.get(InFlight).drain(),
    });
    expect(summary).toMatchObject({ isComplete: false, succeeded: 2 });
    expect((await run(appOver().get(PlatformClients), { name: 'tags' })).worked).toEqual(
      [2, 3, 4, 5].map(shopOf),
    );
  });

  // The work of every shop that was under way used to count as failed for good.
  it.each([0, 2, 5])('repeats from shop %i on what a shutdown has broken off', async (number) => {
    const resolver = appOver();
    const summary = await resolver.get(PlatformClients).forEachShop(
      async ({ session }, signal) => {
        if (session.shop === shopOf(number)) void resolver.get(InFlight).drain();
        if (session.shop >= shopOf(number)) await delay(60_000, undefined, { signal });
      },
      { name: 'tags', concurrency: 2 },
    );
    expect(summary).toEqual({
      succeeded: number,
      failed: 0,
      failedShops: [],
      failures: [],
      lastId: number === 0 ? undefined : `offline_${shopOf(number - 1)}`,
      isComplete: false,
    });
    const second = await run(appOver().get(PlatformClients), { name: 'tags' });
    expect(second.worked).toEqual(SHOPS.slice(number));
    expect(second.summary).toMatchObject({ succeeded: 6, failed: 0, isComplete: true });
  });

  it.each([
    ['a concurrency of 0', { concurrency: 0 }, 'concurrency'],
    ['a name beside after', { name: 'tags', after: 'offline_a' }, 'leave one of them out'],
  ])('refuses %s', async (_, options, reason) => {
    await expect(run(appOver().get(PlatformClients), options)).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining(reason),
    });
  });

  it('says what a storage of five methods cannot do', async () => {
    const clients = appOver(new FiveMethods()).get(PlatformClients);
    await expect(run(clients)).rejects.toThrow('cannot list its sessions: name the shops');
    await expect(run(clients, { name: 'tags', shops: SHOPS })).rejects.toThrow('keeps no records');
  });
});
