import { request } from 'node:http';

import { Global, Injectable, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleDestroy } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';

import { base64Host, signedQuery, signedWebhook } from '../../lib/dev-store/index.js';
import { PlatformModule } from '../../lib/index.js';
import { platformApp } from '../../lib/integrations/express/index.js';
import { MemorySessionStorage } from '../../lib/sessions/storages/memory/memory-session.storage.js';
import { API_KEY, API_SECRET, SHOP, appOptions } from '../support/app.js';
import { gate } from '../support/gate.js';
import type { Gate } from '../support/gate.js';
import { HOSTS, openExpress, openNest, openRemix, openServer } from '../support/hosts.js';
import type { HostOptions, RunningHost } from '../support/hosts.js';

const PATH = '/hooks/slow';

/** What a handler that takes its time goes through: it begins, is let go, and ends. */
class SlowHandler {
  readonly ran: string[] = [];
  readonly begun: Gate = gate();
  readonly end: Gate = gate();
  readonly ended: Gate = gate();

  readonly run = async (
    _topic: string,
    _shop: string,
    _body: string,
    webhookId: string,
  ): Promise<void> => {
    this.ran.push(`${webhookId} begins`);
    this.begun.open();
    await this.end.opened;
    this.ran.push(`${webhookId} ends`);
    this.ended.open();
  };

  /**
   * On every host below a path of its own: in Remix the webhook path belongs to a route of the app.
   */
  get options(): NonNullable<HostOptions['options']> {
    return {
      webhooks: {
        PRODUCTS_UPDATE: { deliveryMethod: 'http', callbackUrl: PATH, callback: this.run },
      },
    };
  }
}

const signed = (webhookId: string): ReturnType<typeof signedWebhook> =>
  signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/update',
    payload: { id: 1 },
    webhookId,
  });

async function deliver({ url }: RunningHost, webhookId: string, path = PATH): Promise<Response> {
  const { headers, body } = signed(webhookId);
  return fetch(url + path, { method: 'POST', headers, body: new Uint8Array(body) });
}

/** Delivers as the platform does that hangs up: after the handler has begun. */
async function deliverAndHangUp(
  { url }: RunningHost,
  webhookId: string,
  begun: Gate,
  path = PATH,
): Promise<void> {
  const { headers, body } = signed(webhookId);
  const sending = request(url + path, { method: 'POST', headers, agent: false });
  const closed = new Promise((resolve) => sending.on('close', resolve).on('error', () => {}));
  sending.end(body);
  await begun.opened;
  sending.destroy();
  await closed;
}

