// Runs inside a consumer's folder in which no Nest is installed: `node without-nest.mjs
// express|remix|react-router <platform>`. An app is installed over OAuth into a simulated store,
// which the program `<platform>` opens in a folder of its own, answers a request with a session
// token, and handles a webhook. An app with modules says which packages it needs.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { signedSessionToken } from 'shopwright/dev-store';
import { MemorySessionStorage } from 'shopwright/sessions';
import { install } from './browser.mjs';

const SHOP = 'dev-shop.myshopify.com';
const API_VERSION = '2026-07';
const SCOPES = ['write_products'];
const APP = { apiKey: 'without-nest', apiSecretKey: 'without-nest-secret' };
const PATIENCE = 10_000;

const HOSTS = {
  express: expressApp,
  remix: webApp(() => import('shopwright/remix')),
  'react-router': webApp(() => import('shopwright/react-router')),
};
const [host, platform] = process.argv.slice(2);

await walk(HOSTS[host]);

async function walk(boot) {
  const server = createServer();
  await once(server.listen(0, 'localhost'), 'listening');
  const appUrl = `http://localhost:${server.address().port}`;
  const store = fork(platform, [JSON.stringify({ ...APP, appUrl })], { cwd: dirname(platform) });
  const [origin] = await once(store, 'message', { signal: AbortSignal.timeout(PATIENCE) });
  const sessionStorage = new MemorySessionStorage();
  const products = new EventEmitter();
  const onProduct = async (_topic, shop, body) => products.emit('created', shop, JSON.parse(body));
  const options = { appUrl, sessionStorage, shopOrigin: () => origin };
  const app = await boot(options, onProduct);
  server.on('request', app.handle);
  try {
    await app.ready();
    await install(appUrl, SHOP);
    const [session] = await sessionStorage.findSessionsByShop(SHOP);
    assert.ok(session?.accessToken, 'the install left a session with a token');

    assert.equal((await askShop(appUrl, 'of-another-app')).status, 401);
    const answer = await askShop(appUrl, APP.apiSecretKey);
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { shop: { myshopifyDomain: SHOP } });

    const delivered = once(products, 'created', { signal: AbortSignal.timeout(PATIENCE) });
    await createProduct(origin, session.accessToken, `Made for ${host}`);
    const [shop, product] = await delivered;
    assert.deepEqual([shop, product.title], [SHOP, `Made for ${host}`]);

    await checkModules(app.withModules);
    console.log(`${host}: installed, answered a session token, handled a webhook, without Nest`);
  } finally {
    await app.close();
    store.disconnect();
    server.close();
    server.closeAllConnections();
  }
}

/** What needs Nest says so, and names what to install. */
async function checkModules(withModules) {
  const app = withModules([class {}]);
  await assert.rejects(app.ready(), (error) => {
    assert.equal(error.code, 'ERR_BOOT_FAILED');
    for (const name of ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'])
      assert.ok(error.message.includes(` ${name}`), `"${error.message}" names ${name}`);
    return true;
  });
  await app.close();
}

async function expressApp({ appUrl, sessionStorage, shopOrigin }, onProduct) {
  const { default: express } = await import('express');
  const { platformApp } = await import('shopwright/express');
  const api = {
    ...APP,
    apiVersion: API_VERSION,
    scopes: SCOPES,
    hostName: new URL(appUrl).host,
    hostScheme: 'http',
    shopOrigin,
  };
  const shopify = platformApp({ api, webhooks: { PRODUCTS_CREATE: onProduct }, sessionStorage });
  const app = express();
  app.use(shopify.routes());
  app.get('/api/shop', shopify.validateAuthenticatedSession(), async (_request, response) => {
    const { session } = response.locals.shopify;
    const client = new shopify.api.clients.Graphql({ session });
    response.json((await client.request('{ shop { myshopifyDomain } }')).data);
  });
  return {
    handle: app,
    ready: () => shopify.ready(),
    close: () => shopify.close(),
    withModules: (modules) => platformApp({ api, modules }),
  };
}

function webApp(load) {
  return async (setup, onProduct) => openWeb(await load(), setup, onProduct);
}

function openWeb({ platformApp }, { appUrl, sessionStorage, shopOrigin }, onProduct) {
  const options = { ...APP, apiVersion: API_VERSION, scopes: SCOPES, appUrl, shopOrigin };
  const shopify = platformApp({
    ...options,
    webhooks: { PRODUCTS_CREATE: onProduct },
    sessionStorage,
  });
  const respond = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/webhooks') return shopify.handle(request);
    const { admin } = await shopify.authenticate.admin(request);
    return Response.json((await admin.graphql('{ shop { myshopifyDomain } }')).data);
  };
  return {
    handle: (request, response) => void serve(respond, appUrl, request, response),
    ready: () => shopify.ready(),
    close: () => shopify.close(),
    withModules: (modules) =>
      platformApp({ ...options, sessionStorage: new MemorySessionStorage(), modules }),
  };
}

/** Serves web requests over Node's HTTP server, as the adapters of Remix do. */
async function serve(respond, appUrl, incoming, outgoing) {
  const { method, headers } = incoming;
  const body = method === 'POST' ? await buffer(incoming) : undefined;
  const request = new Request(new URL(incoming.url, appUrl), { method, headers, body });
  const response = await respond(request).catch((thrown) =>
    thrown instanceof Response ? thrown : new Response(String(thrown), { status: 500 }),
  );
  const cookies = response.headers.getSetCookie();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  });
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

function askShop(appUrl, secret) {
  const token = signedSessionToken({ apiKey: APP.apiKey, secret, shop: SHOP });
  return fetch(`${appUrl}/api/shop`, { headers: { authorization: `Bearer ${token}` } });
}

async function createProduct(origin, accessToken, title) {
  const created = await fetch(`${origin}/admin/api/${API_VERSION}/products.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': accessToken },
    body: JSON.stringify({ product: { title } }),
  });
  assert.equal(created.status, 201);
}
