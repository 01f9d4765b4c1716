import { Catch, Controller, Get, HttpException, UseFilters, UseGuards } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter, INestApplication, Type } from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from '@jest/globals';

import {
  AdminApi,
  ApiVersion,
  AuthenticatedSessionGuard,
  PlatformModule,
} from '../../../lib/index.js';
import type { AdminContext } from '../../../lib/index.js';
import { PlatformTestingModule } from '../../../lib/testing/index.js';

/** As Nest's documentation has it. */
@Catch()
class CatchEverything implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: unknown, context: ArgumentsHost): void {
    const status = error instanceof HttpException ? error.getStatus() : 500;
    this.host.httpAdapter.reply(context.switchToHttp().getResponse(), { caught: status }, status);
  }
}

@Controller('shop')
@UseGuards(AuthenticatedSessionGuard)
class ShopController {
  @Get()
  async shop(@AdminApi() admin: AdminContext): Promise<unknown> {
    return (await admin.graphql('{ shop { name } }')).data;
  }

  @Get('by-itself')
  @UseFilters(CatchEverything)
  byItself(@AdminApi() admin: AdminContext): Promise<unknown> {
    return this.shop(admin);
  }

  @Get('broken')
  broken(): void {
    throw new Error('of the app');
  }
}

let close = async (): Promise<void> => {};
afterEach(() => close());

const everywhere = (app: INestApplication): unknown =>
  app.useGlobalFilters(new CatchEverything(app.get(HttpAdapterHost)));

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('a filter of the app that catches everything, on %s', (_, adapter) => {
  it.each([
    ['useGlobalFilters()', [], everywhere],
    ['APP_FILTER', [{ provide: APP_FILTER, useClass: CatchEverything as Type }], () => {}],
  ])(
    'given with %s, leaves a token that the platform rejects to the toolkit',
    async (_how, providers, prepare) => {
      // With useGlobalFilters() it answered 500, and the shop was never led to a new token.
      const testing = await PlatformTestingModule.create({
        imports: [PlatformModule.forRoot({ apiVersion: ApiVersion.July26, scopes: [] })],
        controllers: [ShopController],
        providers,
        adapter: adapter(),
        prepare: (app) => void prepare(app),
      });
      close = () => testing.close();
      await testing.install();
      const get = (path: string) =>
        testing.fetch(path, { headers: { authorization: `Bearer ${testing.sessionToken()}` } });
      expect(await (await get('/shop/broken')).json()).toEqual({ caught: 500 });

      testing.shop().uninstallWithDeferredWebhook(testing.config.apiKey);
      const refused = await get('/shop');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('x-shopify-retry-invalid-session-request')).toBe('1');
      expect(await (await get('/shop/by-itself')).json()).toEqual({ caught: expect.any(Number) });
    },
  );
});
