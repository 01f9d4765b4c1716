import { describe, expect, it } from '@jest/globals';

import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../../../lib/core/core.errors.js';
import type { AcceptedDecision, DeniedDecision } from '../../../lib/core/decision.js';
import { AppDistribution } from '../../../lib/core/config/config.options.js';
import { Session } from '../../../lib/sessions/session.js';
import { WebhookInbox } from '../../../lib/sessions/coordination/webhook.inbox.js';
import type { Claim } from '../../../lib/sessions/coordination/webhook.inbox.js';
import type { ShopContextLoader } from '../../../lib/webhooks/deliveries/webhook.processor.js';
import type { VerifiedDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import { WebhookQueue } from '../../../lib/webhooks/queue/webhook.queue.js';
import type { DeliveryOutcome } from '../../../lib/webhooks/queue/webhook.queue.js';
import { API_KEY, API_SECRET, SHOP } from '../../support/app.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const statusOf = (decision: AcceptedDecision | DeniedDecision): [number, string] => [
  decision.status ?? 200,
  decision.reason,
];
const offline = (shop = SHOP): Session =>
  new Session({
    id: `offline_${shop}`,
    shop,
    state: '',
    isOnline: false,
    accessToken: 'shpat_1234567890',
  });

/** An inbox that nobody may ask. */
class ForbiddenInbox extends WebhookInbox {
  claim = (): Promise<Claim> => Promise.reject(new Error('claimed'));
  renew = (): Promise<boolean> => Promise.reject(new Error('renewed'));
  complete = (): Promise<void> => Promise.reject(new Error('completed'));
  release = (): Promise<void> => Promise.reject(new Error('released'));
}

