import { Injectable, Module } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import { WebhookHandler } from '../../../lib/index.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type {
  DeliveryOutcome,
  WebhookQueueDependencies,
} from '../../../lib/webhooks/queue/webhook.queue.js';
import type { VerifiedDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { API_SECRET, SHOP } from '../../support/app.js';
import { HOSTS } from '../../support/hosts.js';
import type { RunningHost } from '../../support/hosts.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const PATH = '/hooks/queued';

/** Keeps deliveries in memory until it begins. */
class HeldQueue extends WebhookQueue {
  readonly #kept: VerifiedDelivery[] = [];
  #begun = false;

  constructor(
    private readonly dependencies: WebhookQueueDependencies,
    private readonly log: string[],
  ) {
    super();
  }

  async enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome> {
    this.#kept.push(delivery);
    if (this.#begun) void this.#work();
    return { kind: 'accepted', reason: 'queued' };
  }

  override begin(): void {
    this.log.push('queue begins');
    this.#begun = true;
    void this.#work();
  }

  override async close(): Promise<void> {
    this.log.push('queue is closed');
  }

  async #work(): Promise<void> {
    const { inFlight, processor } = this.dependencies;
    for (let next = this.#kept.shift(); next; next = this.#kept.shift())
      await inFlight.track(processor.handle(next, { handled: [] }));
  }
}

/** A provider of the app whose handlers need what it opens. */
function databaseModule(log: string[]) {
  @Injectable()
  class Database implements OnModuleInit, OnModuleDestroy {
    async onModuleInit(): Promise<void> {
      await turn();
      log.push('database is open');
    }

    onModuleDestroy(): void {
      log.push('database is closed');
    }

    @WebhookHandler('ORDERS_CREATE', { callbackUrl: PATH })
    async onOrder(): Promise<void> {
      await turn();
      log.push('handled');
    }
  }
  @Module({})
  class DatabaseModule {}
  return { module: DatabaseModule, providers: [Database] };
}

describe.each(HOSTS)('a queue of the app on $name', ({ open }) => {
  let host: RunningHost | undefined;
  afterEach(() => host?.close());

  it('begins when the providers of the app have been started, and ends when nothing is in flight', async () => {
    const log: string[] = [];
    host = await open({
      options: {
        webhooks: { queue: { create: (dependencies) => new HeldQueue(dependencies, log) } },
      },
      modules: [databaseModule(log)],
    });
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'orders/create',
      payload: { id: 1 },
    });
    const response = await fetch(host.url + PATH, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    expect(response.status).toBe(200);
    await host.stop();
    expect(log).toEqual([
      'database is open',
      'queue begins',
      'handled',
      'database is closed',
      'queue is closed',
    ]);
  });
});
