import { createServer } from 'node:http';

/**
 * Opens the app on a host as its README tells people to, and answers with its port. SIGTERM ends
 * it: Express and Remix by `close()`, Nest by its shutdown hooks. `storage` belongs to the app,
 * which closes it last.
 */
export const HOSTS = {
  express: async ({ options, storage, exits }) => {
    const [{ default: express }, { platformApp }] = await Promise.all([
      import('express'),
      import('shopwright/express'),
    ]);
    const { apiKey, apiSecretKey, scopes, apiVersion, appUrl, fetch, logger, shopOrigin, ...rest } =
      options;
    const api = {
      apiKey,
      apiSecretKey,
      scopes,
      apiVersion,
      fetch,
      logger,
      shopOrigin,
      hostName: new URL(appUrl).host,
    };
    const shopify = platformApp({ api, ...rest });
    await shopify.ready();
    const app = express();
    app.use(shopify.routes());
    app.get('/page', shopify.validateAuthenticatedSession(), (_req, res) =>
      res.json({ shop: res.locals.shopify.session.shop }),
    );
    // A background job, which has nothing but the shop's refresh token.
    app.get('/token', async (req, res) =>
      res.json({ token: (await shopify.api.session.forShop(req.query.shop)).accessToken }),
    );
    const { deadLetters } = shopify.api.webhooks;
    app.get('/dead-letters', async (_req, res) => res.json(await deadLetters.list()));
    app.get('/replays', async (_req, res) => res.json({ count: await deadLetters.replayAll() }));
    app.use((error, _req, res, _next) =>
      res.status(503).json({ error: error.code ?? `untyped: ${error.stack}` }),
    );
    return serve(app, { shopify, storage, exits });
  },

  remix: async ({ options, storage, exits }) => {
    const { platformApp } = await import('shopwright/remix');
    const shopify = platformApp(options);
    await shopify.ready();
    const listener = async (req, res) => {
      const body = [];
      for await (const chunk of req) body.push(chunk);
      const init = {
        method: req.method,
        headers: req.headers,
        ...(req.method === 'POST' && { body: Buffer.concat(body) }),
      };
      const response =
        (await shopify.handle(new Request(`http://127.0.0.1${req.url}`, init))) ??
        new Response(null, { status: 404 });
      res
        .writeHead(response.status, Object.fromEntries(response.headers))
        .end(Buffer.from(await response.arrayBuffer()));
    };
    // Who hangs up while sending ends the loop above with an error: nobody is left to answer.
    return serve((req, res) => void listener(req, res).catch(() => res.destroy()), {
      shopify,
      storage,
      exits,
    });
  },

  'nest-express': async (setup) =>
    openNest(new (await import('@nestjs/platform-express')).ExpressAdapter(), setup),
  'nest-fastify': async (setup) =>
    openNest(new (await import('@nestjs/platform-fastify')).FastifyAdapter(), setup),
};

async function serve(listener, { shopify, storage, exits }) {
  const server = createServer(listener);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.once('SIGTERM', async () => {
    await shopify.close();
    await storage.close();
    server.close();
    // An app that gives up on handlers ends by force; one that has waited for them has nothing left
    // to do.
    if (exits) process.exit(0);
  });
  return server.address().port;
}

async function openNest(adapter, { options, storage, onDestroy }) {
  await import('reflect-metadata');
  const [{ Module }, { NestFactory }, { PlatformModule }] = await Promise.all([
    import('@nestjs/common'),
    import('@nestjs/core'),
    import('shopwright'),
  ]);
  class Database {
    async onModuleDestroy() {
      onDestroy();
      await storage.close();
    }
  }
  class App {}
  Module({ imports: [PlatformModule.forRoot(options)], providers: [Database] })(App);
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  return app.getHttpServer().address().port;
}