/** Tells whether a promise is still pending after a while in which it could have settled. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const later = new Promise<'pending'>((resolve) => setTimeout(() => resolve('pending'), 100));
  return (await Promise.race([promise, later])) === 'pending';
}

describe.each(HOSTS)('a slow handler on $name', ({ open }) => {
  let host: RunningHost;
  let slow: SlowHandler;
  beforeEach(() => {
    slow = new SlowHandler();
  });
  afterEach(async () => {
    slow.end.open();
    await host.close();
  });

  it('is neither cut off nor run twice when its sender hangs up', async () => {
    host = await open({ options: slow.options });
    await deliverAndHangUp(host, 'w-1', slow.begun);
    const next = deliver(host, 'w-1');
    slow.end.open();
    expect((await next).status).toBe(200);
    expect(slow.ran).toEqual(['w-1 begins', 'w-1 ends']);
  });

  it('is waited for when the app stops, which refuses everything new meanwhile', async () => {
    // It was cut off: Nest closed the app's providers under it, and a facade resolved `close()` at
    // once.
    host = await open({ options: slow.options });
    await deliverAndHangUp(host, 'w-1', slow.begun);
    const stopped = host.stop();
    expect(await isPending(stopped)).toBe(true);
    const refused = await deliver(host, 'w-2');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ error: 'shutting_down' });
    const begin = await fetch(`${host.url}/auth?shop=${SHOP}`, {
      redirect: 'manual',
      headers: { accept: 'application/json' },
    });
    expect([begin.status, await begin.json()]).toMatchObject([503, { error: 'shutting_down' }]);
    slow.end.open();
    await stopped;
    expect(slow.ran).toEqual(['w-1 begins', 'w-1 ends']);
  });

  it('is given up at the limit, and free for the next process at once', async () => {
    const sessionStorage = new MemorySessionStorage();
    const shared = { sessionStorage, inbox: sessionStorage.companions.inbox };
    host = await open({
      options: { ...shared, webhooks: { ...slow.options.webhooks, shutdownTimeout: 200 } },
    });
    const answer = deliver(host, 'w-1').catch((error: unknown) => error);
    await slow.begun.opened;
    await host.stop();
    // What has hung on until now is told, unless its connection was closed first.
    const response = await answer;
    if (response instanceof Response) expect(response.status).toBe(503);

    const other = new SlowHandler();
    other.end.open();
    const next = await open({ options: { ...shared, ...other.options } });
    try {
      // As long as it is held, it would be answered 503.
      expect((await deliver(next, 'w-1')).status).toBe(200);
      slow.end.open();
      await slow.ended.opened;
      expect((await deliver(next, 'w-1')).status).toBe(200);
      expect([slow.ran, other.ran]).toEqual([
        ['w-1 begins', 'w-1 ends'],
        ['w-1 begins', 'w-1 ends'],
      ]);
    } finally {
      await next.close();
    }
  });

  it('has company: an OAuth callback in the middle of its grant is waited for', async () => {
    const [asked, granted] = [gate(), gate()];
    const sessionStorage = new MemorySessionStorage();
    host = await open({
      options: {
        sessionStorage,
        fetch: async (input) => {
          if (!String(input instanceof Request ? input.url : input).includes('/oauth/access_token'))
            return new Response(null, { status: 403 });
          asked.open();
          await granted.opened;
          return Response.json({
            access_token: 'shpat_granted',
            scope: 'write_products',
            expires_in: 3600,
            refresh_token: 'shprt_granted',
          });
        },
      },
    });
    const begin = await fetch(`${host.url}/auth?shop=${SHOP}`, { redirect: 'manual' });
    const state = new URL(begin.headers.get('location')!).searchParams.get('state')!;
    const cookie = begin.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const query = signedQuery(
      {
        code: 'code',
        shop: SHOP,
        host: base64Host(SHOP),
        state,
        timestamp: String(Math.floor(Date.now() / 1000)),
      },
      API_SECRET,
    );
    const callback = fetch(`${host.url}/auth/callback?${query}`, {
      redirect: 'manual',
      headers: { cookie },
    });
    await asked.opened;
    const stopped = host.stop();
    expect(await isPending(stopped)).toBe(true);
    granted.open();
    const answer = await callback;
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringContaining(API_KEY),
    ]);
    await stopped;
    expect(await sessionStorage.loadSession(`offline_${SHOP}`)).toMatchObject({
      accessToken: 'shpat_granted',
    });
  });
});

/** What a provider of the app closes when its module is destroyed. */
class Database {
  isOpen = true;
  query(): void {
    if (!this.isOpen) throw new Error('The database is closed.');
  }
}

/** Modules of an app at every distance from its root, each with a database. */
function databases(): {
  all: Database[];
  feature: DynamicModule;
  global: DynamicModule;
  inRoot: NonNullable<DynamicModule['providers']>;
} {
  const all: Database[] = [];
  const provider = (): new () => OnModuleDestroy => {
    const database = new Database();
    all.push(database);
    @Injectable()
    class Connection implements OnModuleDestroy {
      onModuleDestroy(): void {
        database.isOpen = false;
      }
    }
    return Connection;
  };
  @Module({ providers: [provider()] })
  class FeatureModule {}
  @Global()
  @Module({ providers: [provider()] })
  class GlobalModule {}
  return {
    all,
    feature: { module: FeatureModule },
    global: { module: GlobalModule },
    inRoot: [provider()],
  };
}

