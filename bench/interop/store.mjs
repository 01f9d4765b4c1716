// The simulated store, and how the official packages reach it: they build addresses such as
// `https://dev-shop.myshopify.com`, so the process's own fetch sends those to the store.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const repository = createRequire(new URL('../../package.json', import.meta.url));

/** Opens a store. @param app its one app */
export async function openStore(app) {
  const { DevStore } = await import(pathToFileURL(repository.resolve('shopwright/dev-store')).href);
  const devStore = await DevStore.open({ apps: [app] });
  const direct = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    return /(?:^|\.)(?:myshopify|shopify)\.com$/.test(hostname)
      ? devStore.fetch(input, init)
      : direct(input, init);
  };
  return devStore;
}
