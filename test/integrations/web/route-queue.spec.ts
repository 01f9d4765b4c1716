import { Injectable, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';

import {
  signedFlowAction,
  signedFulfillmentNotification,
  signedWebhook,
} from '../../../lib/dev-store/index.js';
import type { SignedWebhookOptions } from '../../../lib/dev-store/index.js';
import { FlowAction, FulfillmentService, WebhookHandler } from '../../../lib/index.js';
import type { WebhookDelivery } from '../../../lib/index.js';
import type { VerifiedDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type {
  DeliveryOutcome,
  WebhookQueueDependencies,
} from '../../../lib/webhooks/queue/webhook.queue.js';
import type { WebhookSettings } from '../../../lib/webhooks/webhooks.options.js';
import { API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import { Platform, ROUTES, installed, thrown } from './web.fixture.js';

/** A store outside of the process: it knows a delivery again, as BullMQ knows the id of a job. */
class KeptQueue extends WebhookQueue {
  readonly #kept = new Map<string, VerifiedDelivery>();
  isReachable = true;

  constructor(private readonly dependencies: WebhookQueueDependencies) {
    super();
  }

  async enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome> {
    if (!this.isReachable) return { kind: 'unavailable', reason: 'queue_unavailable' };
    const { webhookId } = delivery.facts;
    if (this.#kept.has(webhookId)) return { kind: 'accepted', reason: 'duplicate' };
    this.#kept.set(webhookId, delivery);
    return { kind: 'accepted', reason: 'queued' };
  }

  /** Works what is kept, as another process would. */
  async work(): Promise<DeliveryOutcome[]> {
    const { processor } = this.dependencies;
    return Promise.all(
      [...this.#kept.values()].map((delivery) => processor.handle(delivery, { handled: [] })),
    );
  }
}

function handlers(seen: WebhookDelivery[], fails: () => boolean): DynamicModule {
  @Injectable()
  class Handlers {
    @WebhookHandler(['PRODUCTS_CREATE', 'APP_UNINSTALLED'])
    @FlowAction('tag-order')
    @FulfillmentService()
    async handle(delivery: WebhookDelivery): Promise<void> {
      if (fails()) throw new Error('The other side is down.');
      seen.push(delivery);
    }
  }
  @Module({})
  class HandlersModule {}
  return { module: HandlersModule, providers: [Handlers] };
}

const delivery = (options: Partial<SignedWebhookOptions> = {}): Request => {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: SHOP,
    topic: 'products/create',
    payload: { title: 'Hat' },
    webhookId: 'd-1',
    ...options,
  });
  return new Request(`${APP_URL}/webhooks`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
};

const SIGNED = { secret: API_SECRET, shop: SHOP };
const POST = { method: 'POST' };

describe.each(ROUTES)('a delivery to a route of $name', (routes) => {
  let app: ReturnType<typeof routes.open>;
  let queue: KeptQueue;
  let handled: WebhookDelivery[];
  let uninstalled: string[];
  let isFailing: boolean;
  afterEach(() => app.close());

  async function open(webhooks: WebhookSettings, platform = new Platform()): Promise<void> {
    handled = [];
    uninstalled = [];
    isFailing = false;
    app = routes.open({
      webhooks,
      fetch: platform.fetch,
      sessionStorage: await installed(),
      hooks: { onUninstall: ({ shop }) => void uninstalled.push(shop) },
      modules: [handlers(handled, () => isFailing)],
    });
  }
  const queued = {
    enqueueFromRoutes: true,
    queue: { create: (ports: WebhookQueueDependencies) => (queue = new KeptQueue(ports)) },
  };

  it('goes to the queue for the handlers, and to the action', async () => {
    await open(queued);
    const { payload, session, webhookId } = await app.authenticate.webhook(delivery());
    expect([payload, session?.shop, webhookId]).toEqual([{ title: 'Hat' }, SHOP, 'd-1']);
    expect(handled).toEqual([]);
    await queue.work();
    expect(handled).toMatchObject([{ webhookId: 'd-1', payload: { title: 'Hat' } }]);
  });

  it('is handled once, however often the action fails and the platform repeats it', async () => {
    await open(queued);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const context = await app.authenticate.webhook(delivery());
      expect(context.webhookId).toBe('d-1');
    }
    await queue.work();
    expect(handled).toHaveLength(1);
  });

  it('never reaches the action when it cannot be stored', async () => {
    await open(queued);
    await app.ready();
    queue.isReachable = false;
    const answer = await thrown(() => app.authenticate.webhook(delivery()));
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: 'queue_unavailable', message: expect.any(String) },
    ]);
    expect(answer.headers.get('retry-after')).not.toBeNull();
    queue.isReachable = true;
    await queue.work();
    expect(handled).toEqual([]);
  });

  it('stays with the action alone when no handler has its topic', async () => {
    await open(queued);
    const { topic } = await app.authenticate.webhook(delivery({ topic: 'orders/paid' }));
    expect(topic).toBe('ORDERS_PAID');
    expect(await queue.work()).toEqual([]);
  });

  it('is refused before the queue hears of it when it is forged', async () => {
    await open(queued);
    const answer = await thrown(() => app.authenticate.webhook(delivery({ secret: 'another' })));
    expect(answer.status).toBe(401);
    expect(await queue.work()).toEqual([]);
  });

  it('leaves all of an uninstallation to the queue, and the session to the action', async () => {
    const platform = new Platform();
    await open(queued, platform);
    platform.refuseAll();
    const gone = { topic: 'app/uninstalled', payload: { myshopify_domain: SHOP } };
    const { session } = await app.authenticate.webhook(delivery(gone));
    expect([session?.shop, uninstalled]).toEqual([SHOP, []]);
    expect(await queue.work()).toEqual([{ kind: 'accepted', reason: 'handled' }]);
    expect([handled.length, uninstalled]).toEqual([1, [SHOP]]);
    expect(await app.sessionStorage.findSessionsByShop(SHOP)).toEqual([]);
  });

  it('runs the handlers before the action where there is no queue', async () => {
    await open({ enqueueFromRoutes: true });
    isFailing = true;
    expect((await thrown(() => app.authenticate.webhook(delivery()))).status).toBe(500);
    isFailing = false;
    for (let attempt = 2; attempt <= 3; attempt++) {
      expect((await app.authenticate.webhook(delivery())).topic).toBe('PRODUCTS_CREATE');
      expect(handled).toHaveLength(1);
    }
  });

  const flow = (handle = 'tag-order', actionRunId = 'r-1'): Request => {
    const { headers, body } = signedFlowAction({ ...SIGNED, handle, actionRunId });
    return new Request(`${APP_URL}/actions`, { ...POST, headers, body: new Uint8Array(body) });
  };

  it('is an action of Flow as well, which its handler gets once', async () => {
    await open(queued);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const { payload, session } = await app.authenticate.flow(flow());
      expect([payload['handle'], session.shop]).toEqual(['tag-order', SHOP]);
    }
    await app.authenticate.flow(flow('unknown', 'r-2'));
    await queue.work();
    expect(handled).toMatchObject([{ webhookId: 'r-1', payload: { handle: 'tag-order' } }]);
  });

  it('is a notification of a fulfillment service as well, each of which counts', async () => {
    await open(queued);
    for (let time = 1; time <= 2; time++) {
      const { headers, body } = signedFulfillmentNotification(SIGNED);
      const request = new Request(`${APP_URL}/service/fulfillment_order_notification`, {
        ...POST,
        headers,
        body: new Uint8Array(body),
      });
      await app.authenticate.fulfillmentService(request);
    }
    await queue.work();
    expect(handled.map(({ payload }) => payload)).toEqual(
      Array(2).fill({ kind: 'FULFILLMENT_REQUEST' }),
    );
  });

  it('never reaches the action of Flow when it cannot be stored', async () => {
    await open(queued);
    await app.ready();
    queue.isReachable = false;
    const answer = await thrown(() => app.authenticate.flow(flow()));
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { error: 'queue_unavailable' },
    ]);
  });

  it('is Flow’s alone unless the option says otherwise', async () => {
    const { enqueueFromRoutes: _, ...others } = queued;
    await open(others);
    await app.authenticate.flow(flow());
    expect(await queue.work()).toEqual([]);
  });

  it('is the action’s alone unless the option says otherwise', async () => {
    const { enqueueFromRoutes: _, ...others } = queued;
    await open(others);
    await app.authenticate.webhook(delivery());
    expect([await queue.work(), handled]).toEqual([[], []]);
  });

  it('is not enqueued by an option that is no truth value', () => {
    const enqueueFromRoutes = 'yes' as unknown as boolean;
    expect(() => routes.open({ webhooks: { enqueueFromRoutes } })).toThrow(
      'webhooks.enqueueFromRoutes: must be true or false',
    );
  });
});
