import { describe, expect, it } from '@jest/globals';

import { WebhooksPageEndpoint } from '../../../lib/webhooks/page/webhooks-page.endpoint.js';
import { API_KEY, SHOP } from '../../support/app.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const MINUTE = 60_000;

async function shown({ app }: WebhooksFixture): Promise<string[]> {
  const decision = await app.get(WebhooksPageEndpoint).answer(delivery({}, { method: 'GET' }));
  const html = decision.kind === 'document' ? decision.html : '';
  return [...html.matchAll(/data-of="Delivery">([^<]+)</g)].map(([, id]) => id!);
}

async function handled({ inbox }: WebhooksFixture, webhookId: string): Promise<void> {
  const key = { app: API_KEY, shop: SHOP, webhookId };
  const claim = await inbox.claim(key, MINUTE);
  if (claim.state === 'claimed') await inbox.complete(key, claim.token);
}

describe('the last deliveries of an app without a queue', () => {
  it.each([[5], [300]])(
    'are the last ones, %i minutes after more than an inbox lists',
    async (minutes) => {
      const app = new WebhooksFixture();
      for (let index = 0; index < 1_200; index++) await handled(app, `a-${index}`);
      app.clock.advance(minutes * MINUTE);
      const last = Array.from({ length: 30 }, (_, index) => `z-${index}`);
      for (const webhookId of last) {
        app.clock.advance(1);
        await handled(app, webhookId);
      }
      app.clock.advance((minutes * MINUTE) / 10);
      expect(await shown(app)).toEqual(last.slice(-25).reverse());
    },
  );

  it('are asked for once', async () => {
    const app = new WebhooksFixture();
    const asked: Date[] = [];
    const since = app.inbox.since!.bind(app.inbox);
    app.inbox.since = (client, moment) => {
      asked.push(moment);
      return since(client, moment);
    };
    await shown(app);
    expect(asked).toEqual([new Date(app.clock.now().getTime() - 24 * 60 * MINUTE)]);
  });

  it('are shown first when they are fewer than the page has rows', async () => {
    const app = new WebhooksFixture();
    for (let index = 0; index < 1_200; index++) await handled(app, `a-${index}`);
    app.clock.advance(5 * MINUTE);
    await handled(app, 'z-last');
    const ids = await shown(app);
    expect(ids).toHaveLength(25);
    expect(ids[0]).toBe('z-last');
  });

  it('go back a day', async () => {
    const app = new WebhooksFixture();
    await handled(app, 'too-old');
    app.clock.advance(MINUTE);
    await handled(app, 'of-yesterday');
    app.clock.advance(24 * 60 * MINUTE - 1);
    expect(await shown(app)).toEqual(['of-yesterday']);
  });
});