describe('WebhookReceiver', () => {
  it('hands a verified delivery to the handlers of its topic', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    const request = delivery({
      webhookId: 'w-1',
      eventId: 'e-1',
      payload: { id: 7 },
      name: 'n',
      triggeredAt: '2026-07-01T00:00:00Z',
    });
    expect(await app.receiver.receive(request)).toEqual({ kind: 'accepted', reason: 'handled' });
    expect(seen).toMatchObject([
      {
        webhookType: 'webhooks',
        topic: 'PRODUCTS_CREATE',
        shop: SHOP,
        webhookId: 'w-1',
        eventId: 'e-1',
        apiVersion: '2026-07',
        name: 'n',
        triggeredAt: '2026-07-01T00:00:00Z',
        payload: { id: 7 },
        rawBody: '{"id":7}',
      },
    ]);
  });

  it('handles a delivery of the events family like any other', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCT');
    const classic = delivery({ payload: { id: 7 } });
    const headers = {
      'shopify-hmac-sha256': classic.header('X-Shopify-Hmac-Sha256'),
      'shopify-topic': 'Product',
      'shopify-shop-domain': SHOP,
      'shopify-api-version': '2026-10',
      'shopify-webhook-id': 'w-9',
      'shopify-action': 'create',
    };
    expect(
      statusOf(await app.receiver.receive(delivery({ payload: { id: 7 } }, { headers }))),
    ).toEqual([200, 'handled']);
    expect(seen).toMatchObject([
      { webhookType: 'events', topic: 'PRODUCT', action: 'create', webhookId: 'w-9' },
    ]);
  });

  it.each([
    ['another method', delivery({}, { method: 'GET' }), 405, 'method_not_allowed'],
    [
      'no signature',
      delivery({}, { headers: { 'X-Shopify-Hmac-Sha256': undefined } }),
      400,
      'missing_hmac',
    ],
    ['no body', delivery({ body: '' }), 400, 'missing_body'],
    ['a signature of another secret', delivery({ secret: 'other' }), 401, 'invalid_hmac'],
    [
      'a missing header',
      delivery({}, { headers: { 'X-Shopify-Webhook-Id': undefined } }),
      400,
      'missing_headers',
    ],
    ['a shop that is none', delivery({ shop: 'evil.example' }), 400, 'invalid_shop'],
    ['a topic nobody handles', delivery({ topic: 'orders/paid' }), 404, 'topic_unknown'],
    [
      'a body beyond the limit',
      delivery({}, { rawBody: () => Promise.reject(new BodyTooLargeError('long')) }),
      413,
      'body_too_large',
    ],
    [
      'a body that was dropped',
      delivery({}, { rawBody: () => Promise.reject(new BodyDroppedError('full')) }),
      503,
      'body_dropped',
    ],
    [
      'a body that does not arrive',
      delivery({}, { rawBody: () => Promise.reject(new BodyTimeoutError('slow')) }),
      408,
      'body_timeout',
    ],
    [
      'a body that was parsed',
      delivery({}, { rawBody: () => Promise.reject(new RawBodyUnavailableError('fix')) }),
      500,
      'raw_body_unavailable',
    ],
  ])(
    'refuses %s, and neither asks the inbox nor runs a handler',
    async (_name, request, status, reason) => {
      const app = new WebhooksFixture({}, { inbox: new ForbiddenInbox() });
      const seen = app.handle('PRODUCTS_CREATE');
      const decision = await app.receiver.receive(request);
      expect(statusOf(decision)).toEqual([status, reason]);
      expect(seen).toEqual([]);
    },
  );

  it('reads no body of a request that is not signed', async () => {
    const request = delivery(
      {},
      {
        headers: { 'X-Shopify-Hmac-Sha256': '' },
        rawBody: () => Promise.reject(new Error('read')),
      },
    );
    expect(statusOf(await new WebhooksFixture().receiver.receive(request))).toEqual([
      400,
      'missing_hmac',
    ]);
  });

  it.each([
    'AAAA',
    'A'.repeat(8000),
    `${'A'.repeat(42)}-=`,
    `${'A'.repeat(43)}=, ${'A'.repeat(43)}=`,
  ])('reads no body of a request whose signature cannot be one: %.20s', async (hmac) => {
    const request = delivery(
      {},
      {
        headers: { 'X-Shopify-Hmac-Sha256': hmac },
        rawBody: () => Promise.reject(new Error('read')),
      },
    );
    expect(statusOf(await new WebhooksFixture().receiver.receive(request))).toEqual([
      401,
      'invalid_hmac',
    ]);
  });

  it('writes an error for a body that was parsed, and none for a client that went away', async () => {
    // Whoever sent headers and hung up wrote an error line.
    const app = new WebhooksFixture();
    const refused = (
      reason: 'already_read' | 'went_away',
    ): Promise<AcceptedDecision | DeniedDecision> =>
      app.receiver.receive(
        delivery(
          {},
          {
            rawBody: () =>
              Promise.reject(new RawBodyUnavailableError(`because: ${reason}`, reason)),
          },
        ),
      );
    expect([await refused('already_read'), await refused('went_away')].map(statusOf)).toEqual([
      [500, 'raw_body_unavailable'],
      [400, 'body_incomplete'],
    ]);
    expect(app.lines.matching('because: ')).toEqual([
      expect.stringContaining('ERROR] because: already_read'),
      expect.stringContaining('DEBUG] because: went_away'),
    ]);
  });

  it('says which methods and which headers it wants', async () => {
    const { receiver } = new WebhooksFixture();
    expect(await receiver.receive(delivery({}, { method: 'PUT' }))).toMatchObject({
      headers: [['allow', 'POST']],
    });
    const headers = { 'X-Shopify-Topic': undefined, 'X-Shopify-Webhook-Id': '' };
    expect(await receiver.receive(delivery({}, { headers }))).toMatchObject({
      message: 'The delivery lacks required headers: X-Shopify-Topic, X-Shopify-Webhook-Id.',
    });
  });

  it('answers 500 without details when a handler throws, and lets the next attempt run', async () => {
    const app = new WebhooksFixture();
    let attempts = 0;
    app.handle('PRODUCTS_CREATE', () => {
      if (++attempts === 1) throw new Error('database password is hunter2');
    });
    const decision = await app.receiver.receive(delivery({ webhookId: 'w-1' }));
    expect(statusOf(decision)).toEqual([500, 'handler_failed']);
    expect(JSON.stringify(decision)).not.toContain('hunter2');
    expect(app.lines.matching('test handler of PRODUCTS_CREATE')).toHaveLength(1);
    expect(statusOf(await app.receiver.receive(delivery({ webhookId: 'w-1' })))).toEqual([
      200,
      'handled',
    ]);
    expect(attempts).toBe(2);
  });

  it('runs every handler of a topic in order, whichever of them fails', async () => {
    const app = new WebhooksFixture();
    const order: number[] = [];
    for (const n of [1, 2, 3, 4]) {
      app.handle('PRODUCTS_CREATE', async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push(n);
        if (n % 2 === 0) throw new Error(`no ${n}`);
      });
    }
    expect(statusOf(await app.receiver.receive(delivery()))).toEqual([500, 'handler_failed']);
    expect(order).toEqual([1, 2, 3, 4]);
    expect(
      [app.lines.matching('no 2'), app.lines.matching('no 4')].map(({ length }) => length),
    ).toEqual([1, 1]);
  });

  it('parses the body when a handler reads it, and keeps the text of one that is not JSON', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    expect(statusOf(await app.receiver.receive(delivery({ body: '<xml/>' })))).toEqual([
      200,
      'handled',
    ]);
    expect(seen[0]!.rawBody).toBe('<xml/>');
    expect(() => seen[0]!.payload).toThrow('not JSON');
    app.handle('PRODUCTS_CREATE', ({ payload }) => payload);
    expect(statusOf(await app.receiver.receive(delivery({ body: '<xml/>' })))).toEqual([
      500,
      'handler_failed',
    ]);
  });
});

