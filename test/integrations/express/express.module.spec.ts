import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';

import { signedSessionToken, signedWebhook } from '../../../lib/dev-store/index.js';
import {
  ExpressIntegration,
  PlatformModule,
  RemixIntegration,
  Session,
  SessionStorage,
} from '../../../lib/index.js';
import { API_KEY, API_SECRET, APP_URL, SHOP, appOptions } from '../../support/app.js';

describe('the hosts of a Nest app', () => {
  let app: NestExpressApplication | undefined;
  afterEach(() => app?.close());

  async function open(mount: (app: NestExpressApplication) => void): Promise<string> {
    @Module({ imports: [PlatformModule.forRoot(appOptions())] })
    class App {}
    app = await NestFactory.create<NestExpressApplication>(App, {
      logger: false,
      abortOnError: false,
    });
    const session = {
      id: `offline_${SHOP}`,
      shop: SHOP,
      state: '',
      isOnline: false,
      scope: 'write_products',
      accessToken: 'shpat_x',
    };
    await app.get(SessionStorage).storeSession(new Session(session));
    mount(app);
    await app.listen(0, '127.0.0.1');
    return `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}`;
  }
  const headers = {
    authorization: `Bearer ${signedSessionToken({ apiKey: API_KEY, secret: API_SECRET, shop: SHOP })}`,
  };

  it('include the Express bundle over the same container', async () => {
    const delivered: string[] = [];
    const url = await open((nest) => {
      const shopify = nest.get(ExpressIntegration);
      nest.use('/express', shopify.validateAuthenticatedSession(), ((_req, res) =>
        res.json({ shop: res.locals.shopify.session.shop })) as RequestHandler);
      nest.use(
        '/hooks',
        shopify.processWebhooks({
          webhookHandlers: { PRODUCTS_CREATE: (topic) => void delivered.push(topic) },
        }),
      );
    });
    expect(await (await fetch(`${url}/express/shop`, { headers })).json()).toEqual({ shop: SHOP });
    const signed = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'products/create',
      payload: {},
    });
    const response = await fetch(`${url}/hooks`, {
      method: 'POST',
      headers: signed.headers,
      body: new Uint8Array(signed.body),
    });
    expect([response.status, delivered]).toEqual([200, ['PRODUCTS_CREATE']]);
  });

  it('include the Remix object over the same container', async () => {
    await open(() => {});
    const { session } = await app!
      .get(RemixIntegration)
      .authenticate.admin(new Request(`${APP_URL}/app`, { headers }));
    expect(session.shop).toBe(SHOP);
  });
});
