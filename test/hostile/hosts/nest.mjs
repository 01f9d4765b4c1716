import 'reflect-metadata';

import { Controller, Get, Injectable, Module, Req, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import {
  AuthenticatedSessionGuard,
  CurrentSession,
  ExpressIntegration,
  FlowAction,
  FulfillmentService,
  PlatformModule,
  RequiresPlan,
  WebhookContext,
  WebhookHandler,
} from '../../../dist/index.js';
import { OPTIONS, SIGNED_PATHS, note, proxied, queryOf } from './app.mjs';

/** Decorators, written out for a program that nobody compiles. */
function decorated(target, method, decorators, parameters = []) {
  for (const [index, parameter] of parameters.entries()) parameter(target.prototype, method, index);
  for (const decorate of decorators)
    decorate(target.prototype, method, Object.getOwnPropertyDescriptor(target.prototype, method));
}

class Handlers {
  async onProduct({ topic, shop }) {
    note('handled', { topic, shop });
  }
  async onPaid({ topic, shop }) {
    note('handled', { topic, shop });
  }
  async onFlow({ shop }) {
    note('flowed', { shop });
  }
  async onNotification({ shop }) {
    note('notified', { shop });
  }
}
Injectable()(Handlers);
decorated(Handlers, 'onProduct', [WebhookHandler('PRODUCTS_CREATE')], [WebhookContext()]);
decorated(
  Handlers,
  'onPaid',
  [WebhookHandler('ORDERS_PAID', { callbackUrl: '/hooks/paid' })],
  [WebhookContext()],
);
decorated(Handlers, 'onFlow', [FlowAction('tag-order')], [WebhookContext()]);
decorated(Handlers, 'onNotification', [FulfillmentService()], [WebhookContext()]);

function pagesFor(api) {
  class Pages {
    page(session) {
      note('granted', { shop: session.shop });
      return { shop: session.shop };
    }
    pro() {
      note('paid');
      return {};
    }
    async proxy(req) {
      return { isGenuine: await proxied(api(), queryOf(req.originalUrl ?? req.url)) };
    }
  }
  Controller()(Pages);
  decorated(Pages, 'page', [UseGuards(AuthenticatedSessionGuard), Get('page')], [CurrentSession()]);
  decorated(Pages, 'pro', [RequiresPlan('Pro'), Get('pro')]);
  decorated(Pages, 'proxy', [Get('proxy')], [Req()]);
  return Pages;
}

async function open(adapter) {
  const parts = {};
  class App {}
  Module({
    imports: [PlatformModule.forRoot({ ...OPTIONS, webhooks: SIGNED_PATHS })],
    providers: [Handlers],
    controllers: [pagesFor(() => parts.shopify.api)],
  })(App);
  const app = await NestFactory.create(App, adapter, { logger: false, abortOnError: false });
  parts.shopify = app.get(ExpressIntegration, { strict: false });
  await app.init();
  await adapter.getInstance().ready?.();
  return app.getHttpServer();
}

export const openNestExpress = () => open(new ExpressAdapter());
export const openNestFastify = () => open(new FastifyAdapter());
