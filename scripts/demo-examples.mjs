// The examples that `npm run demo` starts and walks through.
import assert from 'node:assert/strict';

import { titlesIn } from './demo-app.mjs';
import { until } from './demo-browser.mjs';

/**
 * What the walk has to know of each example: how it starts, what its pages show, which titles it
 * has `heard` of from webhooks, and the `steps` it has beyond those that all examples have in
 * common.
 */
export const EXAMPLES = {
  nest: {
    start: async (ports) =>
      (await import('../examples/dist/nest-app/src/demo.js')).startDemo(ports),
    home: /Connected to <strong id="shop">dev-shop\.myshopify\.com/,
    report: /Products by status/,
    heard: async (_demo, api) =>
      (await api('/api/deliveries')).deliveries.map(({ title }) => title),
    steps: ({ api, heard }) => [
      [
        'Plan: the app knows it, and its webhook arrives',
        async () => {
          assert.equal((await api('/api/plan')).plan, 'Pro');
          await until(async () => (await heard()).includes('Pro is active'));
        },
      ],
      [
        'Shop: read over the Admin API, on all three hosts',
        async () => {
          for (const path of ['/api/shop', '/express/shop', '/remix/shop'])
            assert.equal((await api(path)).shop.name, 'Dev Shop');
        },
      ],
      [
        'Product create: written over the Admin API',
        async () => {
          const { product } = await api('/api/products', { title: 'Walking boots' });
          assert.match(product.id, /^gid:\/\//);
          assert.ok(
            (await api('/api/products')).products.some(({ title }) => title === 'Walking boots'),
          );
          await until(async () => (await heard()).includes('Walking boots'));
        },
      ],
    ],
  },
  express: {
    start: async (ports) => (await import('./demo-express.mjs')).startDemo(ports),
    home: /<h1>Products<\/h1>/,
    report: /<h1>Report<\/h1>/,
    heard: async ({ lines }) => titlesIn(lines),
    steps: () => [],
  },
  'remix-app': routeExample('remix-app'),
  'react-router-app': routeExample('react-router-app'),
  'hono-app': {
    start: async (ports) => (await import('./demo-projects.mjs')).startDemo('hono-app', ports),
    walk: async (demo) =>
      (await import('./demo-fetch-walk.mjs')).walk(demo, { proxied: '/apps/hello' }),
  },
};

/** An example of a router: its pages are what others have an API for. */
function routeExample(name) {
  return {
    start: async (ports) => (await import('./demo-projects.mjs')).startDemo(name, ports),
    walk: async (demo) => (await import('./demo-routes-walk.mjs')).walk(demo),
  };
}
