import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import { systemClock } from '../../../lib/core/time/clock.js';
import { refuseUnready } from '../../../lib/webhooks/queue/bullmq/bullmq.connection.js';
import { jobOptionsOf } from '../../../lib/webhooks/queue/bullmq/delivery-job.js';
import { bullmqQueue } from '../../../lib/webhooks/queue/bullmq/index.js';
import { WebhookQueueError } from '../../../lib/webhooks/webhooks.errors.js';
import { SHOP } from '../../support/app.js';
import { WebhooksFixture } from '../webhooks.fixture.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const INFO = 'redis_version:7.2.0\r\nmaxmemory_policy:noeviction\r\nloading:0\r\n';

/** A Redis server that greets its clients, and then gives no answer to anything. */
async function openSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const commands = String(data).match(/^(?:info|client|hello)$/gim) ?? [];
      for (const command of commands)
        socket.write(/info/i.test(command) ? `$${INFO.length}\r\n${INFO}\r\n` : '+OK\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(resolve);
      }),
  };
}

describe("the app's own Redis client", () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function openClient() {
    const server = await openSilentServer();
    const client = new Redis(server.port, '127.0.0.1', { maxRetriesPerRequest: null });
    client.on('error', () => {});
    closing.push(
      () => server.close(),
      () => client.disconnect(),
    );
    while (client.status !== 'ready') await turn();
    return { server, client };
  }

  function queueOf(client: Redis) {
    const { config, inFlight, processor, lines } = new WebhooksFixture();
    const { create } = bullmqQueue({ connection: { redis: client } });
    const { logger } = lines;
    return { lines, queue: create({ config, inFlight, processor, logger, clock: systemClock }) };
  }

  it('stays connected when the queue is closed while its server gives no answer', async () => {
    const { client } = await openClient();
    const { queue } = queueOf(client);
    queue.begin();
    await systemClock.sleep(200);
    await queue.close();
    await systemClock.sleep(50);
    expect(client.status).toBe('ready');
  });

  it('is given no body while it has no connection', async () => {
    const { server, client } = await openClient();
    const { queue, lines } = queueOf(client);
    const facts = {
      webhookType: 'webhooks' as const,
      topic: 'PRODUCTS_CREATE',
      shop: SHOP,
      webhookId: '1',
      apiVersion: '2026-07',
    };
    const sent: string[] = [];
    const send = client.sendCommand.bind(client);
    client.sendCommand = (command, stream) => {
      sent.push(JSON.stringify(command.args.map(String)));
      return send(command, stream);
    };
    const store = () => queue.enqueue({ facts, path: '/webhooks', body: Buffer.from('the-body') });
    // The server gives no answer: only the connection counts.
    await store();
    expect(sent.filter((args) => args.includes('the-body'))).toHaveLength(1);
    await server.close();
    while (client.status === 'ready') await turn();
    expect(await store()).toEqual({ kind: 'unavailable', reason: 'queue_unavailable' });
    expect(sent.filter((args) => args.includes('the-body'))).toHaveLength(1);
    expect(lines.matching('no connection to its server')).toHaveLength(1);
    await queue.close();
  });

  it.each([
    ['ioredis', () => new Redis({ lazyConnect: true })],
    ['redis', () => createClient()],
  ])('of %s is not ready before it is connected', (_, client) => {
    const target = { kind: 'redis-client' as const, client: client() };
    expect(() => refuseUnready(target)).toThrow(WebhookQueueError);
  });

  it('is the only one that is asked', () => {
    expect(() => refuseUnready({ kind: 'redis', options: { status: 'end' } })).not.toThrow();
  });
});

it('has the driver repeat a delivery for as long as the process that handles it wants', () => {
  expect(jobOptionsOf('d-1', 15_000)).toMatchObject({
    jobId: 'd-1',
    attempts: 2 ** 31 - 1,
    backoff: { type: 'exponential', delay: 15_000 },
  });
});
