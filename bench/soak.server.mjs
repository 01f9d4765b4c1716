// The server of soak.mjs, in a process of its own: an Express app over the built package, which
// says how it is whenever it is asked.
import { fork } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** Of the app, on both sides. */
export const APP = {
  apiKey: 'soak-key',
  apiSecretKey: 'a-secret-of-the-soak',
  hostName: 'app.example.com',
};

/** Starts the server; `origins` are the simulated shops by domain. */
export function startServer(origins) {
  return fork(fileURLToPath(import.meta.url), [JSON.stringify(origins)], {
    execArgv: ['--expose-gc'],
  });
}

async function serve(origins) {
  const { default: express } = await import('express');
  const { platformApp } = await import('../dist/integrations/express/index.js');
  const { MemoryRecordStore, MemorySessionStorage, RecordWebhookInbox } =
    await import('../dist/sessions/index.js');
  const shopify = platformApp({
    api: {
      ...APP,
      apiVersion: '2026-07',
      scopes: ['write_products'],
      shopOrigin: (shop) => origins[shop],
      logger: { log: () => {} },
    },
    sessionStorage: new MemorySessionStorage(),
    // What was handled is remembered for days: here only for as long as it takes to be full soon.
    inbox: new RecordWebhookInbox(new MemoryRecordStore({ now: () => new Date() }, 1_000)),
    webhooks: {
      PRODUCTS_CREATE: {
        deliveryMethod: 'http',
        callbackUrl: '/webhooks',
        callback: async () => {},
      },
    },
  });
  const app = express();
  app.use(shopify.routes());
  app.use(express.json());
  app.get('/api/shop', shopify.validateAuthenticatedSession(), (_req, res) =>
    res.json({ shop: res.locals.shopify.session.shop }),
  );
  app.get('/', shopify.cspHeaders(), shopify.ensureInstalledOnShop(), (_req, res) =>
    res.type('html').send('<!doctype html><p>The app'),
  );
  app.post('/uploads', (req, res) => req.resume().on('end', () => res.end()));
  // A client that hangs up is nothing to tell of.
  app.use((_error, _req, res, _next) => res.headersSent || res.status(500).end());
  await shopify.ready();

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on('message', () => {
    const { max } = delay;
    const p99 = delay.percentile(99);
    // The collection that is forced here is not the server's own doing.
    delay.disable();
    globalThis.gc();
    process.send({
      p99: p99 / 1e6,
      max: max / 1e6,
      heap: process.memoryUsage().heapUsed,
      rss: process.memoryUsage.rss(),
    });
    setImmediate(() => (delay.reset(), delay.enable()));
  });
  process.on('disconnect', () => process.exit());
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
  // Where the machine is busy, the client would use connections that are being closed.
  server.keepAliveTimeout = 60_000;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(JSON.parse(process.argv[2]));
