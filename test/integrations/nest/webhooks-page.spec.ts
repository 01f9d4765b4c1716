import type { AddressInfo } from 'node:net';

import { Injectable, Module } from '@nestjs/common';
import type { CanActivate, ExecutionContext, INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { PlatformModule, WebhooksPageModule } from '../../../lib/index.js';
import { appOptions } from '../../support/app.js';
import { ListedQueue, kept, letter } from '../../webhooks/queue/listed.queue.js';

@Injectable()
class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: { staff?: string } }>();
    return headers.staff === 'yes';
  }
}

@Module({
  imports: [
    PlatformModule.forRoot({
      ...appOptions(),
      webhooks: { queue: { create: () => new ListedQueue() } },
    }),
    WebhooksPageModule.register({ path: 'ops/webhooks', guards: [StaffGuard] }),
  ],
})
class AppModule {}

describe.each([
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
])('the page about webhooks in Nest, over %s', (_, adapter) => {
  let app: INestApplication;
  let url: string;
  beforeEach(async () => {
    kept.letters = [letter('d-1'), letter('d-2')];
    app = await NestFactory.create(AppModule, adapter(), { logger: false });
    app.setGlobalPrefix('api');
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/api/ops/webhooks`;
  });
  afterEach(() => app.close());

  it('is shown to whom the guard lets in', async () => {
    expect((await fetch(url)).status).toBe(403);
    const response = await fetch(url, { headers: { staff: 'yes' } });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('value="d-1"'),
    ]);
  });

  it('has a dead letter handled again', async () => {
    const shown = await fetch(url, { headers: { staff: 'yes' } });
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(await shown.text()) ?? [];
    const cookie = shown.headers.getSetCookie().map((one) => one.split(';')[0]!);
    const post = (headers: Record<string, string>): Promise<Response> =>
      fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: cookie.join('; '), 'sec-fetch-site': 'same-origin', ...headers },
        body: new URLSearchParams({ token, id: 'd-1' }),
      });
    expect((await post({})).status).toBe(403);
    expect(kept.letters).toHaveLength(2);
    const replayed = await post({ staff: 'yes' });
    expect([replayed.status, replayed.headers.get('location')]).toEqual([302, '?replayed=1']);
    expect(kept.letters.map(({ id }) => id)).toEqual(['d-2']);
  });
});

it('the page about webhooks is not mounted without a guard', () => {
  for (const guards of [[], undefined])
    expect(() => WebhooksPageModule.register({ guards } as never)).toThrow(/guards.*is missing/s);
});

// What @nestjs/swagger 12 reads of a controller, in explorers/api-exclude-controller.explorer.
it('stays out of the OpenAPI document of the app', () => {
  const { controllers } = WebhooksPageModule.register({ guards: [StaffGuard] });
  for (const controller of controllers!)
    expect(Reflect.getMetadata('swagger/apiExcludeController', controller)).toEqual([true]);
  expect(controllers).toHaveLength(1);
});
