// Serves what the build has written.
import { createRequestHandler } from '@react-router/express';
import express from 'express';

import * as build from './build/server/index.js';

// React moves preloads to the beginning of a page, in front of what tells a page below the app proxy
// where its scripts are: their addresses are whole.
const { origin } = new URL(process.env.SHOPIFY_APP_URL);
const assets = JSON.parse(
  JSON.stringify(build.assets).replaceAll('"/assets/', `"${origin}/assets/`),
);

const app = express().disable('x-powered-by');
app.use(
  '/assets',
  express.static('build/client/assets', {
    immutable: true,
    maxAge: '1y',
    // Pages below the app proxy are of the storefront's origin, and load their scripts from here.
    setHeaders: (response) => response.setHeader('access-control-allow-origin', '*'),
  }),
);
app.use(createRequestHandler({ build: { ...build, assets } }));

const server = app.listen(Number(process.env.PORT ?? 3000));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
