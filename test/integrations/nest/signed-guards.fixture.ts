import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { All, Controller, Get, HttpCode, Module, Post, UseGuards } from '@nestjs/common';
import type { StreamableFile, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

import { DevStore } from '../../../lib/dev-store/index.js';
import {
  AdminApi,
  AppProxy,
  AppProxyGuard,
  BodyHmacGuard,
  CheckoutGuard,
  CurrentSession,
  CustomerAccountGuard,
  FlowActionRun,
  FlowGuard,
  FulfillmentNotification,
  FulfillmentServiceGuard,
  PlatformModule,
  PosGuard,
  QueryHmacGuard,
  SessionToken,
  Shop,
  SignedBody,
} from '../../../lib/index.js';
import type {
  AdminContext,
  AppProxyContext,
  ExtensionTokenPayload,
  Session,
  SignedContext,
} from '../../../lib/index.js';
import { offlineSession } from '../../support/offline-session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, SHOP, appOptions } from '../../support/app.js';

export const ADAPTERS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

/** What handlers were run with, newest last. */
export const ran: unknown[] = [];
const run = (value: unknown): object => {
  ran.push(value);
  return {};
};

@Controller()
export class Surfaces {
  @All('proxy/page')
  @UseGuards(AppProxyGuard)
  proxy(
    @AppProxy() proxy: AppProxyContext,
    @AppProxy('shop') shop: string,
    @Shop() same: string,
  ): StreamableFile {
    run({ proxy, shop, same });
    return proxy.liquid('<a href="/next">', {
      layout: false,
      status: 203,
      headers: { 'x-a': '1' },
    });
  }

  @All('flow')
  @HttpCode(200)
  @UseGuards(FlowGuard)
  flow(
    @FlowActionRun() action: SignedContext,
    @FlowActionRun('payload') payload: unknown,
    @CurrentSession() session: Session,
    @AdminApi() admin: AdminContext,
  ): object {
    return run({ action, payload, session, admin });
  }

  @All('service/fulfillment_order_notification')
  @HttpCode(200)
  @UseGuards(FulfillmentServiceGuard)
  fulfillment(@FulfillmentNotification('payload') payload: unknown, @Shop() shop: string): object {
    return run({ payload, shop });
  }

  @All('launch')
  @UseGuards(QueryHmacGuard)
  launch(@Shop() shop: string): object {
    return run({ shop });
  }

  @All('body')
  @HttpCode(200)
  @UseGuards(BodyHmacGuard)
  body(@SignedBody() bytes: Buffer): object {
    return run({ text: bytes.toString() });
  }
}

@Controller('extensions')
@UseGuards(PosGuard)
export class Extensions {
  @Post('checkout')
  @UseGuards(CheckoutGuard.with({ corsHeaders: ['X-Extra'] }))
  @HttpCode(200)
  checkout(@SessionToken() token: ExtensionTokenPayload, @Shop() shop: string): object {
    return run({ token, shop });
  }

  @Get('pos/:id')
  pos(@SessionToken() token: ExtensionTokenPayload, @Shop() shop: string): object {
    return run({ token, shop });
  }
}

@Controller({ path: 'accounts', version: '2' })
export class Accounts {
  @Get()
  @UseGuards(CustomerAccountGuard)
  account(@SessionToken() token: ExtensionTokenPayload, @Shop() shop: string): object {
    return run({ token, shop });
  }

  @Get('free')
  free(): object {
    return run('free');
  }
}

/** A Nest app with every surface, and a store that has it installed. */
export async function openSurfaces(
  adapter: (typeof ADAPTERS)[number][1],
  { controllers = [Surfaces, Extensions, Accounts] as Type[], prepare = (_: App): void => {} } = {},
) {
  ran.length = 0;
  const devStore = await DevStore.open({ shops: [SHOP], deliveryRetries: [] });
  const sessionStorage = new MemorySessionStorage();
  @Module({
    imports: [
      PlatformModule.forRoot(
        appOptions({ shopOrigin: devStore.shopOrigin, sessionStorage, scopes: [] }),
      ),
    ],
    controllers,
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter(), {
    logger: false,
    abortOnError: false,
  });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const appUrl = `http://127.0.0.1:${port}`;
  devStore.addApp({
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    appUrl,
    appProxy: { url: '/proxy', subpath: 'test' },
  });
  const accessToken = devStore.shop().install(API_KEY, { scopes: ['write_products'] });
  const store = (): Promise<boolean> =>
    sessionStorage.storeSession(
      offlineSession({ id: `offline_${SHOP}`, shop: SHOP, accessToken, scope: 'write_products' }),
    );
  await store();
  const close = async (): Promise<void> => {
    await app.close();
    await devStore.close();
  };
  return { devStore, shop: devStore.shop(), sessionStorage, store, appUrl, close };
}

type App = Awaited<ReturnType<typeof NestFactory.create>>;
