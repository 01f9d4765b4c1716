// Runs inside a consumer's folder that holds `graphql`: `node quick-start.mjs <folder> <node> <path>
// <program> [<argument> …]` starts a program of another folder with that Node, beside a simulated
// store, installs the app and opens a path of it in the admin. Prints what the embedded page says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { DevStore } from 'shopwright/dev-store';
import { install } from './browser.mjs';
import { rerouteFetch } from './store-network.mjs';

const SHOP = 'dev-shop.myshopify.com';
const PATIENCE = 30_000;
const [folder, node, path, ...program] = process.argv.slice(2);

const appUrl = `http://localhost:${await freePort()}`;
const app = { apiKey: 'quick-start', apiSecretKey: 'quick-start-secret', appUrl };
const store = await DevStore.open({ apps: [app], shops: [SHOP] });
const network = { STORE_SHOP: SHOP, STORE_ORIGIN: store.shopOrigin(SHOP) };
rerouteFetch(network);
const running = spawn(node, ['--import', './store-network.mjs', ...program], {
  cwd: folder,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    ...network,
    PORT: new URL(appUrl).port,
    SHOPIFY_APP_URL: appUrl,
    SHOPIFY_API_KEY: app.apiKey,
    SHOPIFY_API_SECRET: app.apiSecretKey,
    SCOPES: 'write_products',
  },
});
try {
  await listening();
  await install(appUrl, SHOP);
  const headers = { accept: 'text/html', 'sec-fetch-dest': 'iframe' };
  const page = await fetch(store.shop(SHOP).embeddedUrl(app.apiKey, path), { headers });
  const text = await page.text();
  assert.equal(page.status, 200, text);
  console.log(text);
} finally {
  running.kill();
  await store.close();
}

async function freePort() {
  const server = createServer();
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Resolves when the app answers. */
async function listening() {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await wait(100)) {
    assert.equal(running.exitCode, null, 'the app runs');
    const answered = await fetch(`${appUrl}/auth`).then(
      () => true,
      () => false,
    );
    if (answered) return;
  }
  throw new Error(`The app did not listen at ${appUrl} within ${PATIENCE} ms`);
}
