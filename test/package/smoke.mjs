// Runs inside a consumer's folder, on whatever Node and Nest is installed there: a Nest app and a
// plain Express app are installed into a simulated store over OAuth, call its Admin API and get a
// webhook. Plain JavaScript, so that it runs everywhere without a compiler.
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

const SHOP = 'dev-shop.myshopify.com';
const SCOPES = ['read_products', 'write_products'];
const SHOP_QUERY = '{ shop { myshopifyDomain } }';

await walk('Nest', nestApp);
await walk('Express', expressApp);

async function walk(title, boot) {
  // The app's address goes into the store and into the app's own options, so the port is taken
  // before the app exists.
  let app = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => app(request, response));
  await new Promise((listening) => server.listen(0, 'localhost', listening));
  const appUrl = `http://localhost:${server.address().port}`;
  const credentials = { apiKey: `key-${title}`, apiSecretKey: `secret-${title}` };
  const store = await DevStore.open({ apps: [{ ...credentials, appUrl }], shops: [SHOP] });
  const sessionStorage = new MemorySessionStorage();
  const received = [];
  const settings = { appUrl, sessionStorage, shopOrigin: (shop) => store.shopOrigin(shop) };
  const host = await boot({ ...credentials, ...settings }, (product) =>
    received.push(product.title),
  );
  app = host.handle;
  try {
    await install(appUrl);
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

async function nestApp({ shopOrigin, ...options }, onProduct) {
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

  class AppModule {}
  const platform = PlatformModule.forRoot({
    ...options,
    shopOrigin,
    apiVersion: ApiVersion.July26,
    scopes: SCOPES,
    restResources,
  });
  Module({ imports: [platform], providers: [ProductHandlers] })(AppModule);

  const app = await NestFactory.create(AppModule, { logger: ['error'], abortOnError: false });
  await app.init();
  return {
    handle: app.getHttpAdapter().getInstance(),
    queryShop: (session) => app.get(AdminGraphqlClient).for(session).request(SHOP_QUERY),
    resources: () => app.get(AdminRestClient).resources,
    close: () => app.close(),
  };
}

async function expressApp({ apiKey, apiSecretKey, appUrl, sessionStorage, shopOrigin }, onProduct) {
  const { host, protocol } = new URL(appUrl);
  const platform = platformApp({
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
    webhooks: {
      path: '/webhooks',
      PRODUCTS_CREATE: {
        deliveryMethod: DeliveryMethod.Http,
        callbackUrl: '/webhooks',
        callback: (_topic, _shop, body) => onProduct(JSON.parse(body)),
      },
    },
    sessionStorage,
  });
  const app = express();
  app.use(platform.routes());
  return {
    handle: app,
    queryShop: (session) => new platform.api.clients.Graphql({ session }).request(SHOP_QUERY),
    resources: () => platform.api.rest,
    close: () => platform.close(),
  };
}

/**
 * Walks through the install as a browser does: start, consent page, callback; follows redirects by
 * hand and keeps each host's cookies.
 */
async function install(appUrl) {
  const browser = createBrowser();
  const consent = await browser(`${appUrl}/auth?shop=${SHOP}`);
  const page = await consent.text();
  assert.equal(consent.status, 200, page);
  const form = page.match(/<form\b[^>]*>(?:(?!<\/form>)[\s\S])*?Install[\s\S]*?<\/form>/)?.[0];
  assert.ok(form, 'the store asks for consent');
  const fields = [...form.matchAll(/<(?:input|button)\b[^>]*\bname="[^>]*>(?:\s*Install)?/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.startsWith('<input') || tag.endsWith('Install'))
    .map((tag) => [attribute(tag, 'name'), attribute(tag, 'value') ?? '']);
  const action = new URL(attribute(form, 'action') ?? '', consent.url);
  await browser(action.href, { method: 'POST', body: new URLSearchParams(fields) });
}

function createBrowser() {
  const jars = new Map();
  return async function browse(url, init = {}) {
    for (let step = 0; step < 10; step += 1) {
      const { origin } = new URL(url);
      const jar = jars.get(origin) ?? jars.set(origin, new Map()).get(origin);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = {
        accept: 'text/html',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
        ...(cookie && { cookie }),
      };
      const response = await fetch(url, { ...init, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie())
        jar.set(...line.split(';', 1)[0].split(/=(.*)/s, 2));
      const location = response.headers.get('location');
      if (!location) return response;
      // What is left of the walk is the store's admin, which needs a real browser.
      const next = new URL(location, url);
      if (next.pathname.startsWith('/admin/apps/') || next.hostname === 'admin.shopify.com')
        return response;
      [url, init] = [next.href, {}];
    }
    throw new Error(`Too many redirects: ${url}`);
  };
}

function attribute(tag, name) {
  return tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1].replaceAll('&amp;', '&');
}
