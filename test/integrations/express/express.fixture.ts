import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import express from 'express';

import { DevStore } from '../../../lib/dev-store/index.js';
import type { DevShop } from '../../../lib/dev-store/index.js';
import {
  MemorySessionStorage,
  Session,
  platformApp,
} from '../../../lib/integrations/express/index.js';
import type {
  ExpressApiOptions,
  ExpressApp,
  ExpressAppOptions,
  SessionStorage,
} from '../../../lib/integrations/express/index.js';
import { API_KEY, API_SECRET, appOptions } from '../../support/app.js';

/** An Express app on a port of its own, with a simulated shop that knows it. */
export interface RunningApp {
  readonly url: string;
  readonly shop: DevShop;
  readonly shopify: ExpressApp;
  readonly storage: SessionStorage;
  /** Lines the app has logged. */
  readonly log: string[];
  /** Sends a request and follows no redirect. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** Stores an offline session, as an install leaves it. */
  install(change?: { scope?: string; expires?: Date }): Promise<Session>;
  close(): Promise<void>;
}

export interface Setup {
  readonly api?: Partial<ExpressApiOptions>;
  readonly options?: Partial<Omit<ExpressAppOptions, 'api'>>;
}

/** Opens an app whose routes `mount` wires. */
export async function openApp(
  mount: (app: express.Express, shopify: ExpressApp) => void,
  { api, options }: Setup = {},
): Promise<RunningApp> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hostName = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${hostName}`;
  const devStore = await DevStore.open({
    apps: [{ apiKey: API_KEY, apiSecretKey: API_SECRET, appUrl: url }],
    deliveryRetries: [],
  });
  const shop = devStore.shop();
  const storage = new MemorySessionStorage();
  const log: string[] = [];
  const { apiKey, apiSecretKey, scopes, apiVersion } = appOptions();
  const logger = { level: 3, log: (_: number, line: string) => void log.push(line) };
  const shopify = platformApp({
    api: {
      apiKey,
      apiSecretKey,
      scopes,
      apiVersion,
      hostName,
      hostScheme: 'http',
      shopOrigin: devStore.shopOrigin,
      logger,
      ...api,
    },
    sessionStorage: storage,
    ...options,
  });
  mount(app, shopify);
  // Express tells the error it was handed; its own handler would write to the console.
  app.use(
    ((error, _req, res, _next) =>
      void res
        .status(500)
        .json({ thrown: (error as Error).name })) satisfies express.ErrorRequestHandler,
  );
  return {
    url,
    shop,
    shopify,
    storage,
    log,
    send: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    async install(change = {}) {
      const accessToken = shop.install(API_KEY, { scopes: 'write_products' });
      const id = `offline_${shop.domain}`;
      const session = new Session({
        id,
        shop: shop.domain,
        state: '',
        isOnline: false,
        scope: 'write_products',
        accessToken,
        ...change,
      });
      await storage.storeSession(session);
      return session;
    },
    async close() {
      await shopify.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await devStore.close();
    },
  };
}
