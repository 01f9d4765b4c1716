import { describe, expect, it } from '@jest/globals';

import { problemsInWebhooks, timeoutsIn, topicsIn } from '../../lib/webhooks/webhooks.options.js';
import { bullmqQueue } from '../../lib/webhooks/queue/bullmq/index.js';
import type { WebhooksOptions } from '../../lib/webhooks/webhooks.options.js';

const http = { deliveryMethod: 'http', callbackUrl: '/webhooks' } as const;

describe('the options about webhooks', () => {
  it('keep topics and settings apart', () => {
    const options: WebhooksOptions = {
      webhooks: {
        path: '/hooks',
        bodyLimit: 1000,
        bodyMemoryLimit: 5000,
        handlerTimeout: 1000,
        shutdownTimeout: Infinity,
        ownTopics: false,
        PRODUCTS_CREATE: http,
        ORDERS_PAID: undefined,
      },
    };
    expect(topicsIn(options)).toEqual({ PRODUCTS_CREATE: http });
    expect([topicsIn({}), problemsInWebhooks({}), problemsInWebhooks(options)]).toEqual([
      {},
      [],
      [],
    ]);
  });

  it('report every mistake by the name of its option', () => {
    const options = {
      enhancers: 'yes',
      webhooks: {
        PRODUCTS_CREATE: { deliveryMethod: 'pigeon' },
        ORDERS_PAID: [http, { deliveryMethod: 'pubsub', pubSubProject: 'p' }],
      },
    } as unknown as WebhooksOptions;
    expect(problemsInWebhooks(options).map(({ option }) => option)).toEqual([
      'enhancers',
      'webhooks.PRODUCTS_CREATE.deliveryMethod',
      'webhooks.ORDERS_PAID.pubSubTopic',
    ]);
  });

  it('name a key that is neither an option nor a topic, and what topics look like', () => {
    const webhooks = { path: '/hooks', subscriptions: [{ topic: 'PRODUCTS_CREATE' }] };
    expect(problemsInWebhooks({ webhooks } as unknown as WebhooksOptions)).toEqual([
      { option: 'webhooks.subscriptions', message: expect.stringContaining('as PRODUCTS_CREATE') },
    ]);
    const both = { ...webhooks, ORDERS_PAID: 'handler' };
    const problems = problemsInWebhooks({ webhooks: both } as unknown as WebhooksOptions);
    expect(problems.map(({ option }) => option)).toEqual([
      'webhooks.subscriptions',
      'webhooks.ORDERS_PAID',
    ]);
  });

  it('take a queue for none of the topics, and none that nobody has made', () => {
    const queue = bullmqQueue({ connection: 'redis://localhost' });
    expect(topicsIn({ webhooks: { queue } })).toEqual({});
    expect(problemsInWebhooks({ webhooks: { queue } })).toEqual([]);
    for (const wrong of ['bullmq', {}, null]) {
      const options = { webhooks: { queue: wrong } } as unknown as WebhooksOptions;
      expect(problemsInWebhooks(options)).toEqual([
        { option: 'webhooks.queue', message: expect.stringContaining('bullmqQueue()') },
      ]);
    }
  });

  it('take handlers of Flow actions and of a fulfillment service for no topics', () => {
    const handler = () => {};
    const webhooks = {
      flowActions: { 'tag-order': handler, 'place-bid': { handler, timeout: 1_000 } },
      flowPath: '/actions',
      fulfillmentService: handler,
      fulfillmentServicePath: '/service/fulfillment_order_notification',
    };
    expect([topicsIn({ webhooks }), problemsInWebhooks({ webhooks })]).toEqual([{}, []]);
    expect(problemsInWebhooks({ webhooks: { path: '/flow' } })).toEqual([]);
  });

  it.each([
    [{ flowActions: [] }, 'flowActions'],
    [{ flowActions: { 'tag-order': 'tag' } }, 'flowActions.tag-order'],
    [{ flowActions: { 'tag-order': {} } }, 'flowActions.tag-order.handler'],
    [{ flowActions: { a: { handler: () => {}, timeout: -1 } } }, 'flowActions.a.timeout'],
    [{ fulfillmentService: true }, 'fulfillmentService'],
    [{ flowPath: 'flow' }, 'flowPath'],
    [{ flowPath: '//flow' }, 'flowPath'],
    [{ fulfillmentServicePath: 7 }, 'fulfillmentServicePath'],
  ])('report what is wrong with handlers of signed requests: %j', (webhooks, option) => {
    const problems = problemsInWebhooks({ webhooks } as unknown as WebhooksOptions);
    expect(problems.map((problem) => problem.option)).toEqual([`webhooks.${option}`]);
  });

  it.each([
    ['flowPath', '/flow'],
    ['fulfillmentServicePath', '/fulfillment_order_notification'],
  ])('refuse a %s as every path of the app is, with an example of it', (option, example) => {
    for (const path of ['flow', '//flow', String.raw`/a\b`, '/a b', '/a?b', '', 7]) {
      const problems = problemsInWebhooks({
        webhooks: { [option]: path },
      } as unknown as WebhooksOptions);
      expect(problems).toEqual([
        { option: `webhooks.${option}`, message: expect.stringContaining(`such as "${example}"`) },
      ]);
    }
  });

  it('say how long things may take', () => {
    expect(timeoutsIn({})).toEqual({ handlerTimeout: 600_000, shutdownTimeout: 25_000 });
    expect(timeoutsIn({ webhooks: { handlerTimeout: Infinity, shutdownTimeout: 1 } })).toEqual({
      handlerTimeout: Infinity,
      shutdownTimeout: 1,
    });
    for (const value of [0, -1, NaN, -Infinity, 2 ** 31, '1000', null]) {
      const options = {
        webhooks: { handlerTimeout: value, shutdownTimeout: value },
      } as unknown as WebhooksOptions;
      expect(problemsInWebhooks(options)).toEqual([
        { option: 'webhooks.handlerTimeout', message: expect.stringContaining('milliseconds') },
        { option: 'webhooks.shutdownTimeout', message: expect.stringContaining('Infinity') },
      ]);
    }
  });

  it('name the topics of the toolkit that are subscribed to', () => {
    const told = (ownTopics: unknown): string[] =>
      problemsInWebhooks({ webhooks: { ownTopics } } as WebhooksOptions).map(
        ({ option }) => option,
      );
    expect([told(false), told({}), told({ APP_UNINSTALLED: false })]).toEqual([[], [], []]);
    expect([told(true), told(null), told({ APP_UNINSTALLED: 'no', ORDERS_PAID: false })]).toEqual([
      ['webhooks.ownTopics'],
      ['webhooks.ownTopics'],
      ['webhooks.ownTopics.APP_UNINSTALLED', 'webhooks.ownTopics.ORDERS_PAID'],
    ]);
  });

  it('must be an object', () => {
    const problems = [{ option: 'webhooks', message: 'must be an object of topics' }];
    expect(problemsInWebhooks({ webhooks: 'x' } as unknown as WebhooksOptions)).toEqual(problems);
    expect(problemsInWebhooks({ webhooks: null } as unknown as WebhooksOptions)).toEqual(problems);
  });
});
