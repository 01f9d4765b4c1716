import { Injectable, Module } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { signedWebhook } from '../../lib/dev-store/index.js';
import type { SignedWebhookOptions } from '../../lib/dev-store/index.js';
import { WebhookHandler } from '../../lib/index.js';
import { API_SECRET, SHOP } from '../support/app.js';
import { HOSTS } from '../support/hosts.js';
import type { RunningHost } from '../support/hosts.js';

/** What ran, in order. Cleared before each test. */
const ran: string[] = [];

@Injectable()
class Handlers {
  @WebhookHandler('PRODUCTS_UPDATE', { callbackUrl: '/hooks/decorated' })
  onProduct(): void {
    ran.push('decorated');
  }

  @WebhookHandler('PRODUCTS_UPDATE')
  onAnyProduct(): void {
    ran.push('default');
  }
}

@Module({ providers: [Handlers] })
class HandlersModule {}

const callback = (name: string) => () => void ran.push(name);
const options = {
  webhooks: {
    ORDERS_PAID: { deliveryMethod: 'http', callbackUrl: '/hooks/paid', callback: callback('paid') },
    ORDERS_CREATE: {
      deliveryMethod: 'http',
      callbackUrl: 'https://app.example.com/hooks/created/',
      callback: callback('created'),
    },
    ORDERS_CANCELLED: { deliveryMethod: 'http', callbackUrl: '/hooks/of-the-app' },
    ORDERS_DELETE: {
      deliveryMethod: 'http',
      callbackUrl: 'https://elsewhere.example/hooks/elsewhere',
      callback: callback('elsewhere'),
    },
  },
} as const;

describe.each(HOSTS)('the path of a handler of its own on $name', ({ open }) => {
  let host: RunningHost;
  beforeAll(async () => {
    host = await open({ options, modules: [{ module: HandlersModule }] });
  });
  afterAll(() => host.close());
  beforeEach(() => void ran.splice(0));

  const deliver = async (
    path: string,
    topic: string,
    change: Partial<SignedWebhookOptions> = {},
  ): Promise<number> => {
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic,
      payload: { id: 1 },
      ...change,
    });
    return (await fetch(host.url + path, { method: 'POST', headers, body: new Uint8Array(body) }))
      .status;
  };

  // It was subscribed and answered with 404. The first delivery comes before a facade has booted.
  it.each([
    ['that a decorator names', '/hooks/decorated', 'products/update', 'decorated'],
    ['that the options name', '/hooks/paid', 'orders/paid', 'paid'],
    ['that the options name by its URL', '/hooks/created', 'orders/create', 'created'],
    ['with a slash at its end', '/hooks/paid/', 'orders/paid', 'paid'],
    ['with a query', '/hooks/paid?source=platform', 'orders/paid', 'paid'],
  ])('takes deliveries, %s', async (_title, path, topic, handler) => {
    expect(await deliver(path, topic)).toBe(200);
    expect(ran).toEqual([handler]);
  });

  it('believes what is signed, however its bytes are written', async () => {
    const body = Buffer.from('{ "id" : 1 ,\n\t"title":"\\u0041 Café" }');
    expect(await deliver('/hooks/paid', 'orders/paid', { body })).toBe(200);
    expect(await deliver('/hooks/paid', 'orders/paid', { body, secret: 'another' })).toBe(401);
    expect(ran).toEqual(['paid']);
  });

  it('refuses everything else as the webhook path does', async () => {
    const answers = [
      await fetch(`${host.url}/hooks/paid`, { method: 'POST', body: '{}' }),
      await fetch(`${host.url}/hooks/paid`),
      await fetch(`${host.url}/hooks/decorated`, { method: 'DELETE' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 405, 405]);
  });

  it.each([
    ['it has nothing to run', '/hooks/of-the-app', 'orders/cancelled'],
    ['it is on another server', '/hooks/elsewhere', 'orders/delete'],
    ['nobody names it', '/hooks/paid/more', 'orders/paid'],
  ])('is left to the app when %s', async (_title, path, topic) => {
    expect(await deliver(path, topic)).toBe(404);
    expect(ran).toEqual([]);
  });
});
