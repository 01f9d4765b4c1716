// The apps that are walked through. `open` is given the walk's fixtures and serves the app.

/**
 * - `grant`: how the app gets its first token;
 * - `rest`: whether the package still has a client for Admin REST.
 */
export const APPS = {
  'shopify-api': {
    title: '@shopify/shopify-api, token exchange',
    grant: 'token_exchange',
    rest: true,
    open: async (fixtures) => (await import('./shopify-api.mjs')).open(fixtures),
  },
  express: {
    title: '@shopify/shopify-app-express, authorization code',
    grant: 'authorization_code',
    rest: true,
    open: async (fixtures) => (await import('./express.mjs')).open(fixtures, {}),
  },
  'express-exchange': {
    title: '@shopify/shopify-app-express, token exchange',
    grant: 'token_exchange',
    rest: true,
    open: async (fixtures) =>
      (await import('./express.mjs')).open(fixtures, { tokenExchange: true }),
  },
  remix: {
    title: '@shopify/shopify-app-remix, authorization code',
    grant: 'authorization_code',
    rest: false,
    open: async (fixtures) => (await import('./remix.mjs')).open(fixtures, {}),
  },
  'remix-exchange': {
    title: '@shopify/shopify-app-remix, token exchange',
    grant: 'token_exchange',
    rest: false,
    open: async (fixtures) =>
      (await import('./remix.mjs')).open(fixtures, { unstable_newEmbeddedAuthStrategy: true }),
  },
  'react-router': {
    title: '@shopify/shopify-app-react-router, token exchange',
    grant: 'token_exchange',
    rest: false,
    open: async (fixtures) => (await import('./react-router.mjs')).open(fixtures),
  },
};