describe('a queue that stores deliveries', () => {
  /** Keeps deliveries as text, as a database would. */
  class StoringQueue extends WebhookQueue {
    readonly jobs: string[] = [];

    async enqueue({ body, ...rest }: VerifiedDelivery): Promise<DeliveryOutcome> {
      this.jobs.push(JSON.stringify({ ...rest, body: body.toString('base64') }));
      return { kind: 'accepted', reason: 'handled' };
    }

    take(): VerifiedDelivery {
      const job = JSON.parse(this.jobs.shift()!) as VerifiedDelivery & { readonly body: string };
      return { ...job, body: Buffer.from(job.body, 'base64') };
    }
  }

  it('answers the platform before a handler has run, and has it run later', async () => {
    const queue = new StoringQueue();
    const app = new WebhooksFixture({}, { queue });
    const seen = app.handle('PRODUCTS_CREATE');
    const request = delivery({ webhookId: 'w-1', payload: { title: 'Ä' } });
    expect(statusOf(await app.receiver.receive(request))).toEqual([200, 'handled']);
    expect(seen).toEqual([]);
    expect(await app.processor.process(queue.take())).toEqual({
      kind: 'accepted',
      reason: 'handled',
    });
    expect(seen).toMatchObject([{ shop: SHOP, webhookId: 'w-1', payload: { title: 'Ä' } }]);
  });

  it('gets nothing that is not verified, and nothing that no handler is registered for', async () => {
    const queue = new StoringQueue();
    const app = new WebhooksFixture({}, { queue });
    app.handle('PRODUCTS_CREATE');
    await app.receiver.receive(delivery({ secret: 'other' }));
    await app.receiver.receive(delivery({ topic: 'orders/paid' }));
    expect(queue.jobs).toEqual([]);
  });

  it('sees the handlers that have succeeded skipped when it processes a delivery again', async () => {
    const queue = new StoringQueue();
    const app = new WebhooksFixture({}, { queue });
    const ran: string[] = [];
    app.handle('PRODUCTS_CREATE', () => void ran.push('first'));
    app.handle('PRODUCTS_CREATE', () => {
      if (ran.push('flaky') === 2) throw new Error('no');
    });
    await app.receiver.receive(delivery());
    const job = queue.take();
    expect(await app.processor.process(job)).toMatchObject({ kind: 'failed' });
    expect(await app.processor.process(job)).toMatchObject({ reason: 'handled' });
    expect(await app.processor.process(job)).toMatchObject({ reason: 'duplicate' });
    expect(ran).toEqual(['first', 'flaky', 'flaky']);
  });
});

