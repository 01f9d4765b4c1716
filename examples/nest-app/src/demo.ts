import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DevStore } from 'shopwright/dev-store';

export interface Demo {
  /** Where to begin: the admin of the simulated store. */
  readonly url: string;
  readonly appUrl: string;
  close(): Promise<void>;
}

/**
 * Starts a simulated store and the example app, which know each other by address and secret only.
 */
export async function startDemo({
  storePort,
  appPort,
}: {
  storePort: number;
  appPort: number;
}): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'shopwright-demo-'));
  const appUrl = `http://localhost:${appPort}`;
  const app = {
    apiKey: 'demo-api-key',
    apiSecretKey: 'demo-api-secret',
    appUrl,
    name: 'Shopwright example',
  };
  const devStore = await DevStore.open({
    port: storePort,
    shops: [{ domain: 'dev-shop.myshopify.com', name: 'Dev Shop' }],
    apps: [app],
  });
  Object.assign(process.env, {
    PLATFORM_API_KEY: app.apiKey,
    PLATFORM_API_SECRET: app.apiSecretKey,
    SCOPES: 'write_products',
    HOST: appUrl,
    PORT: String(appPort),
    DATABASE: join(folder, 'sessions.db'),
    DEV_STORE: devStore.shopOrigin('dev-shop.myshopify.com'),
  });
  const { start } = await import('./main.js');
  const nest = await start();
  return {
    url: `${process.env['DEV_STORE']}/admin`,
    appUrl,
    close: async () => {
      await nest.close();
      await devStore.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
