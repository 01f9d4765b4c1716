import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { unknownTopic } from '../../../lib/webhooks/subscriptions/topic-spelling.js';
import { KNOWN_TOPICS } from '../../../lib/webhooks/subscriptions/webhook-topic.js';
import { WebhooksFixture } from '../webhooks.fixture.js';

describe('a topic that no version of the API has', () => {
  it.each([
    ['PRODUCT_CREATE', 'PRODUCTS_CREATE'],
    ['PRODUCTS_CREATED', 'PRODUCTS_CREATE'],
    ['ORDER_CREATED', 'ORDERS_CREATE'],
    ['APP_UNINSTALED', 'APP_UNINSTALLED'],
    ['APP_UNINSTALL', 'APP_UNINSTALLED'],
    ['CUSTOMER_DATA_REQUEST', 'CUSTOMERS_DATA_REQUEST'],
    ['BULK_OPERATION_FINISHED', 'BULK_OPERATIONS_FINISH'],
  ])('such as %s is told of with the nearest one', (topic, nearest) => {
    expect(unknownTopic(topic)).toMatch(
      new RegExp(`webhook topic ${topic}\\. Is ${nearest} meant`),
    );
  });

  it.each(['', 'X', 'WEATHER_SUNNY', '[object Object]'])(
    'such as "%s", which is like no other, is told of without one',
    (topic) => {
      expect(unknownTopic(topic)).toContain('Check its spelling');
    },
  );

  it('is never one of those that are known, and one wrong letter is enough to be one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KNOWN_TOPICS), fc.nat(), (topic, at) => {
        expect(unknownTopic(topic)).toBeUndefined();
        const place = at % topic.length;
        const wrong = `${topic.slice(0, place)}?${topic.slice(place + 1)}`;
        const notice = unknownTopic(wrong)!;
        const [, nearest] = /Is (\w+) meant/.exec(notice) ?? [];
        expect(KNOWN_TOPICS).toContain(nearest);
        expect(nearest).toHaveLength(topic.length);
      }),
    );
  });

  it('is warned of once when it is registered, in any spelling, and handled all the same', () => {
    const app = new WebhooksFixture();
    app.handle('products/created');
    app.handle('PRODUCTS_CREATED');
    app.handle('PRODUCTS_CREATE');
    expect(app.lines.matching('webhook topic')).toEqual([
      expect.stringMatching(/WARNING.*PRODUCTS_CREATED\. Is PRODUCTS_CREATE meant\?$/),
    ]);
    expect(app.registry.handlersFor('PRODUCTS_CREATED')).toHaveLength(2);
  });
});
