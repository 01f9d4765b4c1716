// Runs inside a consumer's folder, on whatever Nest is installed there, over Express and Fastify:
// webhook handlers with a ValidationPipe, a ThrottlerGuard, a request-scoped guard and a logger that
// writes JSON, as their packages make them, and handlers that are refused at boot. Plain JavaScript,
// so that it runs everywhere without a compiler.
import assert from 'node:assert/strict';
import { Body, Inject, Injectable, Module, Scope, ValidationPipe } from '@nestjs/common';
import { APP_GUARD, NestFactory, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { IsInt } from 'class-validator';
import { Logger, PinoLogger } from 'nestjs-pino';
import {
  ApiVersion,
  InvalidWebhookHandlerError,
  Payload,
  PlatformModule,
  Shop,
  WebhookHandler,
} from 'shopwright';
import { signedWebhook } from 'shopwright/dev-store';

const SHOP = 'dev-shop.myshopify.com';
const SECRET = 'secret-of-the-handlers';
const ADAPTERS = { Express: ExpressAdapter, Fastify: FastifyAdapter };

// One for all apps, as nestjs-pino keeps one for the process.
const lines = [];
const params = { pinoHttp: { stream: { write: (line) => lines.push(JSON.parse(line)) } } };
const logger = new Logger(new PinoLogger(params), params);

for (const [name, Adapter] of Object.entries(ADAPTERS)) {
  await walk(new Adapter());
  await refuse(Adapter);
  console.log(`${name}: handlers run behind pipes and guards, and what cannot run is refused`);
}

async function walk(adapter) {
  const ran = [];
  lines.length = 0;
  const app = await appWith(adapter, handlersFor(ran), {
    imports: [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 3 }])],
    providers: [
      { provide: APP_GUARD, useClass: ThrottlerGuard },
      { provide: APP_GUARD, useClass: guardFor(ran), scope: Scope.REQUEST },
    ],
    logger,
  });
  await app.listen(0, '127.0.0.1');
  try {
    const url = `http://127.0.0.1:${app.getHttpServer().address().port}/webhooks`;
    assert.equal(await post(url, { id: 'q' }), 500, 'what does not validate is not handled');
    assert.equal(await post(url, { id: 7 }), 200, 'a valid delivery is handled');
    assert.deepEqual(ran, ['guard', 'guard', 'a Dto with id 7', SHOP]);
    assert.equal(await post(url, { id: 8, denied: true }), 500, 'what the guard denies fails');
    assert.equal(await post(url, { id: 9 }), 500, 'the throttler counts');
    assert.equal(ran.filter((what) => what === 'guard').length, 3);
    const failed = lines.filter(({ msg }) => msg === 'A webhook handler failed');
    assert.equal(failed.length, 3);
    for (const { handler, topic, shop, error } of failed) {
      assert.deepEqual([handler, topic, shop], ['Products.onProduct', 'PRODUCTS_CREATE', SHOP]);
      assert.match(error.stack, /^\w*Exception: .*\n {4}at /);
    }
  } finally {
    await app.close();
  }
}

async function refuse(Adapter) {
  class ReadsBody {
    onProduct() {}
  }
  Injectable()(ReadsBody);
  decorate(ReadsBody.prototype, 'onProduct', WebhookHandler('PRODUCTS_CREATE'));
  Body()(ReadsBody.prototype, 'onProduct', 0);
  class Static {
    static onProduct() {}
  }
  Injectable()(Static);
  decorate(Static, 'onProduct', WebhookHandler('PRODUCTS_CREATE'));
  for (const handlers of [ReadsBody, Static]) {
    const app = await appWith(new Adapter(), handlers, {});
    await assert.rejects(app.init(), InvalidWebhookHandlerError);
  }
}

async function appWith(adapter, handlers, { imports = [], providers = [], logger }) {
  class AppModule {}
  const platform = PlatformModule.forRoot({
    apiKey: 'key-of-the-handlers',
    apiSecretKey: SECRET,
    appUrl: 'https://app.example.com',
    apiVersion: ApiVersion.July26,
    scopes: [],
    ...(logger && { logger }),
  });
  Module({ imports: [platform, ...imports], providers: [handlers, ...providers] })(AppModule);
  return NestFactory.create(AppModule, adapter, { logger: false, abortOnError: false });
}

/** A class with a handler, as a decorated class of TypeScript is compiled. */
function handlersFor(ran) {
  class Dto {}
  IsInt()(Dto.prototype, 'id');
  class Products {
    onProduct(product, shop) {
      ran.push(`${product instanceof Dto ? 'a Dto' : 'no Dto'} with id ${product.id}`, shop);
    }
  }
  Injectable()(Products);
  Payload(new ValidationPipe({ transform: true }))(Products.prototype, 'onProduct', 0);
  Shop()(Products.prototype, 'onProduct', 1);
  decorate(Products.prototype, 'onProduct', WebhookHandler('PRODUCTS_CREATE', { enhancers: true }));
  Reflect.defineMetadata('design:paramtypes', [Dto, String], Products.prototype, 'onProduct');
  return Products;
}

function guardFor(ran) {
  class DenyGuard {
    constructor(delivery) {
      this.delivery = delivery;
    }

    canActivate() {
      ran.push('guard');
      return !this.delivery.payload.denied;
    }
  }
  Injectable({ scope: Scope.REQUEST })(DenyGuard);
  Inject(REQUEST)(DenyGuard, undefined, 0);
  return DenyGuard;
}

function decorate(target, name, decorator) {
  decorator(target, name, Object.getOwnPropertyDescriptor(target, name));
}

async function post(url, payload) {
  const { headers, body } = signedWebhook({
    secret: SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload,
  });
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
