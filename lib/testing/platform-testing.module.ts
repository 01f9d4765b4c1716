import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Logger } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';

import { PlatformConfig } from '../core/config/platform-config.js';
import type { Token } from '../core/binding.js';
import { InvalidOptionsError } from '../core/core.errors.js';
import type { DevClock } from '../dev-store/base/dev-clock.js';
import { signedWebhook } from '../dev-store/base/request-factories.js';
import { DevStore } from '../dev-store/dev-store.js';
import type { DevShop } from '../dev-store/dev-shop.js';
import type { HostContext, PlatformOptions } from '../platform/kernel/platform.options.js';
import { HOST_CONTEXT } from '../platform/kernel/platform.providers.js';
import {
  GIVEN_EXTRAS,
  GIVEN_OPTIONS,
  getPlatformOptionsToken,
} from '../platform/nest/platform.module-definition.js';
import type { PlatformExtras } from '../platform/nest/platform-module.factory.js';
import { GIVEN_STORAGE } from '../platform/kernel/platform.providers.js';
import type { GivenStorage } from '../platform/kernel/storage-choice.js';
import { getPlatformToken } from '../platform/nest/platform-tokens.js';
import { Session, offlineSessionId } from '../sessions/session.js';
import type { SessionStorage } from '../sessions/session.storage.js';
import { MemorySessionStorage } from '../sessions/storages/memory/memory-session.storage.js';
import type {
  DeliverOptions,
  InstallOptions,
  PlatformTestingOptions,
} from './platform-testing.options.js';

/** What an app has in a test unless its own options say otherwise. */
const DEFAULTS = {
  apiKey: 'test-api-key',
  apiSecretKey: 'test-api-secret',
  appUrl: 'https://app.example.com',
};

/**
 * A Nest app that listens on this machine, over a simulated store: real HTTP, real signatures, and
 * nothing that leaves the machine. The app's own modules are started as they are; the options of
 * its `PlatformModule` are kept but for the store, the clock, the storage and `fetch`.
 * @example
 * const testing = await PlatformTestingModule.create({ imports: [AppModule] });
 * await testing.install();
 * const response = await testing.fetch('/products', { headers: { authorization: `Bearer ${testing.sessionToken()}` } });
 * await testing.close();
 */
export class PlatformTestingModule {
  private constructor(
    /** The app, listening. */
    readonly app: INestApplication,
    /** The store; its shops can be changed and asked at any time. */
    readonly store: DevStore,
    /** Where the app answers on this machine; its own `appUrl` is that of the options. */
    readonly url: string,
    /** Holds the sessions of the app. */
    readonly sessionStorage: SessionStorage,
    private readonly name: string | undefined,
  ) {}

  /**
   * Starts an app and its store.
   * @throws {InvalidOptionsError} when the options of the app are wrong, or no imported module is
   * the `PlatformModule` of that name
   */
  static async create(given: PlatformTestingOptions): Promise<PlatformTestingModule> {
    const { name, options, store: storeOptions, registration, override, prepare, adapter } = given;
    const { imports, controllers, providers, exports } = given;
    const place: { appUrl?: string; url?: string } = {};
    const store = await DevStore.open({
      deliveryRetries: [],
      ...storeOptions,
      fetch: (input, init) => fetchApp(place, input, init),
    });
    let opened: Pick<INestApplication, 'close'> | undefined;
    try {
      const storage = options?.sessionStorage ?? new MemorySessionStorage();
      const builder = Test.createTestingModule({
        ...(imports && { imports }),
        ...(controllers && { controllers }),
        ...(providers && { providers }),
        ...(exports && { exports }),
      })
        .overrideProvider(getPlatformOptionsToken(name))
        .useFactory({
          factory: (own: PlatformOptions | undefined, { paths }: PlatformExtras) => ({
            ...optionsOver(own, store),
            ...options,
            sessionStorage: storage,
            paths: { ...paths, ...options?.paths },
          }),
          inject: [GIVEN_OPTIONS, GIVEN_EXTRAS],
        })
        // What the machine of a test has in its environment is none of the app's.
        .overrideProvider(getPlatformToken(HOST_CONTEXT, name))
        .useValue({ logger: new Logger('shopwright'), environment: {} } satisfies HostContext);
      override?.(builder);
      const module = await builder.compile();
      opened = module;
      const app = adapter ? module.createNestApplication(adapter) : module.createNestApplication();
      opened = app;
      const { config, secret } = identityOf(app, name);
      if (config.apiKey !== '')
        store.addApp({
          embedded: config.isEmbeddedApp,
          ...registration,
          apiKey: config.apiKey,
          apiSecretKey: secret,
          appUrl: config.appUrl,
        });
      await prepare?.(app);
      await app.listen(0, '127.0.0.1');
      const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      Object.assign(place, { appUrl: config.appUrl, url });
      const sessionStorage =
        typeof storage === 'function'
          ? (app.get<GivenStorage>(getPlatformToken(GIVEN_STORAGE, name) as symbol, {
              strict: false,
            }).storage as SessionStorage)
          : storage;
      return new PlatformTestingModule(app, store, url, sessionStorage, name);
    } catch (error) {
      // What fails while it is closed is most often a consequence.
      await opened?.close().catch(() => {});
      await store.close().catch(() => {});
      throw error;
    }
  }

