import { describe, expect, it } from '@jest/globals';

import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordWebhookInbox } from '../../../lib/sessions/coordination/coordination-stores.js';
import { WebhookClaims } from '../../../lib/webhooks/deliveries/webhook-claims.js';
import { JumpingClock, Lines, WebhooksFixture, delivery } from '../webhooks.fixture.js';

const MINUTE = 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass in steps of a second, as a running process sees it. */
async function pass(clock: JumpingClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    clock.advance(1000);
    await turn();
  }
}

/**
 * A handler that is under way until it is told to `finish`, and the answer its delivery will get.
 */
async function slowHandler(
  app: WebhooksFixture,
): Promise<{ runs: () => number; finish: () => void; answer: Promise<unknown> }> {
  let finish = (): void => {};
  const seen = app.handle(
    'PRODUCTS_CREATE',
    () => new Promise<void>((resolve) => (finish = resolve)),
  );
  const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
  await turn();
  return { runs: () => seen.length, finish: () => finish(), answer };
}

describe('the claim on a delivery', () => {
  it('is kept for as long as its handler takes, so that no second attempt runs beside it', async () => {
    // The claim ended after a minute, whatever the handler did.
    const app = new WebhooksFixture();
    const { runs, finish, answer } = await slowHandler(app);
    for (const minute of [1, 2, 5]) {
      await pass(app.clock, minute * MINUTE);
      expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
        status: 503,
        reason: 'delivery_in_progress',
      });
    }
    finish();
    expect(await answer).toMatchObject({ reason: 'handled' });
    expect(runs()).toBe(1);
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'duplicate',
    });
  });

  it.each([
    ['succeeds', undefined],
    ['fails', new Error('no')],
  ])('is not renewed any more once its handler %s, and leaves no timer', async (_name, error) => {
    const app = new WebhooksFixture();
    const alarms: number[] = [];
    app.handle('PRODUCTS_CREATE', () => {
      alarms.push(app.clock.alarms);
      if (error) throw error;
    });
    await app.receiver.receive(delivery());
    expect([...alarms, app.clock.alarms]).toEqual([1, 0]);
  });

  it('is renewed with all the others by one timer, until its own handler is done', async () => {
    const app = new WebhooksFixture();
    const renewed: string[] = [];
    const renew = app.inbox.renew.bind(app.inbox);
    app.inbox.renew = (key, ...rest) => (renewed.push(key.webhookId), renew(key, ...rest));
    const finish = new Map<string, () => void>();
    app.handle(
      'PRODUCTS_CREATE',
      ({ webhookId }) => new Promise<void>((resolve) => finish.set(webhookId, resolve)),
    );
    const answers = ['w-1', 'w-2', 'w-3'].map(async (webhookId) => {
      return app.receiver.receive(delivery({ webhookId }));
    });
    await turn();
    // One for each handler's time limit, one for the claims.
    expect(app.clock.alarms).toBe(4);
    await pass(app.clock, 10_000);
    expect(renewed.splice(0)).toEqual(['w-1', 'w-2', 'w-3']);
    finish.get('w-2')!();
    await answers[1];
    await pass(app.clock, 10_000);
    expect(renewed).toEqual(['w-1', 'w-3']);
    for (const one of finish.values()) one();
    await Promise.all(answers);
    expect(app.clock.alarms).toBe(0);
  });

  it('ends 30 seconds after its holder has died', async () => {
    // It took a minute: the attempts until then were answered 503.
    const app = new WebhooksFixture();
    const ran = app.handle('PRODUCTS_CREATE');
    // For the one whose clock stands still, nothing happens any more.
    await slowHandler(new WebhooksFixture({}, { inbox: app.inbox }));
    const begin = app.clock.now().getTime();
    const refused = {
      status: 503,
      reason: 'delivery_in_progress',
      headers: [['retry-after', '5']],
    };
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject(refused);
    expect(app.clock.now().getTime() - begin).toBe(4_000);
    await pass(app.clock, 20_000);
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject(refused);
    await pass(app.clock, 2_000);
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'handled',
    });
    expect(ran).toHaveLength(1);
  });

  it('is not lost by a handler that blocks its event loop for 20 seconds', async () => {
    const app = new WebhooksFixture();
    const { runs, finish, answer } = await slowHandler(app);
    for (let block = 0; block < 5; block++) {
      // Shortly before a renewal is due. Nothing runs meanwhile, and it comes at the end.
      await pass(app.clock, 9_000);
      app.clock.advance(20_000);
      await turn();
      expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
        reason: 'delivery_in_progress',
      });
    }
    finish();
    expect(await answer).toMatchObject({ reason: 'handled' });
    expect(runs()).toBe(1);
  });

  it('is told of in the log when someone else has taken it', async () => {
    class Robbed extends RecordWebhookInbox {
      override renew = async (): Promise<boolean> => false;
    }
    const app = new WebhooksFixture(
      {},
      { inbox: new Robbed(new MemoryRecordStore(new JumpingClock())) },
    );
    const { finish, answer } = await slowHandler(app);
    await pass(app.clock, 2 * MINUTE);
    expect(app.lines.matching('The claim on a delivery was lost')).toEqual([
      expect.stringContaining('w-1'),
    ]);
    // Nothing but the timeout of the handler.
    expect(app.clock.alarms).toBe(1);
    finish();
    expect(await answer).toMatchObject({ reason: 'handled' });
  });

  it('is renewed again when the inbox was out of reach for a moment', async () => {
    const clock = new JumpingClock();
    let failures = 1;
    class Shaky extends RecordWebhookInbox {
      override renew(...args: Parameters<RecordWebhookInbox['renew']>): Promise<boolean> {
        return failures-- > 0 ? Promise.reject(new Error('down')) : super.renew(...args);
      }
    }
    const app = new WebhooksFixture({}, { clock, inbox: new Shaky(new MemoryRecordStore(clock)) });
    const { finish, answer } = await slowHandler(app);
    await pass(clock, 2 * MINUTE);
    expect(app.lines.matching('The inbox failed to renew a delivery')).toHaveLength(1);
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      status: 503,
    });
    finish();
    expect(await answer).toMatchObject({ reason: 'handled' });
  });
});

describe('a duplicate', () => {
  // It polled the inbox for an hour.
  it('waits four seconds for the delivery it repeats, also when the clock is set back meanwhile', async () => {
    const clock = new JumpingClock();
    let polls = 0;
    class Busy extends RecordWebhookInbox {
      override async claim(): Promise<{ state: 'busy' }> {
        if (++polls === 3) clock.advance(-60 * MINUTE);
        return { state: 'busy' };
      }
    }
    const claims = new WebhookClaims({
      clock,
      inbox: new Busy(new MemoryRecordStore(clock)),
      logger: new Lines().logger,
    });
    expect(await claims.take({ app: 'key', shop: 'shop.myshopify.com', webhookId: 'w-1' })).toEqual(
      { kind: 'busy' },
    );
    // Every 200 ms, from the beginning on; what passed between the last look at the clock and its
    // being set is not known.
    expect([21, 22]).toContain(polls);
  });
});
