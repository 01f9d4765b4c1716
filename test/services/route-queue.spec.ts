import { Injectable, Module } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { signedWebhook } from '../../lib/dev-store/index.js';
import { WebhookHandler } from '../../lib/index.js';
import type { WebhookDelivery } from '../../lib/index.js';
import { MemorySessionStorage, platformApp } from '../../lib/integrations/remix/index.js';
import type { RemixApp } from '../../lib/integrations/remix/index.js';
import { bullmqQueue } from '../../lib/webhooks/queue/bullmq/index.js';
import type { BullmqQueueOptions } from '../../lib/webhooks/queue/bullmq/index.js';
import { API_SECRET, APP_URL, SHOP, appOptions } from '../support/app.js';
import { QUEUE_ENGINES } from './queue/queue.place.js';
import type { QueuePlace } from './queue/queue.place.js';

jest.setTimeout(60_000);

const handled: string[] = [];

@Injectable()
class Handlers {
  @WebhookHandler('PRODUCTS_CREATE')
  async handle({ webhookId }: WebhookDelivery): Promise<void> {
    handled.push(webhookId);
  }
}

@Module({ providers: [Handlers] })
class HandlersModule {}

describe.each(QUEUE_ENGINES)('a route of Remix with a queue in $name', ({ createPlace }) => {
  let place: QueuePlace;
  const apps: RemixApp[] = [];

  beforeEach(async () => {
    handled.length = 0;
    place = await createPlace();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await place.drop();
  });

  function open(queue: Partial<BullmqQueueOptions>): RemixApp {
    const app = platformApp({
      ...appOptions(),
      sessionStorage: new MemorySessionStorage(),
      modules: [HandlersModule],
      webhooks: {
        enqueueFromRoutes: true,
        queue: bullmqQueue({ connection: place.connection, prefix: place.prefix, ...queue }),
      },
    });
    apps.push(app);
    return app;
  }

  it('has another process run the handlers, once for all attempts of a delivery', async () => {
    const web = open({ worker: false });
    const attempt = async (webhookId: string): Promise<string> => {
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: SHOP,
        topic: 'products/create',
        payload: {},
        webhookId,
      });
      const init = { method: 'POST', headers, body: new Uint8Array(body) };
      return (await web.authenticate.webhook(new Request(`${APP_URL}/webhooks`, init))).webhookId;
    };
    await Promise.all([1, 2, 3].map(() => attempt('first')));
    expect(handled).toEqual([]);
    await open({}).ready();
    while (!handled.includes('first')) await systemClock.sleep(10);
    expect(await attempt('first')).toBe('first');
    expect(await attempt('second')).toBe('second');
    while (!handled.includes('second')) await systemClock.sleep(10);
    expect(handled).toEqual(['first', 'second']);
  });
});
