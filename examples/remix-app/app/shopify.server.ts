import { ApiVersion, DeliveryMethod, MemorySessionStorage, shopifyApp } from 'shopwright/remix';

// The app's key, secret, scopes and URL come from the environment: SHOPIFY_API_KEY,
// SHOPIFY_API_SECRET, SCOPES, SHOPIFY_APP_URL. DEV_STORE names a simulated store; without it shops
// are reached on the internet.
const devStore = process.env.DEV_STORE;

export const appUrl = process.env.SHOPIFY_APP_URL ?? '';

const shopify = shopifyApp({
  apiVersion: ApiVersion.July26,
  scopes: process.env.SCOPES?.split(',') ?? [],
  appUrl,
  // Sessions end with the process: an app that is deployed has a storage such as
  // `shopwright/sessions/prisma`.
  sessionStorage: new MemorySessionStorage(),
  ...(devStore && { shopOrigin: () => devStore }),
  webhooks: {
    PRODUCTS_CREATE: { deliveryMethod: DeliveryMethod.Http, callbackUrl: '/webhooks' },
  },
});

export const { api, authenticate, login, addDocumentResponseHeaders, sessionStorage } = shopify;
