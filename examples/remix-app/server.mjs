// Serves what the build has written.
import { createRequestHandler } from '@remix-run/express';
import express from 'express';

import * as build from './build/server/index.js';

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
app.use(createRequestHandler({ build }));

const server = app.listen(Number(process.env.PORT ?? 3000));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