  /** The clock of the app and of the store. */
  get clock(): DevClock {
    return this.store.clock;
  }

  /** The config of the app under test. */
  get config(): PlatformConfig {
    return this.get(PlatformConfig);
  }

  /** An object of the app under test, by its class: of a named app its own. */
  get<T>(token: Token<T>): T {
    return this.app.get<T>(getPlatformToken(token, this.name) as symbol, { strict: false });
  }

  /** A shop of the store. @param domain default: the first shop */
  shop(domain?: string): DevShop {
    return this.store.shop(domain);
  }

  /**
   * Installs the app in a shop and stores its offline session, as if the merchant had opened it. No
   * event of an installation is delivered: for those, have a request come with a
   * {@link sessionToken} instead.
   * @returns the stored session
   */
  async install({ shop, scopes }: InstallOptions = {}): Promise<Session> {
    const { apiKey, scopes: wanted } = this.config;
    const store = this.shop(shop);
    const granted = scopes ?? wanted?.toArray() ?? [];
    const session = new Session({
      id: offlineSessionId(store.domain),
      shop: store.domain,
      state: '',
      isOnline: false,
      scope: granted.join(','),
      accessToken: store.install(apiKey, { scopes: granted }),
    });
    await this.sessionStorage.storeSession(session);
    return session;
  }

  /**
   * A session token as the admin issues it, valid for a minute of the {@link clock}.
   * @param shop default: the first shop
   * @param user id of the user; default: that of the shop
   */
  sessionToken(shop?: string, user?: number | string): string {
    const { apiKey } = this.config;
    const store = this.shop(shop);
    return store.sessionToken(apiKey, user === undefined ? {} : { sub: String(user) });
  }

  /** Sends a request to a path of the app. Redirects are not followed unless `init` says so. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return globalThis.fetch(new URL(path, this.url), { redirect: 'manual', ...init });
  }

  /**
   * Delivers a signed webhook to the app, whether the shop has subscribed to the topic or not; what
   * the store delivers by itself comes besides. Resolves with the response of the app.
   * @param topic in either spelling: `PRODUCTS_CREATE` or `products/create`
   */
  deliver(
    topic: string,
    payload: unknown,
    { shop, webhookId, path = this.config.paths.webhooks }: DeliverOptions = {},
  ): Promise<Response> {
    const { headers, body } = signedWebhook({
      secret: identityOf(this.app, this.name).secret,
      shop: this.shop(shop).domain,
      topic,
      payload,
      triggeredAt: this.clock.now().toISOString(),
      apiVersion: this.config.apiVersion,
      ...(webhookId !== undefined && { webhookId }),
    });
    return this.fetch(path, { method: 'POST', headers, body: new Uint8Array(body) });
  }

  /** Lets time pass, in milliseconds: tokens expire, and what sleeps wakes up. */
  advance(ms: number): void {
    this.store.advance(ms);
  }

  /** Shuts the app down and closes the store, and leaves no handle open. */
  async close(): Promise<void> {
    try {
      await this.app.close();
    } finally {
      await this.store.close();
    }
  }
}

/** The options of an app, with what a test has in the place of servers. */
function optionsOver(own: PlatformOptions | undefined, store: DevStore): Partial<PlatformOptions> {
  const given = Object.entries(own ?? {}).filter(([, value]) => value !== undefined);
  return {
    ...DEFAULTS,
    ...Object.fromEntries(given),
    webhooks: own?.webhooks && { ...own.webhooks, queue: undefined },
    inbox: undefined,
    lock: undefined,
    installations: undefined,
    pacing: 'memory',
    clock: store.clock,
    shopOrigin: store.shopOrigin,
    fetch: (input, init) => fetchStore(store, input, init),
  };
}

function identityOf(
  app: INestApplication,
  name: string | undefined,
): { readonly config: PlatformConfig; readonly secret: string } {
  let options: PlatformOptions;
  try {
    options = app.get<PlatformOptions>(getPlatformOptionsToken(name), { strict: false });
  } catch {
    const message = `no imported module is the PlatformModule of the app "${name ?? 'default'}"`;
    throw new InvalidOptionsError([{ option: 'imports', message }]);
  }
  const config = app.get<PlatformConfig>(getPlatformToken(PlatformConfig, name) as symbol, {
    strict: false,
  });
  return { config, secret: [options.apiSecretKey].flat()[0] ?? '' };
}

/** Reaches the shops of the store alone: no test calls a shop on the internet. */
async function fetchStore(
  store: DevStore,
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> {
  const { origin } = new URL(input instanceof Request ? input.url : input);
  if (store.allShops.some((shop) => shop.origin === origin)) return globalThis.fetch(input, init);
  throw new TypeError(
    `The app under test has called ${origin}, which is no shop of its store: pass a fetch of your own in "options".`,
  );
}

/** What the store sends to the app's URL arrives where the app listens. */
function fetchApp(
  { appUrl, url: local }: { readonly appUrl?: string; readonly url?: string },
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  if (appUrl === undefined || url.origin !== new URL(appUrl).origin)
    return globalThis.fetch(input, init);
  const target = new URL(url.pathname + url.search, local);
  return globalThis.fetch(input instanceof Request ? new Request(target, input) : target, init);
}
