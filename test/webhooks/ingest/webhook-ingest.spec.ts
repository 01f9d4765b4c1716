import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';

import { PlatformModule, WebhookHandler, WebhookIngest } from '../../../lib/index.js';
import type { WebhookDelivery } from '../../../lib/index.js';
import { platformApp as expressApp } from '../../../lib/integrations/express/index.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type { DeliveryOutcome } from '../../../lib/webhooks/queue/webhook.queue.js';
import { InvalidWebhookMessageError } from '../../../lib/webhooks/webhooks.errors.js';
import { API_KEY, API_SECRET, SHOP, appOptions } from '../../support/app.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const PAYLOAD = { id: 1, title: 'Füße' };
const METADATA = {
  'Content-Type': 'application/json',
  'X-Shopify-Topic': 'products/create',
  'X-Shopify-Hmac-SHA256': 'not looked at',
  'X-Shopify-Shop-Domain': SHOP,
  'X-Shopify-API-Version': '2026-07',
  'X-Shopify-Webhook-Id': 'w-1',
  'X-Shopify-Event-Id': 'e-1',
  'X-Shopify-Triggered-At': '2026-07-01T12:00:00.123456789Z',
};

function event(metadata: object = METADATA, payload: unknown = PAYLOAD) {
  return {
    version: '0',
    id: 'f0b6b1fd',
    'detail-type': 'shopifyWebhook',
    source: 'aws.partner/shopify.com/1/app',
    detail: { metadata, payload },
  };
}
const data = Buffer.from(JSON.stringify(PAYLOAD));
const published = { data: data.toString('base64'), attributes: METADATA, messageId: '7' };

const MESSAGES: [string, unknown][] = [
  ['an event of EventBridge', event()],
  ['a record of SQS in a Lambda function', { messageId: '1', body: JSON.stringify(event()) }],
  ['a message of SQS', { MessageId: '1', Body: JSON.stringify(event()) }],
  ['what Pub/Sub pushes', { message: published, subscription: 'projects/p/subscriptions/s' }],
  ['a message that is pulled', { id: '7', data, attributes: METADATA }],
  ['a message that is pulled over HTTP', published],
];

function ingestOf(app: WebhooksFixture): WebhookIngest {
  return app.app.get(WebhookIngest);
}

describe('a delivery that does not arrive over HTTP', () => {
  it.each(MESSAGES)('is handled: %s', async (_title, message) => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    expect(await ingestOf(app).ingest(message)).toEqual({ kind: 'handled' });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      webhookType: 'webhooks',
      topic: 'PRODUCTS_CREATE',
      shop: SHOP,
      webhookId: 'w-1',
      eventId: 'e-1',
      apiVersion: '2026-07',
      triggeredAt: '2026-07-01T12:00:00.123456789Z',
    });
    expect(seen[0]!.payload).toEqual(PAYLOAD);
  });

  it('is the same delivery, however and how often it comes', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    const overHttp = delivery({ webhookId: 'w-1', payload: PAYLOAD });
    expect(await app.receiver.receive(overHttp)).toMatchObject({ reason: 'handled' });
    for (const [, message] of MESSAGES)
      expect(await ingestOf(app).ingest(message)).toEqual({ kind: 'duplicate' });
    expect(seen).toHaveLength(1);
  });

  it('of the events family is told from webhooks', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCT');
    const metadata = {
      'shopify-topic': 'Product',
      'shopify-shop-domain': SHOP,
      'shopify-api-version': '2026-07',
      'shopify-webhook-id': 'w-2',
      'shopify-action': 'update',
    };
    expect(await ingestOf(app).ingest(event(metadata))).toEqual({ kind: 'handled' });
    expect(seen).toMatchObject([{ webhookType: 'events', action: 'update' }]);
  });

  it('has to come again when a handler fails, and runs only what has not succeeded', async () => {
    const app = new WebhooksFixture();
    let isBroken = true;
    const ran: string[] = [];
    app.handle('PRODUCTS_CREATE', () => void ran.push('first'));
    app.handle('PRODUCTS_CREATE', () => {
      ran.push('second');
      if (isBroken) throw new Error('no');
    });
    const retry = { kind: 'retry', reason: 'handler_failed' };
    expect(await ingestOf(app).ingest(event())).toEqual(retry);
    isBroken = false;
    expect(await ingestOf(app).ingest(event())).toEqual({ kind: 'handled' });
    expect(ran).toEqual(['first', 'second', 'second']);
  });

  it('has to come again to a version of the app that knows its topic', async () => {
    const app = new WebhooksFixture();
    const retry = { kind: 'retry', reason: 'topic_unknown' };
    expect(await ingestOf(app).ingest(event())).toEqual(retry);
    const metadata = { ...METADATA, 'X-Shopify-Topic': 'shop/redact' };
    const ignored = { kind: 'ignored', reason: 'not_acted_upon' };
    expect(await ingestOf(app).ingest(event(metadata))).toEqual(ignored);
  });

  it('has to come again when the app is shutting down', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    await app.inFlight.drain();
    const retry = { kind: 'retry', reason: 'shutting_down' };
    expect(await ingestOf(app).ingest(event())).toEqual(retry);
    expect(seen).toEqual([]);
  });

  it('that is not believed over HTTP is not believed here', async () => {
    const app = new WebhooksFixture();
    app.builtInHandlers.push({
      topic: 'APP_UNINSTALLED',
      name: 'deletion',
      runsInRoutes: false,
      admit: async () => 'refused',
      run: async () => {
        throw new Error('It ran.');
      },
    });
    const metadata = { ...METADATA, 'X-Shopify-Topic': 'app/uninstalled' };
    const ignored = { kind: 'ignored', reason: 'not_believed' };
    expect(await ingestOf(app).ingest(event(metadata))).toEqual(ignored);
  });

  it('waits in the queue of the app', async () => {
    const stored: unknown[] = [];
    class Stored extends WebhookQueue {
      async enqueue(one: unknown): Promise<DeliveryOutcome> {
        stored.push(one);
        return stored.length === 1
          ? { kind: 'accepted', reason: 'queued' }
          : { kind: 'unavailable', reason: 'queue_unavailable' };
      }
    }
    const app = new WebhooksFixture({}, { queue: new Stored() });
    app.handle('PRODUCTS_CREATE');
    expect(await ingestOf(app).ingest(event())).toEqual({ kind: 'queued' });
    expect(stored).toMatchObject([{ facts: { webhookId: 'w-1' }, path: 'eventbridge' }]);
    const retry = { kind: 'retry', reason: 'queue_unavailable' };
    expect(await ingestOf(app).ingest(event())).toEqual(retry);
  });
});

