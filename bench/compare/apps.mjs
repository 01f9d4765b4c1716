// The app of the fixtures, made with our toolkit and with the incumbents. Everything is imported
// when an app is made: what one side loads must cost the other nothing.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { API_KEY, API_SECRET, API_VERSION, APP_HOST, SCOPES, SESSION } from './fixtures.mjs';

const APP = { apiKey: API_KEY, apiSecretKey: API_SECRET, apiVersion: API_VERSION, scopes: SCOPES };
/** Of a web framework's app. */
const AUTH = { path: '/api/auth', callbackPath: '/api/auth/callback' };
/** The least that each side can log: what a line costs depends on where it goes. */
const OUR_LOGGER = { level: 0 };
const THEIR_LOGGER = { level: 0 };

const repository = createRequire(new URL('../../package.json', import.meta.url));
const incumbents = createRequire(import.meta.url);

/**
 * Where an entry point of the built package is. @param subpath as users write it after the
 * package's name: `/express`
 */
export const ourEntry = (subpath = '') =>
  pathToFileURL(repository.resolve(`shopwright${subpath}`)).href;
export const ours = (subpath) => import(ourEntry(subpath));

/** A storage that holds the session of the shop, from the entry point that the app has anyway. */
async function ourStorage(entry) {
  const { MemorySessionStorage, Session } = await ours(entry);
  const storage = new MemorySessionStorage();
  await storage.storeSession(new Session(SESSION));
  return storage;
}

/** Options of the Nest module, or of the object of another entry point. */
export async function ourOptions(entry) {
  return {
    ...APP,
    appUrl: `https://${APP_HOST}`,
    expiringOfflineAccessTokens: false,
    logger: OUR_LOGGER,
    sessionStorage: await ourStorage(entry),
  };
}

export async function ourExpressApp(options = {}) {
  const { platformApp } = await ours('/express');
  const { appUrl: _appUrl, sessionStorage, ...app } = await ourOptions('/express');
  const api = { ...app, hostName: APP_HOST, hostScheme: 'https', isEmbeddedApp: true };
  const shopify = platformApp({ api, auth: AUTH, sessionStorage, ...options });
  await shopify.ready();
  return shopify;
}

export async function ourRemixApp() {
  const { platformApp } = await ours('/remix');
  return platformApp({ ...(await ourOptions('/remix')), authPathPrefix: '/auth' });
}

const THEIR_API = {
  ...APP,
  hostName: APP_HOST,
  hostScheme: 'https',
  isEmbeddedApp: true,
  logger: THEIR_LOGGER,
};

/** The official Express package; its calls to the platform are answered at once. */
export async function theirExpressApp({ future } = {}) {
  const { shopifyApp } = incumbents('@shopify/shopify-app-express');
  const { Session } = incumbents('@shopify/shopify-api');
  const answer = JSON.stringify({ data: { shop: { name: 'bench' } } });
  incumbents('@shopify/shopify-api/runtime').setAbstractFetchFunc(
    async () => new Response(answer, { headers: { 'content-type': 'application/json' } }),
  );
  const shopify = shopifyApp({
    api: THEIR_API,
    auth: AUTH,
    webhooks: { path: '/webhooks' },
    future,
  });
  await shopify.config.sessionStorage.storeSession(new Session(SESSION));
  return shopify;
}

export async function theirApi() {
  await import('@shopify/shopify-api/adapters/node');
  const { shopifyApi } = await import('@shopify/shopify-api');
  return shopifyApi(THEIR_API);
}

/** The official Remix package with its faster strategy, token exchange. */
export async function theirRemixApp() {
  await import('@shopify/shopify-app-remix/server/adapters/node');
  const { shopifyApp } = await import('@shopify/shopify-app-remix/server');
  const { MemorySessionStorage } = await import('@shopify/shopify-app-session-storage-memory');
  const { Session } = await import('@shopify/shopify-api');
  const sessionStorage = new MemorySessionStorage();
  await sessionStorage.storeSession(new Session(SESSION));
  const future = { unstable_newEmbeddedAuthStrategy: true };
  return shopifyApp({
    ...APP,
    appUrl: `https://${APP_HOST}`,
    authPathPrefix: '/auth',
    sessionStorage,
    logger: THEIR_LOGGER,
    future,
    isEmbeddedApp: true,
  });
}
