import { DevStore } from '../../../lib/dev-store/index.js';
import type { DevShop } from '../../../lib/dev-store/index.js';
import { BillingInterval } from '../../../lib/index.js';
import { Session } from '../../../lib/sessions/session.js';
import type { SessionParams } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, APP_URL } from '../../support/app.js';
import type { Host, RunningHost } from '../../support/hosts.js';

export const SCOPES = ['write_products'];
/** The longest delivery that the app accepts, in bytes. */
export const BODY_LIMIT = 100_000;

/** How an app is made. */
export type AppKind = 'embedded' | 'standalone';

/** An app on one of the hosts, and a simulated platform with a shop for each row of the table. */
export class World {
  private constructor(
    readonly at: Host,
    private readonly running: RunningHost,
    private readonly store: DevStore,
    readonly storage: MemorySessionStorage,
  ) {}

  /** @param shops one for each row */
  static async open(at: Host, kind: AppKind, shops: readonly string[]): Promise<World> {
    const storage = new MemorySessionStorage();
    const store = await DevStore.open({
      shops: [...shops],
      deliveryRetries: [],
      apps: [
        {
          apiKey: API_KEY,
          apiSecretKey: API_SECRET,
          appUrl: APP_URL,
          appProxy: { url: '/proxy', subpath: 'test' },
        },
      ],
      // Nobody answers there: what the platform delivers by itself is no matter of the rows.
      fetch: () => Promise.reject(new TypeError('fetch failed')),
    });
    const running = await at.open({
      options: {
        scopes: SCOPES,
        sessionStorage: storage,
        shopOrigin: store.shopOrigin,
        isEmbeddedApp: kind === 'embedded',
        webhooks: { bodyLimit: BODY_LIMIT },
        billing: {
          Pro: { amount: 5, currencyCode: 'USD', interval: BillingInterval.Every30Days },
        },
      },
    });
    return new World(at, running, store, storage);
  }

  of(domain: string): Scene {
    return new Scene(this.at, this.running, this.store.shop(domain), this.store, this.storage);
  }

  async close(): Promise<void> {
    await this.running.close();
    await this.store.close();
  }
}

/** What a row is about: one shop, before and after a request. */
export class Scene {
  readonly #handled: number;

  constructor(
    readonly at: Host,
    private readonly running: RunningHost,
    readonly shop: DevShop,
    private readonly store: DevStore,
    readonly storage: MemorySessionStorage,
  ) {
    this.#handled = running.handled.length;
  }

  get domain(): string {
    return this.shop.domain;
  }

  /** Sends a request as a client does that follows no redirect. */
  readonly send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(this.running.url + path, { redirect: 'manual', ...init });

  /** A merchant has the app: the platform has granted a token, which is stored. */
  async install(change: Partial<SessionParams> = {}): Promise<Session> {
    const session = new Session({
      id: `offline_${this.domain}`,
      shop: this.domain,
      state: '',
      isOnline: false,
      scope: SCOPES.join(','),
      accessToken: this.shop.install(API_KEY, { scopes: SCOPES }),
      ...change,
    });
    await this.storage.storeSession(session);
    return session;
  }

  token(overrides: Record<string, unknown> = {}): string {
    return this.shop.sessionToken(API_KEY, overrides);
  }

  /** The ids of what is stored of the shop, without its domain. */
  async stored(): Promise<string[]> {
    const sessions = await this.storage.findSessionsByShop(this.domain);
    return sessions.map(({ id }) => id.replaceAll(this.domain, '')).sort();
  }

  /** What the app has asked the platform for: `token`, or the name of a GraphQL operation. */
  get asked(): string[] {
    return this.store.traffic
      .filter(({ direction, shop }) => direction === 'in' && shop === this.domain)
      .filter(({ address }) => !address.startsWith('/admin/oauth/authorize'))
      .map(({ address, operations }) =>
        address.endsWith('/access_token') ? 'token' : (operations[0] ?? address),
      );
  }

  /** How many deliveries the app has handled since. */
  get handled(): number {
    return this.running.handled.length - this.#handled;
  }
}