describe('a message that is no delivery', () => {
  const { 'X-Shopify-Topic': _, 'X-Shopify-Webhook-Id': __, ...incomplete } = METADATA;
  it.each([
    [undefined, 'it is no object'],
    ['text', 'it is no object'],
    [[], 'no object'],
    [{}, 'neither message nor data'],
    [{ Records: [{ body: '' }] }, 'Hand over its Records one by one'],
    [{ body: '{' }, 'body is no JSON'],
    [{ body: 'null' }, 'body.detail is no object'],
    [{ body: '{"detail":{"payload":{}}}' }, 'body.detail.metadata is no object'],
    [{ detail: null }, 'detail is no object'],
    [{ detail: { metadata: METADATA } }, 'detail.payload is missing'],
    [event({}), 'detail.metadata["X-Shopify-Topic"]'],
    [
      event(incomplete),
      'lacks detail.metadata["X-Shopify-Topic"], detail.metadata["X-Shopify-Webhook-Id"].',
    ],
    [
      { body: JSON.stringify(event({ ...METADATA, 'X-Shopify-Shop-Domain': 'evil.example' })) },
      'body.detail.metadata names no shop',
    ],
    [event({ ...METADATA, 'X-Shopify-Topic': ['products/create'] }), '["X-Shopify-Topic"]'],
    [{ message: { data: published.data } }, 'message.attributes is no object'],
    [{ message: { attributes: METADATA } }, 'message.data is neither bytes nor'],
    [{ attributes: METADATA, data: '{"id":1}' }, 'data is neither bytes nor'],
    [{ attributes: METADATA, data: new Uint8Array() }, 'data is neither bytes nor'],
  ])('is refused, and the error says why: %#', async (message, part) => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    const ingested = ingestOf(app).ingest(message);
    await expect(ingested).rejects.toThrow(InvalidWebhookMessageError);
    await expect(ingested).rejects.toThrow(part);
    await expect(ingested).rejects.not.toThrow('Füße');
    expect(seen).toEqual([]);
  });
});

const arn = 'arn:aws:events:eu-west-1::event-source/aws.partner/shopify.com/1/app';

describe('handlers of what goes to a queue', () => {
  it('are declared with it: of the options, in Express', async () => {
    const ran: string[] = [];
    const shopify = expressApp({
      api: {
        apiKey: API_KEY,
        apiSecretKey: API_SECRET,
        hostName: 'app.example.com',
        hostScheme: 'https',
        apiVersion: '2026-07',
        logger: { log: () => {} },
      },
      webhooks: {
        path: '/webhooks',
        PRODUCTS_CREATE: [
          {
            deliveryMethod: 'eventbridge',
            arn,
            handler: ({ payload }) => void ran.push(`event ${payload.title}`),
          },
          {
            deliveryMethod: 'pubsub',
            pubSubProject: 'p',
            pubSubTopic: 't',
            handler: () => void ran.push('published'),
          },
          async () => void ran.push('http'),
        ],
      },
    });
    try {
      const { webhooks } = shopify.api;
      expect(await webhooks.ingest(event())).toEqual({ kind: 'handled' });
      const other = { ...METADATA, 'X-Shopify-Webhook-Id': 'w-2' };
      expect(await webhooks.ingest({ ...published, attributes: other })).toEqual({
        kind: 'handled',
      });
      expect(ran).toEqual(['event Füße', 'published']);
      // Both queues are subscribed to, and the path of the app.
      expect(webhooks.getHandlers('PRODUCTS_CREATE')).toMatchObject([
        { deliveryMethod: 'eventbridge', arn },
        { deliveryMethod: 'pubsub', pubSubProject: 'p' },
        { deliveryMethod: 'http' },
      ]);
    } finally {
      await shopify.close();
    }
  });

  it('are decorated methods in Nest, where the service is injected', async () => {
    const ran: unknown[] = [];
    @Injectable()
    class Handlers {
      @WebhookHandler('PRODUCTS_CREATE', { deliveryMethod: 'eventbridge', arn })
      onProduct({ payload, shop }: WebhookDelivery): void {
        ran.push([shop, payload]);
      }
    }
    @Module({ imports: [PlatformModule.forRoot(appOptions())], providers: [Handlers] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    try {
      expect(await app.get(WebhookIngest).ingest(event())).toEqual({ kind: 'handled' });
      expect(ran).toEqual([[SHOP, PAYLOAD]]);
    } finally {
      await app.close();
    }
  });
});
