import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { WebhookDelivery } from '../../../lib/webhooks/deliveries/webhook-delivery.js';
import type { ShopContextLoader } from '../../../lib/webhooks/deliveries/webhook.processor.js';
import { SHOP } from '../../support/app.js';
import { gate } from '../../support/gate.js';
import { heldBytes } from '../../support/heap.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const MINUTE = 60_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass, once everything that can happen by now has happened. */
async function pass(app: WebhooksFixture, ms: number): Promise<void> {
  await turn();
  for (let passed = 0; passed < ms; passed += 1000) {
    app.clock.advance(1000);
    await turn();
  }
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => {
  unhandled.splice(0);
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

describe('a handler that is not back in time', () => {
  it('counts as failed: the others run, the delivery is answered 500, and the next attempt runs it again at once', async () => {
    // It was waited for for ever, and its claim was renewed for an hour.
    const app = new WebhooksFixture();
    const [first, second] = [gate(), gate()];
    const gates = [first, second];
    const runs = { stuck: 0, other: 0 };
    const handlers = { stuck: () => gates[runs.stuck++]!.opened, other: () => void runs.other++ };
    app.registry.addHandlers({ PRODUCTS_CREATE: Object.values(handlers) });
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await pass(app, 10 * MINUTE - 1000);
    expect(runs).toEqual({ stuck: 1, other: 0 });
    await pass(app, 1000);
    expect(await answer).toMatchObject({ status: 500, reason: 'handler_failed' });
    expect(runs).toEqual({ stuck: 1, other: 1 });
    expect(app.clock.alarms).toBe(0);
    expect(app.lines.matching('A webhook handler failed')).toEqual([
      expect.stringMatching(
        /handler.*stuck.*w-1.*ERR_WEBHOOK_HANDLER_TIMEOUT|ERR_WEBHOOK_HANDLER_TIMEOUT.*stuck/s,
      ),
    ]);

    const next = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await turn();
    expect(runs).toEqual({ stuck: 2, other: 1 });
    // Too late for the first attempt: the second is under way and not touched.
    first.open();
    await turn();
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'delivery_in_progress',
    });
    second.open();
    expect(await next).toMatchObject({ reason: 'handled' });
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'duplicate',
    });
  });

  it('is named by a typed error', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    const run = app.timeLimit.run(
      'ProductHandlers.onProduct',
      { topic: 'PRODUCTS_CREATE', shop: SHOP, webhookId: 'w-1' },
      () => new Promise<void>(() => {}),
    );
    app.clock.advance(5_000);
    await expect(run).rejects.toMatchObject({
      code: 'ERR_WEBHOOK_HANDLER_TIMEOUT',
      handler: 'ProductHandlers.onProduct',
      timeout: 5_000,
      message: expect.stringContaining('webhooks.handlerTimeout'),
    });
  });

  it('is logged when it fails after all, and is no unhandled rejection', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    const { opened, fail } = gate();
    app.handle('PRODUCTS_CREATE', () => opened);
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await pass(app, 5_000);
    expect(await answer).toMatchObject({ status: 500 });
    fail(new Error('the connection is gone'));
    await turn();
    expect(app.lines.matching('failed after it was given up')).toEqual([
      expect.stringMatching(/test handler of PRODUCTS_CREATE.*w-1/s),
    ]);
    expect(unhandled).toEqual([]);
  });

  it('does not keep its delivery in memory when it never returns', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    // Something of the app's that stays, and with it whatever waits for it.
    const stuck = new Promise<void>(() => {});
    const seen: WeakRef<WebhookDelivery>[] = [];
    app.registry.add({
      kind: 'handler',
      topic: 'PRODUCTS_CREATE',
      subscription: { deliveryMethod: 'http' },
      name: 'stuck',
      run: (delivery) => {
        seen.push(new WeakRef(delivery));
        return stuck;
      },
    });
    const answer = app.receiver.receive(delivery());
    await pass(app, 5_000);
    expect(await answer).toMatchObject({ status: 500 });
    await turn();
    heldBytes();
    expect(seen.map((one) => one.deref())).toEqual([undefined]);
    await Promise.race([stuck, turn()]);
  });

  it('has any time with Infinity, while its claim is kept', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: Infinity } });
    const { opened, open } = gate();
    app.handle('PRODUCTS_CREATE', () => opened);
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await pass(app, 62 * MINUTE);
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'delivery_in_progress',
    });
    open();
    expect(await answer).toMatchObject({ reason: 'handled' });
  });

  it('may be what the toolkit itself does with a delivery', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    app.follow('PRODUCTS_CREATE', () => new Promise(() => {}));
    const answers = [app.receiver.receive(delivery()), app.receiver.verifyAndOpen(delivery())];
    await pass(app, 5_000);
    expect(await Promise.all(answers)).toMatchObject([{ status: 500 }, { status: 500 }]);
    expect(app.lines.matching('follow-up of PRODUCTS_CREATE')).toHaveLength(2);
  });

  it('may not have begun, because its shop could not be opened', async () => {
    // The claim was renewed for ever while the session storage hung.
    const shops = { load: () => new Promise(() => {}) } as unknown as ShopContextLoader;
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } }, { shops });
    const ran = app.handle('PRODUCTS_CREATE');
    const answer = app.receiver.receive(delivery());
    await pass(app, 5_000);
    expect(await answer).toMatchObject({ status: 500, reason: 'handler_failed' });
    expect(app.lines.matching('opening of the shop')).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  it('does not keep others that fail at once from being told of', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    const broken = (): void => {
      throw new Error('no');
    };
    app.registry.addHandlers({ PRODUCTS_CREATE: [() => new Promise(() => {}), broken] });
    const failed = app.receiver.receive(delivery());
    await pass(app, 5_000);
    expect(await failed).toMatchObject({ status: 500 });
    expect(app.lines.matching('A webhook handler failed')).toHaveLength(2);
  });
});

