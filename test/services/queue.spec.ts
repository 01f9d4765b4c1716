import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { Injectable, Module } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { WaitingError } from 'bullmq';
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import { DeadLetters, PlatformModule, Shop, WebhookHandler } from '../../lib/index.js';
import { bullmqQueue } from '../../lib/webhooks/queue/bullmq/index.js';
import { systemClock } from '../../lib/core/time/clock.js';
import type { DeadLetter } from '../../lib/webhooks/queue/dead-letters.js';
import { WebhookQueue } from '../../lib/webhooks/queue/webhook.queue.js';
import { SHOP, appOptions } from '../support/app.js';
import { gate } from '../support/gate.js';
import { openQueueApp } from './queue/queue.app.js';
import type { QueueApp } from './queue/queue.app.js';
import { QUEUE_ENGINES } from './queue/queue.place.js';
import type { QueuePlace } from './queue/queue.place.js';

jest.setTimeout(60_000);

const SECRET_TEXT = 'the-text-of-a-merchant';

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(10);
}

describe.each(QUEUE_ENGINES)('the queue in $name', ({ createPlace }) => {
  let place: QueuePlace;
  const apps: QueueApp[] = [];

  beforeEach(async () => {
    place = await createPlace();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await place.drop();
  });

  async function open(...options: Tail<Parameters<typeof openQueueApp>>): Promise<QueueApp> {
    const app = await openQueueApp(place, ...options);
    apps.push(app);
    return app;
  }

  it('answers before the handler has ended, and hands it what was delivered', async () => {
    const seen: unknown[][] = [];
    const end = gate();
    const app = await open({
      PRODUCTS_CREATE: async (...args: unknown[]) => {
        await end.opened;
        seen.push(args);
      },
    });
    const body = Buffer.from('{"title":"Füße \\u0000"}');
    expect(await app.deliver({ webhookId: '1', body })).toBe(200);
    expect(seen).toEqual([]);
    end.open();
    await until(() => seen.length > 0);
    expect(seen).toEqual([['PRODUCTS_CREATE', SHOP, String(body), '1', '2026-07', undefined]]);
  });

  it('says how many deliveries it holds', async () => {
    const end = gate();
    const handled: string[] = [];
    const PRODUCTS_CREATE = async (_topic: string, _shop: string, body: string) => {
      handled.push(body);
      await end.opened;
      if (body.includes('bad')) throw new Error('It is bad.');
    };
    const taker = await open({ PRODUCTS_CREATE }, { worker: false });
    for (const title of ['one', 'bad']) await taker.deliver({ payload: { title } });
    expect((await taker.health())?.depth).toEqual({ waiting: 2, active: 0, delayed: 0, dead: 0 });
    await open({ PRODUCTS_CREATE }, { attempts: 1, concurrency: 1 });
    await until(() => handled.length === 1);
    expect((await taker.health())?.depth).toEqual({ waiting: 1, active: 1, delayed: 0, dead: 0 });
    end.open();
    await until(async () => (await taker.health())?.depth?.dead === 1);
    expect(await taker.health()).toMatchObject({
      status: 'up',
      depth: { waiting: 0, active: 0, delayed: 0, dead: 1 },
    });
  });

  it('keeps the bytes of a body that is no text', async () => {
    const bodies: string[] = [];
    const app = await open({
      PRODUCTS_CREATE: async (_topic: string, _shop: string, body: string) =>
        void bodies.push(body),
    });
    const body = Buffer.from([0x7b, 0x00, 0xff]);
    expect(await app.deliver({ body })).toBe(200);
    await until(() => bodies.length > 0);
    expect(bodies).toEqual([body.toString('utf8')]);
  });

  it('ignores a duplicate, of a delivery that waits and of one that is done', async () => {
    const runs: string[] = [];
    const end = gate();
    const app = await open({
      PRODUCTS_CREATE: async (_topic: string, _shop: string, _body: string, id: string) => {
        runs.push(id);
        await end.opened;
      },
    });
    expect(await app.deliver({ webhookId: 'twice' })).toBe(200);
    expect(await app.deliver({ webhookId: 'twice' })).toBe(200);
    await until(() => runs.length > 0);
    end.open();
    await until(async () => (await place.stored()).includes('"id":1') === false);
    expect(await app.deliver({ webhookId: 'twice' })).toBe(200);
    expect(await app.deliver({ webhookId: 'other' })).toBe(200);
    await until(() => runs.includes('other'));
    expect(runs).toEqual(['twice', 'other']);
  });

  it('removes the body once the delivery is handled, and logs nothing of it', async () => {
    const end = gate();
    let isHandled = false;
    const app = await open({
      PRODUCTS_CREATE: async () => {
        await end.opened;
        isHandled = true;
      },
    });
    await app.deliver({ payload: { note: SECRET_TEXT } });
    expect(await place.stored()).toContain(SECRET_TEXT);
    end.open();
    await until(() => isHandled);
    await until(async () => !(await place.stored()).includes(SECRET_TEXT));
    expect(app.lines.join('\n')).not.toContain(SECRET_TEXT);
  });

  it('stores bodies encrypted where there are keys', async () => {
    const bodies: string[] = [];
    const end = gate();
    const handlers = {
      PRODUCTS_CREATE: async (_topic: string, _shop: string, body: string) => {
        await end.opened;
        bodies.push(body);
      },
    };
    const key = 'a'.repeat(64);
    const app = await open(handlers, { encryptionKeys: [{ id: 'k1', key }] });
    await app.deliver({ payload: { note: SECRET_TEXT } });
    const stored = await place.stored();
    expect(stored).toContain('k1:');
    expect(stored).not.toContain(SECRET_TEXT);
    end.open();
    await until(() => bodies.length > 0);
    expect(bodies).toEqual([JSON.stringify({ note: SECRET_TEXT })]);
  });

  it('repeats what failed, and runs no handler again that has succeeded', async () => {
    const runs: string[] = [];
    const app = await open({
      PRODUCTS_CREATE: [
        { deliveryMethod: 'http', callback: async () => void runs.push('first') },
        {
          deliveryMethod: 'http',
          callback: async () => {
            runs.push('second');
            if (runs.filter((run) => run === 'second').length < 3) throw new Error('not yet');
          },
        },
      ],
    });
    expect(await app.deliver()).toBe(200);
    await until(() => runs.length === 4);
    expect(runs).toEqual(['first', 'second', 'second', 'second']);
  });

  it('gives up after its last attempt, tells the hook once, and handles it again on demand', async () => {
    const letters: DeadLetter[] = [];
    const runs: string[] = [];
    let isBroken = true;
    const app = await open(
      {
        PRODUCTS_CREATE: async (_topic: string, _shop: string, _body: string, id: string) => {
          runs.push(id);
          if (isBroken && id === 'poisoned') throw new Error(`broken by ${SECRET_TEXT}`);
        },
      },
      { attempts: 3, onDeadLetter: (letter) => void letters.push(letter) },
    );
    const { deadLetters } = app.api.webhooks;
    await app.deliver({ webhookId: 'poisoned' });
    await app.deliver({ webhookId: 'sound' });
    await until(async () => (await deadLetters.list()).length === 1);
    expect(runs.sort()).toEqual(['poisoned', 'poisoned', 'poisoned', 'sound']);
    const [letter] = await deadLetters.list();
    expect(letter).toMatchObject({
      topic: 'PRODUCTS_CREATE',
      shop: SHOP,
      webhookId: 'poisoned',
      attempts: 3,
      handlers: [expect.stringContaining('PRODUCTS_CREATE')],
      reason: expect.stringContaining('These handlers failed'),
    });
    const handler = letter!.handlers![0]!;
    expect(await deadLetters.list({ handler })).toEqual([letter]);
    expect(await deadLetters.list({ handler: 'another' })).toEqual([]);
    expect(letters).toEqual([{ ...letter, failedAt: expect.any(Date) }]);
    expect(JSON.stringify(letter)).not.toContain(SECRET_TEXT);

    isBroken = false;
    expect(await deadLetters.replay(letter!.id)).toBe(true);
    await until(() => runs.length === 5);
    await until(async () => (await deadLetters.list()).length === 0);
    expect(runs[4]).toBe('poisoned');
    expect(await deadLetters.replay(letter!.id)).toBe(false);
    expect(await deadLetters.replay('d-unknown')).toBe(false);
    expect(letters).toHaveLength(1);
  });

  it('gives up again after a replay, with all attempts', async () => {
    const letters: DeadLetter[] = [];
    let runs = 0;
    const app = await open(
      {
        PRODUCTS_CREATE: async () => {
          runs++;
          throw new Error('still broken');
        },
      },
      { attempts: 2, onDeadLetter: (letter) => void letters.push(letter) },
    );
    const { deadLetters } = app.api.webhooks;
    await app.deliver();
    await until(async () => (await deadLetters.list()).length === 1);
    expect(await deadLetters.replayAll({ topic: 'orders/create' })).toBe(0);
    expect(await deadLetters.replayAll({ shop: 'other.myshopify.com' })).toBe(0);
    expect(await deadLetters.replayAll({ before: letters[0]!.receivedAt })).toBe(0);
    expect(runs).toBe(2);
    expect(
      await deadLetters.replayAll({ topic: 'products/create', shop: SHOP, since: new Date(0) }),
    ).toBe(1);
    await until(() => letters.length === 2);
    expect(runs).toBe(4);
    expect(letters[1]!.attempts).toBe(2);
  });

  it('handles a replayed delivery that a process took and gave back unread', async () => {
    // With a single attempt it was a dead letter again at once, its handler unasked.
    const runs: string[] = [];
    let isBroken = true;
    const handlers = {
      PRODUCTS_CREATE: async () => {
        runs.push('run');
        if (isBroken) throw new Error('broken');
      },
    };
    const first = await open(handlers, { attempts: 1 });
    await first.deliver();
    await until(async () => (await first.api.webhooks.deadLetters.list()).length === 1);
    await first.close();

    const web = await open(handlers, { worker: false });
    const [letter] = await web.api.webhooks.deadLetters.list();
    expect(await web.api.webhooks.deadLetters.replay(letter!.id)).toBe(true);
    // As a process does that is shutting down.
    const giveBack = gate();
    const ending = place.openWorker(async (job, token) => {
      await job.moveToWait(token);
      giveBack.open();
      throw new WaitingError();
    });
    await giveBack.opened;
    await ending.close();

    isBroken = false;
    await open(handlers, { attempts: 1 });
    await until(() => runs.length === 2);
    expect(await web.api.webhooks.deadLetters.list()).toEqual([]);
  });

  it('handles other deliveries while a handler never returns', async () => {
    const runs: string[] = [];
    const app = await open(
      {
        handlerTimeout: 200,
        PRODUCTS_CREATE: (_topic: string, _shop: string, _body: string, id: string) => {
          runs.push(id);
          return id === 'endless' ? new Promise<void>(() => {}) : Promise.resolve();
        },
      },
      { concurrency: 1, attempts: 2 },
    );
    await app.deliver({ webhookId: 'endless' });
    await app.deliver({ webhookId: 'next' });
    await until(async () => (await app.api.webhooks.deadLetters.list()).length === 1);
    expect(runs.filter((id) => id === 'next')).toEqual(['next']);
    expect(runs.filter((id) => id === 'endless')).toEqual(['endless', 'endless']);
  });

  it('needs no restart when its server was away at the start', async () => {
    const runs: string[] = [];
    const target = new URL(place.connection);
    const proxy = createServer((socket) => {
      const server = connect(Number(target.port), target.hostname);
      socket.pipe(server).pipe(socket);
      for (const [one, other] of [
        [socket, server],
        [server, socket],
      ] as const)
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
    });
    const port = await new Promise<number>((resolve) =>
      proxy.listen(0, '127.0.0.1', () => resolve((proxy.address() as AddressInfo).port)),
    );
    await new Promise((resolve) => proxy.close(resolve));
    const connection = new URL(target);
    connection.host = `127.0.0.1:${port}`;
    const app = await open({ PRODUCTS_CREATE: async () => void runs.push('run') }, { connection });
    try {
      expect(await app.deliver({ webhookId: 'early' })).toBe(503);
      await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
      await until(async () => (await app.deliver({ webhookId: 'early' })) === 200);
      await until(() => runs.length > 0);
      expect(runs).toEqual(['run']);
    } finally {
      await app.close();
      proxy.close();
    }
  });

  it('leaves the work to others where there is no worker', async () => {
    const ran: string[] = [];
    const handlersOf = (name: string) => ({
      PRODUCTS_CREATE: async () => void ran.push(name),
    });
    const web = await open(handlersOf('web'), { worker: false });
    expect(await web.deliver()).toBe(200);
    await open(handlersOf('worker'));
    await until(() => ran.length > 0);
    expect(ran).toEqual(['worker']);
  });

  it('is worked by a Nest app without routes, once its providers have been started', async () => {
    const ran: string[] = [];
    const web = await open({ PRODUCTS_CREATE: async () => {} }, { worker: false });
    expect(await web.deliver()).toBe(200);

    @Injectable()
    class Handlers implements OnModuleInit {
      async onModuleInit(): Promise<void> {
        await systemClock.sleep(50);
        ran.push('started');
      }

      @WebhookHandler('PRODUCTS_CREATE')
      async onProduct(@Shop() shop: string): Promise<void> {
        ran.push(shop);
      }
    }
    const { connection, prefix } = place;
    const queue = bullmqQueue({ connection, prefix });
    @Module({
      imports: [PlatformModule.forRoot({ ...appOptions({ webhooks: { queue } }), routes: false })],
      providers: [Handlers],
    })
    class WorkerModule {}
    const worker = await NestFactory.createApplicationContext(WorkerModule, { logger: false });
    await until(() => ran.includes(SHOP));
    expect(ran).toEqual(['started', SHOP]);
    expect(await worker.get(DeadLetters).list()).toEqual([]);
    const kept = worker.get(WebhookQueue);
    await until(async () => (await kept.depth())?.active === 0);
    expect(await kept.depth()).toEqual({ waiting: 0, delayed: 0, active: 0, dead: 0 });
    expect(await kept.recent(5)).toEqual([
      {
        topic: 'PRODUCTS_CREATE',
        shop: SHOP,
        webhookId: 'delivery-1',
        state: 'handled',
        changedAt: expect.any(Date),
      },
    ]);
    await worker.close();
  });

  it('handles the deliveries of a shop in the order of their events, those of others beside them', async () => {
    const runs: string[] = [];
    const running = new Map<string, number>();
    let together = 0;
    const end = gate();
    const handlers = {
      PRODUCTS_CREATE: async (_topic: string, shop: string, _body: string, id: string) => {
        running.set(shop, (running.get(shop) ?? 0) + 1);
        expect(running.get(shop)).toBe(1);
        together = Math.max(together, running.size);
        runs.push(id);
        await end.opened;
        await systemClock.sleep(20);
        running.delete(shop);
      },
    };
    const ordered = { ordering: 'shop', concurrency: 3 } as const;
    const web = await open(handlers, { ...ordered, worker: false });
    const shops = ['one.myshopify.com', 'two.myshopify.com', 'three.myshopify.com'];
    // Each pair is less than a millisecond apart, and none arrives in its order.
    for (const [place, at] of [3, 1, 0, 2, 4].entries())
      for (const shop of shops)
        expect(
          await web.deliver({
            shop,
            webhookId: `${shop} ${at}`,
            triggeredAt: `2026-07-01T12:00:00.00000${at}${place}00Z`,
          }),
        ).toBe(200);
    await Promise.all([1, 2, 3].map(() => open(handlers, ordered)));
    await until(() => runs.length === shops.length);
    expect(together).toBe(shops.length);
    end.open();
    await until(() => runs.length === 5 * shops.length);
    for (const shop of shops)
      expect(runs.filter((id) => id.startsWith(shop))).toEqual(
        [0, 1, 2, 3, 4].map((at) => `${shop} ${at}`),
      );
  });

  it('lets a shop wait for what fails, and go on when that is a dead letter', async () => {
    const runs: string[] = [];
    let isBroken = true;
    const handlers = {
      PRODUCTS_CREATE: async (_topic: string, shop: string, _body: string, id: string) => {
        runs.push(`${id} of ${shop}`);
        if (isBroken && id === 'poisoned') throw new Error('broken');
      },
    };
    const app = await open(handlers, { ordering: 'shop', attempts: 3 });
    const { deadLetters } = app.api.webhooks;
    const other = 'other.myshopify.com';
    await app.deliver({ webhookId: 'poisoned' });
    await app.deliver({ webhookId: 'next' });
    await app.deliver({ webhookId: 'only', shop: other });
    await until(() => runs.includes(`next of ${SHOP}`));
    expect(runs.filter((run) => run.endsWith(SHOP))).toEqual([
      ...Array<string>(3).fill(`poisoned of ${SHOP}`),
      `next of ${SHOP}`,
    ]);
    expect(runs.indexOf(`only of ${other}`)).toBeLessThan(runs.length - 1);

    isBroken = false;
    await until(async () => (await deadLetters.list()).length === 1);
    const [letter] = await deadLetters.list();
    expect(await deadLetters.replay(letter!.id)).toBe(true);
    await app.deliver({ webhookId: 'last' });
    await until(() => runs.includes(`last of ${SHOP}`));
    await until(() => runs.filter((run) => run.startsWith('poisoned')).length === 4);
  });

  it('lets no shop wait for a duplicate of what is done, or for what was removed', async () => {
    const runs: string[] = [];
    const handlers = {
      PRODUCTS_CREATE: async (_topic: string, _shop: string, _body: string, id: string) =>
        void runs.push(id),
    };
    const web = await open(handlers, { ordering: 'shop', worker: false });
    const first = await open(handlers, { ordering: 'shop' });
    await web.deliver({ webhookId: 'done', triggeredAt: '2026-07-01T12:00:00Z' });
    await until(() => runs.length === 1);
    await first.close();
    expect(await web.deliver({ webhookId: 'done', triggeredAt: '2026-07-01T12:00:00Z' })).toBe(200);
    await web.deliver({ webhookId: 'removed', triggeredAt: '2026-07-01T12:00:01Z' });
    await place.removeJob('removed');
    await web.deliver({ webhookId: 'last', triggeredAt: '2026-07-01T12:00:02Z' });
    await open(handlers, { ordering: 'shop' });
    await until(() => runs.length === 2);
    expect(runs).toEqual(['done', 'last']);
  });

  it('hands back what a shutdown interrupts, to be handled by the next process', async () => {
    const begun = gate();
    const runs: string[] = [];
    const first = await open({
      shutdownTimeout: 100,
      PRODUCTS_CREATE: () => {
        runs.push('first');
        begun.open();
        return new Promise<void>(() => {});
      },
    });
    await first.deliver();
    await begun.opened;
    await first.close();
    const second = await open(
      { PRODUCTS_CREATE: async () => void runs.push('second') },
      { attempts: 1 },
    );
    await until(() => runs.length === 2);
    expect(runs).toEqual(['first', 'second']);
    expect(await second.api.webhooks.deadLetters.list()).toEqual([]);
  });
});

describe('the queue over a client of the app', () => {
  const { createPlace } = QUEUE_ENGINES[0]!;

  it.each([
    ['redis', () => createClient({ url: process.env['REDIS_URL']! }).on('error', () => {})],
    ['ioredis', () => new Redis(process.env['REDIS_URL']!, { maxRetriesPerRequest: null })],
  ])('handles what it has stored, and leaves the client of %s open', async (_driver, create) => {
    const runs: string[] = [];
    const place = await createPlace();
    const client = create() as Redis;
    const app = await openQueueApp(
      place,
      { PRODUCTS_CREATE: async () => void runs.push('run') },
      { connection: { redis: client }, ordering: 'shop' },
    );
    try {
      expect(await app.deliver()).toBe(200);
      await until(() => runs.length > 0);
      await app.close();
      expect(await client.ping()).toBe('PONG');
    } finally {
      await app.close();
      await client.quit();
      await place.drop();
    }
  });
});

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest]
  ? Rest
  : never;
