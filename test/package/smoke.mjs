// Runs inside a consumer's folder, on whatever Node and Nest is installed there: a Nest app, a plain
// Express app and one with Nest modules are installed into a simulated store over OAuth, call its
// Admin API and get a webhook. Plain JavaScript, so that it runs everywhere without a compiler.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import express from 'express';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AdminGraphqlClient,
  AdminRestClient,
  ApiVersion,
  Payload,
  PlatformModule,
  WebhookHandler,
} from 'shopwright';
import { DevStore } from 'shopwright/dev-store';
import { DeliveryMethod, platformApp } from 'shopwright/express';
import { Product, restResources } from 'shopwright/rest/admin/2026-07';
import { createAdminRestApiClient } from 'shopwright/rest-client';
import { MemorySessionStorage } from 'shopwright/sessions';
import { install } from './browser.mjs';

const SHOP = 'dev-shop.myshopify.com';
const SCOPES = ['read_products', 'write_products'];
const SHOP_QUERY = '{ shop { myshopifyDomain } }';

await walk('Nest', nestApp);
await walk('Express', expressApp);
await walk('Express with modules', expressAppWithModules);

async function walk(title, boot) {
  // The app's address goes into the store and into the app's own options, so the port is taken
  // before the app exists.
  let app = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => app(request, response));
  await new Promise((listening) => server.listen(0, 'localhost', listening));
  const appUrl = `http://localhost:${server.address().port}`;
  const name = title.replaceAll(' ', '-');
  const credentials = { apiKey: `key-${name}`, apiSecretKey: `secret-${name}` };
  const store = await DevStore.open({ apps: [{ ...credentials, appUrl }], shops: [SHOP] });
  const sessionStorage = new MemorySessionStorage();
  const received = [];
  const settings = { appUrl, sessionStorage, shopOrigin: (shop) => store.shopOrigin(shop) };
  const host = await boot({ ...credentials, ...settings }, (product) =>
    received.push(product.title),
  );
  app = host.handle;
  try {
    await install(appUrl, SHOP);
    const [session] = await sessionStorage.findSessionsByShop(SHOP);
    assert.ok(session?.accessToken, 'the install left a session with a token');

    const { data } = await host.queryShop(session);
    assert.equal(data.shop.myshopifyDomain, SHOP);

    const rest = createAdminRestApiClient({
      storeDomain: SHOP,
      apiVersion: ApiVersion.July26,
      accessToken: session.accessToken,
      customFetchApi: store.fetch,
    });
    const created = await rest.post('products', {
      data: { product: { title: `Made for ${title}` } },
    });
    assert.equal(created.status, 201);
    const { data: products } = await host.resources().Product.all({ session, limit: 1 });
    assert.ok(
      products[0] instanceof Product && products[0].title,
      'products are instances, with what the platform answered',
    );
    await store.settled();
    assert.deepEqual(received, [`Made for ${title}`]);
    console.log(`${title}: installed, called the Admin API, got the webhook`);
  } finally {
    await host.close();
    await store.close();
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
}

/** A class with a handler, as a decorated class of TypeScript is compiled. */
function productHandlers(onProduct) {
  class ProductHandlers {
    onProductCreated(product) {
      onProduct(product);
    }
  }
  Injectable()(ProductHandlers);
  WebhookHandler('PRODUCTS_CREATE')(
    ProductHandlers.prototype,
    'onProductCreated',
    Object.getOwnPropertyDescriptor(ProductHandlers.prototype, 'onProductCreated'),
  );
  Payload()(ProductHandlers.prototype, 'onProductCreated', 0);
  return ProductHandlers;
}

async function nestApp({ shopOrigin, ...options }, onProduct) {
  class AppModule {}
  const platform = PlatformModule.forRoot({
    ...options,
    shopOrigin,
    apiVersion: ApiVersion.July26,
    scopes: SCOPES,
    restResources,
  });
  Module({ imports: [platform], providers: [productHandlers(onProduct)] })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: ['error'], abortOnError: false });
  await app.init();
  return {
    handle: app.getHttpAdapter().getInstance(),
    queryShop: (session) => app.get(AdminGraphqlClient).for(session).request(SHOP_QUERY),
    resources: () => app.get(AdminRestClient).resources,
    close: () => app.close(),
  };
}

async function expressApp(options, onProduct) {
  return mounted(
    platformApp({
      ...expressOptions(options),
      webhooks: {
        path: '/webhooks',
        PRODUCTS_CREATE: {
          deliveryMethod: DeliveryMethod.Http,
          callbackUrl: '/webhooks',
          callback: (_topic, _shop, body) => onProduct(JSON.parse(body)),
        },
      },
    }),
  );
}

async function expressAppWithModules(options, onProduct) {
  class HandlersModule {}
  Module({ providers: [productHandlers(onProduct)] })(HandlersModule);
  return mounted(platformApp({ ...expressOptions(options), modules: [HandlersModule] }));
}

function expressOptions({ apiKey, apiSecretKey, appUrl, sessionStorage, shopOrigin }) {
  const { host, protocol } = new URL(appUrl);
  return {
    api: {
      apiKey,
      apiSecretKey,
      apiVersion: ApiVersion.July26,
      scopes: SCOPES,
      hostName: host,
      hostScheme: protocol.slice(0, -1),
      shopOrigin,
      restResources,
    },
    auth: { path: '/auth', callbackPath: '/auth/callback' },
    sessionStorage,
  };
}

function mounted(platform) {
  const app = express();
  app.use(platform.routes());
  return {
    handle: app,
    queryShop: (session) => new platform.api.clients.Graphql({ session }).request(SHOP_QUERY),
    resources: () => platform.api.rest,
    close: () => platform.close(),
  };
}