describe.each([
  [
    'Nest on Express',
    3,
    (setup: HostOptions, root: DynamicModule['providers']) =>
      openNest(new ExpressAdapter(), setup, { providers: root }),
  ],
  [
    'Nest on Fastify',
    3,
    (setup: HostOptions, root: DynamicModule['providers']) =>
      openNest(new FastifyAdapter(), setup, { providers: root }),
  ],
  ['plain Express with modules', 2, (setup: HostOptions) => openExpress(setup)],
  ['Remix with modules', 2, (setup: HostOptions) => openRemix(setup)],
])('the databases of an app on %s', (_name, closed, open) => {
  it('are closed only when no handler needs them any more', async () => {
    const { all, feature, global, inRoot } = databases();
    const slow = new SlowHandler();
    const done = gate();
    const failures: unknown[] = [];
    const callback = async (...delivery: Parameters<SlowHandler['run']>): Promise<void> => {
      await slow.run(...delivery);
      try {
        for (const database of all) database.query();
      } catch (error) {
        failures.push(error);
      }
      done.open();
    };
    const options = {
      webhooks: { PRODUCTS_UPDATE: { deliveryMethod: 'http', callbackUrl: PATH, callback } },
    } as const;
    const host = await open({ options, modules: [feature, global] }, inRoot);
    await deliverAndHangUp(host, 'w-1', slow.begun);
    const stopped = host.stop();
    expect(await isPending(stopped)).toBe(true);
    expect(all.map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
    slow.end.open();
    await done.opened;
    expect(failures).toEqual([]);
    await stopped;
    expect(all.filter(({ isOpen }) => !isOpen)).toHaveLength(closed);
    await host.close();
  });
});

describe('several apps of one container', () => {
  it('are drained side by side, so that their limits do not add up', async () => {
    const [one, two] = [new SlowHandler(), new SlowHandler()];
    const named = PlatformModule.forRoot({
      ...appOptions({
        apiKey: 'another-key',
        webhooks: {
          PRODUCTS_UPDATE: { deliveryMethod: 'http', callbackUrl: '/hooks/two', callback: two.run },
        },
      }),
      name: 'two',
      paths: { auth: '/two/auth', exitIframe: '/two/exitiframe', webhooks: '/two/webhooks' },
    });
    const host = await openNest(
      new ExpressAdapter(),
      { options: one.options },
      { imports: [named] },
    );
    await deliverAndHangUp(host, 'w-1', one.begun);
    await deliverAndHangUp(host, 'w-2', two.begun, '/hooks/two');
    const stopped = host.stop();
    expect(await isPending(stopped)).toBe(true);
    for (const path of [PATH, '/hooks/two'])
      expect((await deliver(host, 'w-3', path)).status).toBe(503);
    one.end.open();
    two.end.open();
    await stopped;
    expect([one.ran.length, two.ran.length]).toEqual([2, 2]);
  });
});

describe('a delivery that the app processes by itself', () => {
  it('is neither cut off nor run twice when its sender hangs up', async () => {
    const slow = new SlowHandler();
    const { apiKey, apiSecretKey, scopes, apiVersion, logger } = appOptions();
    const shopify = platformApp({
      api: { apiKey, apiSecretKey, scopes, apiVersion, logger, hostName: 'app.example.com' },
      webhooks: { PRODUCTS_UPDATE: slow.run },
    });
    const app = express();
    const statuses: number[] = [];
    app.post(PATH, express.raw({ type: '*/*' }), async (req, res) => {
      const { status } = await shopify.api.webhooks.process({
        rawBody: req.body as Buffer,
        rawRequest: req,
        rawResponse: res,
      });
      statuses.push(status);
    });
    const host = await openServer(app, [], () => shopify.close());
    await deliverAndHangUp(host, 'w-1', slow.begun);
    const stopped = host.stop();
    expect(await isPending(stopped)).toBe(true);
    slow.end.open();
    await stopped;
    expect(slow.ran).toEqual(['w-1 begins', 'w-1 ends']);
    expect(statuses).toEqual([200]);
    await host.close();
  });
});
