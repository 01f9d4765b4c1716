import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import type { WebhookDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import type { WebhookHandlerMap } from '../../../lib/webhooks/handlers/handlers-by-topic.js';
import { WebhookRegistry } from '../../../lib/webhooks/handlers/webhook.registry.js';
import type { RegisteredHandler } from '../../../lib/webhooks/handlers/registered-handler.js';
import {
  InvalidDeliveryMethodError,
  InvalidWebhookHandlerError,
} from '../../../lib/webhooks/webhooks.errors.js';
import { APP_URL, appOptions } from '../../support/app.js';
import { Lines } from '../webhooks.fixture.js';

const registry = (): WebhookRegistry => new WebhookRegistry(new Lines().logger, {}, []);
const http = { deliveryMethod: 'http' } as const;
const handler = (topic: string, name: string): RegisteredHandler => ({
  kind: 'handler',
  topic,
  subscription: http,
  name,
  run: () => {},
});
const names = (from: WebhookRegistry, topic: string): string[] =>
  from.handlersFor(topic).map(({ name }) => name);

describe('WebhookRegistry', () => {
  it('finds handlers by any spelling of their topic, in the order they came', () => {
    const handlers = registry();
    handlers.add(handler('products/create', 'a'));
    handlers.add(handler('PRODUCTS_CREATE', 'b'));
    handlers.add(handler('orders.paid', 'c'));
    expect(
      ['products/create', 'products.create', 'PRODUCTS_CREATE'].map((topic) =>
        names(handlers, topic),
      ),
    ).toEqual(Array.from({ length: 3 }, () => ['a', 'b']));
    expect(handlers.topics()).toEqual(['PRODUCTS_CREATE', 'ORDERS_PAID']);
  });

  it('warns of an unknown topic once, when something is registered for it', () => {
    const lines = new Lines();
    const handlers = new WebhookRegistry(lines.logger, {}, []);
    const unknown = { topic: 'PRODUCT_CREATE', subscription: {}, name: 'x', run: () => {} };
    expect(() => handlers.add(unknown as never)).toThrow(InvalidWebhookHandlerError);
    expect(lines.matching('Is PRODUCTS_CREATE meant?')).toEqual([]);
    handlers.add(handler('PRODUCT_CREATE', 'a'));
    handlers.add(handler('product/create', 'b'));
    expect(lines.matching('Is PRODUCTS_CREATE meant?')).toHaveLength(1);
  });

  it('knows no handler of a topic nobody named', () => {
    expect([registry().handlersFor('PRODUCTS_CREATE'), registry().topics()]).toEqual([[], []]);
  });

  it('knows the paths on the app that handlers with something to run have named', () => {
    const handlers = registry();
    const callback = (): void => {};
    handlers.addHandlers({
      A: [
        callback,
        { ...http, callbackUrl: '/a', callback },
        { ...http, callbackUrl: '/nothing-to-run' },
      ],
      B: { ...http, callbackUrl: `${APP_URL}/b/?c=d`, callback },
      C: { ...http, callbackUrl: 'https://elsewhere.example/c', callback },
      D: { deliveryMethod: 'pubsub', pubSubProject: 'p', pubSubTopic: 't' },
    });
    const config = resolveConfig(appOptions());
    expect(handlers.paths(config)).toEqual(['/a', '/b']);
    config.paths.mount((path) => `/api${path}`);
    expect(handlers.paths(config)).toEqual(['/api/a', '/b']);
  });

  it('gives each handler of a topic a name of its own, the same in every process', () => {
    const handlers = registry();
    for (const name of ['a', 'a', 'a (2)', 'a', 'b'])
      handlers.add(handler('PRODUCTS_CREATE', name));
    handlers.add(handler('ORDERS_PAID', 'a'));
    expect(names(handlers, 'PRODUCTS_CREATE')).toEqual(['a', 'a (2)', 'a (2) (2)', 'a (3)', 'b']);
    expect(names(handlers, 'ORDERS_PAID')).toEqual(['a']);
  });

  it('refuses what is neither a handler nor a subscription', () => {
    const unknown = { topic: 'PRODUCTS_CREATE', subscription: {}, name: 'x', run: () => {} };
    expect(() => registry().add(unknown as never)).toThrow(InvalidWebhookHandlerError);
  });

  it('shares nothing with another registry', () => {
    const one = registry();
    one.add(handler('PRODUCTS_CREATE', 'a'));
    expect(registry().topics()).toEqual([]);
  });

  it('takes several subscriptions over http for one topic and address, but not several to one queue', () => {
    const handlers = registry();
    handlers.addHandlers({
      A: [http, http],
      B: { deliveryMethod: 'pubsub', pubSubProject: 'p', pubSubTopic: 't' },
    });
    handlers.addHandlers({
      B: [http, { deliveryMethod: 'pubsub', pubSubProject: 'p', pubSubTopic: 'other' }],
    });
    expect(['A', 'B'].map((topic) => handlers.registrationsFor(topic).length)).toEqual([2, 3]);
    const again = {
      b: { deliveryMethod: 'pubsub', pubSubProject: 'p', pubSubTopic: 't' },
    } as const;
    expect(() => handlers.addHandlers(again)).toThrow(InvalidDeliveryMethodError);
    const bridge = { deliveryMethod: 'eventbridge', arn: 'arn:aws:events:x' } as const;
    expect(() => handlers.addHandlers({ C: [bridge, bridge] })).toThrow(
      /C is delivered to arn:aws:events:x already/,
    );
  });
});

describe('WebhookRegistry.addHandlers', () => {
  const DELIVERY = {
    topic: 'PRODUCTS_CREATE',
    shop: 'test-shop.myshopify.com',
    rawBody: '{"id":1}',
    webhookId: 'w-1',
    apiVersion: '2026-07',
  } as WebhookDelivery;

  it('calls a callback with topic, shop, text, id, version and no context', async () => {
    const calls: unknown[][] = [];
    const handlers = registry();
    const callback = (...args: unknown[]): void => void calls.push(args);
    handlers.addHandlers({
      PRODUCTS_CREATE: [callback, { ...http, callbackUrl: '/webhooks', callback }],
    });
    for (const { run } of handlers.handlersFor('PRODUCTS_CREATE')) await run(DELIVERY);
    const args = [
      'PRODUCTS_CREATE',
      'test-shop.myshopify.com',
      '{"id":1}',
      'w-1',
      '2026-07',
      undefined,
    ];
    expect(calls).toEqual([args, args]);
  });

  it('subscribes a bare function over http at the default address', () => {
    const handlers = registry();
    handlers.addHandlers({ PRODUCTS_CREATE: () => {} });
    expect(handlers.handlersFor('PRODUCTS_CREATE')[0]!.subscription).toEqual({
      deliveryMethod: 'http',
    });
  });

  it('runs nothing for a subscription without callback', () => {
    const handlers = registry();
    handlers.addHandlers({
      PRODUCTS_CREATE: http,
      ORDERS_PAID: { deliveryMethod: 'eventbridge', arn: 'arn:x' },
    });
    const topics = ['PRODUCTS_CREATE', 'ORDERS_PAID'];
    expect(handlers.topics()).toEqual(topics);
    expect(topics.map((topic) => handlers.handlersFor(topic))).toEqual([[], []]);
  });

  it('leaves the map as it was', () => {
    const map = {
      PRODUCTS_CREATE: { ...http, includeFields: ['title', 'id'], metafieldNamespaces: ['b', 'a'] },
    };
    const before = structuredClone(map);
    registry().addHandlers(deepFreeze(map));
    expect(map).toEqual(before);
  });

  it('refuses an unknown way of delivery by a name of its own', () => {
    const map = { PRODUCTS_CREATE: { deliveryMethod: 'pigeon' } } as unknown as WebhookHandlerMap;
    expect(() => registry().addHandlers(map)).toThrow(InvalidDeliveryMethodError);
    expect(() => registry().addHandlers(map)).toThrow(
      'PRODUCTS_CREATE.deliveryMethod must be one of http, eventbridge, pubsub',
    );
  });

  it.each([
    ['a text', 'text', 'A must be a function, or an object with a deliveryMethod'],
    ['nothing', null, 'A must be a function'],
    ['a callback that is none', { ...http, callback: 'x' }, 'A.callback must be a function'],
    [
      'a protocol-relative address',
      { ...http, callbackUrl: '//evil.example' },
      'A.callbackUrl must be a path on the app or an absolute URL',
    ],
    ['a queue without address', { deliveryMethod: 'eventbridge' }, 'A.arn is missing'],
    ['a list with a hole', [http, undefined], 'A must be a function'],
  ])('refuses %s', (_name, handler, message) => {
    const add = (): void => registry().addHandlers({ A: handler } as unknown as WebhookHandlerMap);
    expect(add).toThrow(InvalidWebhookHandlerError);
    expect(add).toThrow(message);
  });

  it('adds nothing of a map with a mistake in it', () => {
    const handlers = registry();
    expect(() =>
      handlers.addHandlers({ A: http, B: {} } as unknown as WebhookHandlerMap),
    ).toThrow();
    expect(handlers.topics()).toEqual([]);
  });
});

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  return Object.freeze(value);
}
