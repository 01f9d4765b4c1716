import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import { PlatformModule, WebhookHandler } from '../../../lib/index.js';
import type { VerifiedDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type {
  DeliveryOutcome,
  WebhookQueueDependencies,
  WebhookQueueFactory,
} from '../../../lib/webhooks/queue/webhook.queue.js';
import { API_SECRET, SHOP, appOptions } from '../../support/app.js';
import { openNest } from '../../support/hosts.js';

const ran: string[] = [];

@Injectable()
class Handlers {
  @WebhookHandler('ORDERS_PAID', { callbackUrl: '/hooks/paid?from=one' })
  onPaid(): void {
    ran.push('paid');
  }

  @WebhookHandler('ORDERS_PAID', { callbackUrl: '/hooks/ledger' })
  onLedger(): void {
    ran.push('ledger');
  }

  @WebhookHandler('ORDERS_PAID')
  onAny(): void {
    ran.push('default');
  }
}
@Module({ providers: [Handlers] })
class HandlersModule {}

/** Keeps deliveries as the JSON that a server would be given. */
class KeepingQueue extends WebhookQueue {
  constructor(
    private readonly kept: string[],
    private readonly work?: WebhookQueueDependencies['processor'],
  ) {
    super();
  }

  async enqueue({ facts, path, body }: VerifiedDelivery): Promise<DeliveryOutcome> {
    this.kept.push(JSON.stringify({ facts, path, body: String(body) }));
    return { kind: 'accepted', reason: 'queued' };
  }

  async workAll(): Promise<void> {
    for (const text of this.kept.splice(0)) {
      const stored = JSON.parse(text);
      await this.work!.handle({ ...stored, body: Buffer.from(stored.body) }, { handled: [] });
    }
  }
}

// In the worker, which mounts no routes and so knows no prefix, all handlers of the topic ran: each
// for every subscription.
describe('handlers with paths of their own, in a process that only works the queue', () => {
  it.each([
    ['/api/hooks/paid', 'paid'],
    ['/api/hooks/ledger/', 'ledger'],
    ['/api/webhooks', 'default'],
  ])('what arrives at %s below a global prefix runs the handler "%s"', async (path, handler) => {
    ran.splice(0);
    const kept: string[] = [];
    const receiving: WebhookQueueFactory = { create: () => new KeepingQueue(kept) };
    const web = await openNest(
      new ExpressAdapter(),
      { options: { webhooks: { queue: receiving } }, modules: [{ module: HandlersModule }] },
      { before: (app) => void app.setGlobalPrefix('api') },
    );
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic: 'orders/paid',
      payload: {},
    });
    const sent = { method: 'POST', headers, body: new Uint8Array(body) };
    expect((await fetch(web.url + path, sent)).status).toBe(200);
    await web.close();
    expect(kept).toHaveLength(1);

    let queue: KeepingQueue;
    const working: WebhookQueueFactory = {
      create: ({ processor }) => (queue = new KeepingQueue(kept, processor)),
    };
    @Module({
      imports: [
        PlatformModule.forRoot({ ...appOptions({ webhooks: { queue: working } }), routes: false }),
        HandlersModule,
      ],
    })
    class WorkerModule {}
    const worker = await NestFactory.createApplicationContext(WorkerModule, { logger: false });
    await queue!.workAll();
    await worker.close();
    expect(ran).toEqual([handler]);
  });
});