describe('a handler with a timeout of its own', () => {
  const never = (): Promise<void> => new Promise(() => {});

  it.each([
    ['shorter than', 5_000, 5_000],
    ['longer than', 120_000, 120_000],
  ])('that is %s that of the app fails when it is over', async (_, timeout, over) => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 60_000 } });
    app.registry.addHandlers({
      PRODUCTS_CREATE: { deliveryMethod: 'http', callback: never, timeout },
    });
    const answer = app.receiver.receive(delivery());
    await pass(app, over - 1_000);
    expect(app.lines.matching('A webhook handler failed')).toEqual([]);
    await pass(app, 1_000);
    expect(await answer).toMatchObject({ status: 500, reason: 'handler_failed' });
    expect(app.lines.matching(`did not return within ${timeout} ms`)).toHaveLength(1);
  });

  it('has no limit where it is Infinity', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    const { opened, open } = gate();
    const callback = (): Promise<void> => opened;
    app.registry.addHandlers({
      PRODUCTS_CREATE: { deliveryMethod: 'http', callback, timeout: Infinity },
    });
    const answer = app.receiver.receive(delivery());
    await pass(app, 60_000);
    open();
    expect(await answer).toMatchObject({ reason: 'handled' });
  });

  it.each<[string, object, string]>([
    ['is no number of milliseconds', { callback: never, timeout: 0 }, 'timeout must be a positive'],
    ['has nothing to limit', { timeout: 5_000 }, 'timeout has no effect without handler'],
  ])('is refused when it %s', (_, handler, message) => {
    const { registry } = new WebhooksFixture();
    expect(() =>
      registry.addHandlers({ PRODUCTS_CREATE: { deliveryMethod: 'http', ...handler } }),
    ).toThrow(`PRODUCTS_CREATE.${message}`);
  });
});