describe('a repeated delivery', () => {
  it('is accepted and not handled again once it is done', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    const request = delivery({ webhookId: 'w-1' });
    expect(
      [await app.receiver.receive(request), await app.receiver.receive(request)].map(statusOf),
    ).toEqual([
      [200, 'handled'],
      [200, 'duplicate'],
    ]);
    expect(seen).toHaveLength(1);
  });

  it('counts per shop', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    for (const shop of [SHOP, 'other.myshopify.com'])
      await app.receiver.receive(delivery({ webhookId: 'w-1', shop }));
    expect(seen.map(({ shop }) => shop)).toEqual([SHOP, 'other.myshopify.com']);
  });

  it('waits for the outcome of the one under way, and takes over when that fails', async () => {
    const app = new WebhooksFixture();
    let fail = (): void => {};
    let attempts = 0;
    app.handle('PRODUCTS_CREATE', () =>
      ++attempts === 1
        ? new Promise((_resolve, reject) => (fail = () => reject(new Error('no'))))
        : undefined,
    );
    const first = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    const second = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await new Promise((resolve) => setImmediate(resolve));
    fail();
    expect([statusOf(await first), statusOf(await second)]).toEqual([
      [500, 'handler_failed'],
      [200, 'handled'],
    ]);
  });

  it('is told to come back when the one under way takes longer than 4 s', async () => {
    const app = new WebhooksFixture();
    let finish = (): void => {};
    const seen = app.handle(
      'PRODUCTS_CREATE',
      () => new Promise<void>((resolve) => (finish = resolve)),
    );
    const first = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await new Promise((resolve) => setImmediate(resolve));
    const second = await app.receiver.receive(delivery({ webhookId: 'w-1' }));
    expect([...statusOf(second), second.kind === 'denied' && second.headers]).toEqual([
      503,
      'delivery_in_progress',
      [['retry-after', '5']],
    ]);
    expect(app.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(4000);
    finish();
    expect(statusOf(await first)).toEqual([200, 'handled']);
    expect(seen).toHaveLength(1);
  });

  it('may be handled anew when whoever claimed it has not been heard of for a minute', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    // A process that dies while it handles the delivery.
    await app.inbox.claim({ app: API_KEY, shop: SHOP, webhookId: 'w-1' }, 60_000);
    app.clock.advance(59_000 - 4_000);
    expect(statusOf(await app.receiver.receive(delivery({ webhookId: 'w-1' })))).toEqual([
      503,
      'delivery_in_progress',
    ]);
    app.clock.advance(1_000);
    expect(statusOf(await app.receiver.receive(delivery({ webhookId: 'w-1' })))).toEqual([
      200,
      'handled',
    ]);
    expect(seen).toHaveLength(1);
  });

  it('is kept apart by app, so that two apps can share an inbox', async () => {
    const one = new WebhooksFixture();
    const two = new WebhooksFixture({ apiKey: `${API_KEY}-2` }, { inbox: one.inbox });
    const seen = [one.handle('PRODUCTS_CREATE'), two.handle('PRODUCTS_CREATE')];
    for (const { receiver } of [one, two]) await receiver.receive(delivery({ webhookId: 'w-1' }));
    expect(seen.map(({ length }) => length)).toEqual([1, 1]);
  });
});

describe('an inbox that fails', () => {
  it('makes the platform come back when nothing could be claimed', async () => {
    const app = new WebhooksFixture({}, { inbox: new ForbiddenInbox() });
    const seen = app.handle('PRODUCTS_CREATE');
    expect(statusOf(await app.receiver.receive(delivery()))).toEqual([503, 'inbox_unavailable']);
    expect(seen).toEqual([]);
  });

  it('does not turn what was handled into a failure', async () => {
    class Forgetful extends ForbiddenInbox {
      override claim = (): Promise<Claim> =>
        Promise.resolve({ state: 'claimed', token: 't', handled: [] });
    }
    const app = new WebhooksFixture({}, { inbox: new Forgetful() });
    app.handle('PRODUCTS_CREATE');
    expect(statusOf(await app.receiver.receive(delivery()))).toEqual([200, 'handled']);
    expect(app.lines.matching('The inbox failed to complete a delivery')).toHaveLength(1);
  });
});

