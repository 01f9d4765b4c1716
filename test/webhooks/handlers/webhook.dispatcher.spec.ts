import { describe, expect, it } from '@jest/globals';

import type { InboundRequest } from '../../../lib/core/http/inbound-request.js';
import { APP_URL } from '../../support/app.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const at = (path: string, webhookId?: string): InboundRequest =>
  delivery(webhookId === undefined ? {} : { webhookId }, { url: new URL(path, APP_URL) });

describe('a repeated attempt', () => {
  it('runs only the handlers that have not succeeded yet', async () => {
    // A retry ran all of them again: what had worked was done twice.
    const app = new WebhooksFixture();
    const runs = { first: 0, flaky: 0, third: 0 };
    const handlers = {
      first: () => void runs.first++,
      flaky: () => {
        if (++runs.flaky < 3) throw new Error('no');
      },
      third: () => void runs.third++,
    };
    app.registry.addHandlers({ PRODUCTS_CREATE: Object.values(handlers) });
    const answers = [];
    for (let attempt = 0; attempt < 4; attempt++)
      answers.push((await app.receiver.receive(delivery({ webhookId: 'w-1' }))).reason);
    expect(answers).toEqual(['handler_failed', 'handler_failed', 'handled', 'duplicate']);
    expect(runs).toEqual({ first: 1, flaky: 3, third: 1 });
  });

  it('tells handlers of one name apart', async () => {
    const app = new WebhooksFixture();
    const runs: string[] = [];
    const callback =
      (name: string, fails = 0) =>
      () => {
        runs.push(name);
        if (fails-- > 0) throw new Error('no');
      };
    app.registry.addHandlers({
      PRODUCTS_CREATE: [callback('a'), callback('b', 1), callback('c')].map((one) => ({
        deliveryMethod: 'http',
        callback: one,
      })),
    });
    for (let attempt = 0; attempt < 2; attempt++)
      await app.receiver.receive(delivery({ webhookId: 'w-1' }));
    expect(runs).toEqual(['a', 'b', 'c', 'b']);
  });

  it('runs everything for another delivery', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    app.handle('PRODUCTS_CREATE', () => {
      throw new Error('no');
    });
    for (const webhookId of ['w-1', 'w-2', 'w-1'])
      await app.receiver.receive(delivery({ webhookId }));
    expect(seen.map(({ webhookId }) => webhookId)).toEqual(['w-1', 'w-2']);
  });
});

describe('what the toolkit itself does with a delivery', () => {
  it('waits for an attempt in which nothing failed', async () => {
    // It ran beside a failure, so that the retry found the sessions of the shop deleted.
    const app = new WebhooksFixture();
    const order: string[] = [];
    app.follow('PRODUCTS_CREATE', () => order.push('clean-up'));
    app.handle('PRODUCTS_CREATE', () => {
      order.push('own');
      if (order.length === 1) throw new Error('no');
    });
    for (let attempt = 0; attempt < 2; attempt++)
      await app.receiver.receive(delivery({ webhookId: 'w-1' }));
    expect(order).toEqual(['own', 'own', 'clean-up']);
  });

  it('fails the delivery when it fails, and the next attempt does it alone', async () => {
    const app = new WebhooksFixture();
    const order: string[] = [];
    app.follow('PRODUCTS_CREATE', () => {
      order.push('clean-up');
      if (order.length === 2) throw new Error('no');
    });
    app.handle('PRODUCTS_CREATE', () => order.push('own'));
    const answers = [];
    for (let attempt = 0; attempt < 2; attempt++)
      answers.push((await app.receiver.receive(delivery({ webhookId: 'w-1' }))).reason);
    expect([answers, order]).toEqual([
      ['handler_failed', 'handled'],
      ['own', 'clean-up', 'clean-up'],
    ]);
    expect(app.lines.matching('follow-up of PRODUCTS_CREATE')).toHaveLength(1);
  });

  it('is done for a topic that the app has no handler of', async () => {
    const app = new WebhooksFixture();
    let times = 0;
    app.follow('PRODUCTS_CREATE', () => times++);
    expect(await app.receiver.receive(delivery())).toMatchObject({ reason: 'handled' });
    expect(await app.receiver.receive(delivery({ topic: 'orders/paid' }))).toMatchObject({
      reason: 'topic_unknown',
    });
    expect(times).toBe(1);
  });
});

describe('a topic with several addresses', () => {
  function app(): { receive: (path: string) => Promise<string[]> } {
    const fixture = new WebhooksFixture();
    const ran: string[] = [];
    for (const [name, callbackUrl] of [
      ['default', undefined],
      ['own path', '/hooks/products'],
      ['own URL', `${APP_URL}/hooks/products/`],
    ] as const) {
      fixture.handle('PRODUCTS_CREATE', () => void ran.push(name), callbackUrl);
    }
    fixture.registry.add({
      kind: 'subscription',
      topic: 'PRODUCTS_CREATE',
      subscription: { deliveryMethod: 'pubsub', pubSubProject: 'p', pubSubTopic: 't' },
    });
    return {
      receive: async (path) => {
        ran.splice(0);
        expect(await fixture.receiver.receive(at(path))).toMatchObject({ reason: 'handled' });
        return [...ran];
      },
    };
  }

  it('runs the handlers of the address a delivery arrived at', async () => {
    // Each of them ran for each of the deliveries.
    const { receive } = app();
    expect([await receive('/webhooks'), await receive('/webhooks/')]).toEqual([
      ['default'],
      ['default'],
    ]);
    expect(await receive('/hooks/products')).toEqual(['own path', 'own URL']);
    expect(await receive('/hooks/products/?source=platform')).toEqual(['own path', 'own URL']);
  });

  it('runs those that name one address in two ways where the app is mounted below a prefix', async () => {
    const fixture = new WebhooksFixture();
    fixture.config.paths.mount((path) => `/api${path}`);
    const ran: string[] = [];
    const addresses = ['/hooks/products', `${APP_URL}/api/hooks/products`, '/hooks/others'];
    for (const address of addresses)
      fixture.handle('PRODUCTS_CREATE', () => void ran.push(address), address);
    await fixture.receiver.receive(at('/api/hooks/products'));
    expect(ran).toEqual(addresses.slice(0, 2));
  });

  it('runs all of them at an address that none of them names: a route of the app may stand anywhere', async () => {
    expect(await app().receive('/api/deliveries')).toEqual(['default', 'own path', 'own URL']);
  });

  it("never does the toolkit's own part before the handlers, wherever a delivery arrives", async () => {
    // At the webhook path the sessions of the shop were deleted before the handler at a path of its
    // own had run.
    const fixture = new WebhooksFixture();
    const order: string[] = [];
    fixture.follow('PRODUCTS_CREATE', () => order.push('clean-up'));
    fixture.handle('PRODUCTS_CREATE', () => order.push('own'), '/hooks/products');
    await fixture.receiver.receive(at('/webhooks'));
    await fixture.receiver.receive(at('/hooks/products'));
    expect(order).toEqual(['own', 'clean-up', 'own', 'clean-up']);
  });

  it('takes an address that is no URL for one that nothing arrives at', async () => {
    const fixture = new WebhooksFixture();
    const seen = fixture.handle('PRODUCTS_CREATE', () => {}, 'nowhere');
    expect(await fixture.receiver.receive(at('/webhooks'))).toMatchObject({ reason: 'handled' });
    expect(seen).toHaveLength(1);
  });
});