describe('the signal of a delivery', () => {
  it('is aborted with the error when the handler exceeds its timeout, and that of the next handler is not', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    let late: AbortSignal | undefined;
    const signals: AbortSignal[] = [];
    const [first] = [
      app.handle('PRODUCTS_CREATE', async ({ signal }) => {
        signals.push(signal);
        await new Promise(() => {});
      }),
    ];
    app.handle('PRODUCTS_CREATE', async ({ signal, payload, shop }) => {
      signals.push(signal);
      expect([payload.id, shop]).toEqual([1, SHOP]);
      // The first handler asks only now.
      late = first[0]!.signal;
    });
    const answer = app.receiver.receive(delivery());
    await pass(app, 5_000);
    expect(await answer).toMatchObject({ reason: 'handler_failed' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(signals[0]!.reason).toMatchObject({ code: 'ERR_WEBHOOK_HANDLER_TIMEOUT' });
    expect(late).toBe(signals[0]);
  });

  it('is aborted as well when it is read after the timeout', async () => {
    const app = new WebhooksFixture({ webhooks: { handlerTimeout: 5_000 } });
    const { opened, open } = gate();
    const seen: boolean[] = [];
    app.handle('PRODUCTS_CREATE', async (one) => {
      await opened;
      seen.push(one.signal.aborted);
    });
    const answer = app.receiver.receive(delivery());
    await pass(app, 5_000);
    await answer;
    open();
    await turn();
    expect(seen).toEqual([true]);
  });

  it('is aborted when a shutdown no longer waits', async () => {
    const app = new WebhooksFixture({ webhooks: { shutdownTimeout: 5_000 } });
    let signal: AbortSignal | undefined;
    app.handle('PRODUCTS_CREATE', (one) => {
      ({ signal } = one);
      return new Promise(() => {});
    });
    const answer = app.receiver.receive(delivery());
    await turn();
    const drained = app.inFlight.drain();
    await pass(app, 5_000);
    await drained;
    expect(await answer).toMatchObject({ reason: 'shutting_down' });
    expect(signal).toMatchObject({ aborted: true, reason: { code: 'ERR_SHUTTING_DOWN' } });
  });

  it('is not aborted when the handler returns, and is the same each time it is read', async () => {
    const app = new WebhooksFixture();
    const deliveries = app.handle('PRODUCTS_CREATE', ({ signal }) => signal.throwIfAborted());
    expect(await app.receiver.receive(delivery())).toMatchObject({ reason: 'handled' });
    const [one] = deliveries;
    expect(one!.signal).toBe(one!.signal);
    expect(one!.signal.aborted).toBe(false);
  });
});

describe('a delivery that is being handled when the app shuts down', () => {
  const shutdownTimeout = 25_000;

  it('is waited for and completed', async () => {
    const app = new WebhooksFixture();
    const { opened, open } = gate();
    app.handle('PRODUCTS_CREATE', () => opened);
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await turn();
    const drained = app.inFlight.drain();
    expect(await app.receiver.receive(delivery({ webhookId: 'w-2' }))).toMatchObject({
      status: 503,
      reason: 'shutting_down',
    });
    expect(await app.receiver.verifyAndOpen(delivery({ webhookId: 'w-2' }))).toMatchObject({
      status: 503,
      reason: 'shutting_down',
    });
    await pass(app, 20_000);
    open();
    await drained;
    expect(await answer).toMatchObject({ reason: 'handled' });
    expect(app.clock.alarms).toBe(0);
  });

  it('is given back at the limit with the handlers that are done, and nothing it does later counts', async () => {
    const app = new WebhooksFixture();
    const next = new WebhooksFixture({}, { inbox: app.inbox, clock: app.clock });
    const [here, there] = [gate(), gate()];
    const runs: string[] = [];
    const handlersOf = (process: string, slow: Promise<void>): object => ({
      PRODUCTS_CREATE: [
        function first() {
          runs.push(`${process} first`);
        },
        async function slowOne() {
          runs.push(`${process} slow`);
          await slow;
        },
        function last() {
          runs.push(`${process} last`);
        },
      ],
    });
    app.registry.addHandlers(handlersOf('here', here.opened) as never);
    next.registry.addHandlers(handlersOf('there', there.opened) as never);
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await turn();
    const drained = app.inFlight.drain();
    await pass(app, shutdownTimeout);
    await drained;
    expect(await answer).toMatchObject({ status: 503, reason: 'shutting_down' });
    // Neither renewals nor timeouts keep the process alive.
    expect(app.clock.alarms).toBe(0);

    const elsewhere = next.receiver.receive(delivery({ webhookId: 'w-1' }));
    await turn();
    expect(runs).toEqual(['here first', 'here slow', 'there slow']);
    here.open();
    await turn();
    expect(await next.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'delivery_in_progress',
    });
    there.open();
    expect(await elsewhere).toMatchObject({ reason: 'handled' });
    expect(runs).toEqual(['here first', 'here slow', 'there slow', 'there last']);
  });

  it('does not begin with its handlers after the limit', async () => {
    const app = new WebhooksFixture();
    const { opened, open } = gate();
    const ran = app.handle('PRODUCTS_CREATE');
    const late = delivery({ webhookId: 'w-1' });
    const answer = app.receiver.receive({
      ...late,
      rawBody: () => opened.then(() => late.rawBody()),
    });
    await turn();
    const drained = app.inFlight.drain();
    await pass(app, shutdownTimeout);
    open();
    await drained;
    expect(await answer).toMatchObject({ status: 503, reason: 'shutting_down' });
    expect(ran).toEqual([]);
    // And it is free.
    const next = new WebhooksFixture({}, { inbox: app.inbox, clock: app.clock });
    next.handle('PRODUCTS_CREATE');
    expect(await next.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'handled',
    });
  });
});