describe('the shop of a delivery', () => {
  it('comes with its offline session and the Admin API', async () => {
    const replies: string[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      replies.push(`${String(url)} ${new Headers(init?.headers).get('x-shopify-access-token')}`);
      return Response.json({ data: { shop: { name: 'Test' } } });
    };
    const app = new WebhooksFixture({ fetch });
    await app.storage.storeSession(offline());
    await app.storage.storeSession(offline('other.myshopify.com'));
    const answers: unknown[] = [];
    const seen = app.handle('PRODUCTS_CREATE', async ({ admin }) =>
      answers.push((await admin!.graphql('{ shop { name } }')).data),
    );
    await app.receiver.receive(delivery());
    expect(seen[0]!.session).toMatchObject({
      id: `offline_${SHOP}`,
      accessToken: 'shpat_1234567890',
    });
    expect(answers).toEqual([{ shop: { name: 'Test' } }]);
    expect(replies).toEqual([`https://${SHOP}/admin/api/2026-07/graphql.json shpat_1234567890`]);
  });

  it('gets API clients when a handler reads them, once', async () => {
    let made = 0;
    const clients = (): never => ({ admin: { made: ++made } }) as never;
    const shops = { load: async () => ({ session: offline(), clients }) };
    const app = new WebhooksFixture({}, { shops: shops as unknown as ShopContextLoader });
    const seen: unknown[] = [];
    app.handle('PRODUCTS_CREATE', ({ session }) => void seen.push(session?.id, made));
    app.handle('PRODUCTS_CREATE', (one) => void seen.push(one.admin, one.admin));
    await app.receiver.receive(delivery());
    expect(seen).toEqual([`offline_${SHOP}`, 0, { made: 1 }, { made: 1 }]);
  });

  it('has neither once the app is uninstalled', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    await app.receiver.receive(delivery());
    expect([seen[0]!.session, seen[0]!.admin]).toEqual([undefined, undefined]);
  });

  it.each([
    ['an empty one', ''],
    ['none', undefined],
    ['one that no header can carry', 'not a\ntoken'],
  ])(
    'comes with its session and without the API when its token is %s',
    async (_name, accessToken) => {
      // The client refused such a session, and with it every delivery of the shop, for ever.
      const app = new WebhooksFixture();
      await app.storage.storeSession(new Session({ ...offline().toObject(), accessToken }));
      const seen = app.handle('PRODUCTS_CREATE');
      expect(statusOf(await app.receiver.receive(delivery()))).toEqual([200, 'handled']);
      expect(seen[0]!.session?.id).toBe(`offline_${SHOP}`);
      expect(seen[0]!.admin).toBeUndefined();
    },
  );

  it('needs no stored session for an app created in the admin', async () => {
    const app = new WebhooksFixture({
      distribution: AppDistribution.PlatformAdmin,
      adminApiAccessToken: 'shpat_fixed_token',
    });
    const seen = app.handle('PRODUCTS_CREATE');
    await app.receiver.receive(delivery());
    expect([seen[0]!.session?.shop, seen[0]!.admin?.session.isOnline]).toEqual([SHOP, false]);
  });

  it('has no session of another shop, whatever the storage answers', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    app.storage.loadSession = async () => offline('other-shop.myshopify.com');
    await app.receiver.receive(delivery());
    expect([seen[0]!.session, seen[0]!.admin]).toEqual([undefined, undefined]);
  });

  it('is a reason to try again later when its session cannot be read', async () => {
    const app = new WebhooksFixture();
    const seen = app.handle('PRODUCTS_CREATE');
    app.storage.loadSession = () => Promise.reject(new Error('down'));
    expect(statusOf(await app.receiver.receive(delivery({ webhookId: 'w-1' })))).toEqual([
      500,
      'handler_failed',
    ]);
    app.storage.loadSession = async () => undefined;
    expect(statusOf(await app.receiver.receive(delivery({ webhookId: 'w-1' })))).toEqual([
      200,
      'handled',
    ]);
    expect(seen).toHaveLength(1);
  });
});

describe('WebhookReceiver.verifyAndOpen', () => {
  it('verifies and opens a delivery without running or recording anything', async () => {
    const app = new WebhooksFixture({}, { inbox: new ForbiddenInbox() });
    await app.storage.storeSession(offline());
    const seen = app.handle('ORDERS_PAID');
    const opened = await app.receiver.verifyAndOpen(
      delivery({ topic: 'orders/paid', payload: { id: 3 } }),
    );
    expect(opened).toMatchObject({
      kind: 'opened',
      delivery: {
        topic: 'ORDERS_PAID',
        shop: SHOP,
        payload: { id: 3 },
        session: { id: `offline_${SHOP}` },
      },
    });
    expect(seen).toEqual([]);
  });

  it('takes topics nobody registered a handler for', async () => {
    expect(
      await new WebhooksFixture().receiver.verifyAndOpen(delivery({ topic: 'brand/new' })),
    ).toMatchObject({ kind: 'opened', delivery: { topic: 'BRAND_NEW' } });
  });

  it('refuses what is not signed', async () => {
    expect(
      await new WebhooksFixture().receiver.verifyAndOpen(delivery({ secret: `${API_SECRET}x` })),
    ).toMatchObject({
      kind: 'denied',
      status: 401,
    });
  });
});
