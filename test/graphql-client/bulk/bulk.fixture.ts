import { setTimeout as wait } from 'node:timers/promises';

import type { AdminContext } from '../../../lib/auth/clients/admin-context.js';
import { Clock } from '../../../lib/core/time/clock.js';
import { DevStore } from '../../../lib/dev-store/index.js';
import type { DevShop, DevStoreOptions } from '../../../lib/dev-store/index.js';
import { PlatformClients } from '../../../lib/platform/api/platform-clients.js';
import type { Resolver } from '../../../lib/platform/kernel/resolver.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import { Session, offlineSessionId } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import { resolverOf } from '../../support/resolver.js';

/**
 * A second is over in 10 ms, so that the store gets on with its work; half a minute, the timeout of
 * a call, never is.
 */
export class HastyClock extends Clock {
  readonly slept: number[] = [];

  now(): Date {
    return new Date();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms >= 30_000)
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    await wait(ms / 100, undefined, { signal });
    this.slept.push(ms);
  }
}

/** A simulated shop and an app that is installed in it. */
export class BulkFixture {
  readonly #apps: Resolver[] = [];

  private constructor(
    readonly store: DevStore,
    readonly shop: DevShop,
    private readonly accessToken: string,
  ) {}

  static async open(options: DevStoreOptions = {}): Promise<BulkFixture> {
    const store = await DevStore.open({
      shops: [SHOP],
      apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: APP_URL }],
      limits: { graphql: 'off' },
      ...options,
    });
    const shop = store.shop();
    return new BulkFixture(store, shop, shop.install(API_KEY, { scopes: ['write_products'] }));
  }

  /** The Admin API of the shop in a process of its own. */
  async admin(options: Partial<PlatformOptions> = {}): Promise<AdminContext> {
    const sessionStorage = new MemorySessionStorage();
    const id = offlineSessionId(SHOP);
    await sessionStorage.storeSession(
      new Session({
        id,
        shop: SHOP,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken: this.accessToken,
      }),
    );
    const app = resolverOf({
      clock: new HastyClock(),
      sessionStorage,
      shopOrigin: this.store.shopOrigin,
      ...options,
    });
    this.#apps.push(app);
    return (await app.get(PlatformClients).forShop(SHOP)).admin;
  }

  /** Resolves when the shop has as many bulk operations as that. */
  async operations(count: number): Promise<DevShop['bulkOperations']> {
    while (this.shop.bulkOperations.length < count) await wait(2);
    return this.shop.bulkOperations;
  }

  /** Resolves when the first bulk operation is being cancelled. */
  async cancelled(): Promise<void> {
    while (!this.shop.bulkOperations[0]?.status.startsWith('CANCEL')) await wait(2);
  }

  async close(): Promise<void> {
    await Promise.all(this.#apps.map((app) => app.close()));
    await this.store.close();
  }
}

/** A fetch that may change a reply of the Admin API, or answer in its place. */
export function meddle(
  change: (body: string, replyOf: () => Promise<string>) => Promise<string | Response>,
): typeof fetch {
  return async (input, init) => {
    if (!String(input).endsWith('/graphql.json')) return fetch(input, init);
    const reply = await change(String(init?.body), async () => (await fetch(input, init)).text());
    return typeof reply === 'string'
      ? new Response(reply, { headers: { 'content-type': 'application/json' } })
      : reply;
  };
}

export async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}
