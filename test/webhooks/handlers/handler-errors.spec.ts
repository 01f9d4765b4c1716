import { describe, expect, it } from '@jest/globals';

import type { HandlerErrorHook } from '../../../lib/webhooks/handlers/handler-errors.js';
import { SHOP } from '../../support/app.js';
import { gate } from '../../support/gate.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An app with a hook, and what the hook was called with. */
function appWith(
  hook: HandlerErrorHook = () => {},
  webhooks: object = {},
): { readonly app: WebhooksFixture; readonly calls: Parameters<HandlerErrorHook>[] } {
  const calls: Parameters<HandlerErrorHook>[] = [];
  const onHandlerError: HandlerErrorHook = (...call) => {
    calls.push(call);
    return hook(...call);
  };
  return { app: new WebhooksFixture({ webhooks: { onHandlerError, ...webhooks } }), calls };
}

const CONTEXT = {
  handler: 'test handler of PRODUCTS_CREATE',
  topic: 'PRODUCTS_CREATE',
  shop: SHOP,
  webhookId: 'w-1',
};

describe('webhooks.onHandlerError', () => {
  it('hears of what each handler throws, as it was thrown, and which delivery it was', async () => {
    const { app, calls } = appWith();
    const [error, other] = [new TypeError('no'), { status: 7 }];
    for (const thrown of [error, other])
      app.handle('PRODUCTS_CREATE', () => {
        throw thrown;
      });
    app.handle('PRODUCTS_CREATE');
    expect(await app.receiver.receive(delivery({ webhookId: 'w-1' }))).toMatchObject({
      reason: 'handler_failed',
    });
    expect(calls).toEqual([
      [error, CONTEXT],
      [other, { ...CONTEXT, handler: `${CONTEXT.handler} (2)` }],
    ]);
    expect(calls[0]![0]).toBe(error);
  });

  it('hears of what the toolkit does with a delivery, too, such as the hooks of an uninstallation', async () => {
    const { app, calls } = appWith();
    app.follow('PRODUCTS_CREATE', () => {
      throw new Error('no');
    });
    await app.receiver.receive(delivery({ webhookId: 'w-1' }));
    expect(calls).toEqual([
      [new Error('no'), { ...CONTEXT, handler: 'follow-up of PRODUCTS_CREATE' }],
    ]);
  });

  it('hears of a timeout, and of what the handler throws after it', async () => {
    const { app, calls } = appWith(undefined, { handlerTimeout: 5_000 });
    const { opened, fail } = gate();
    app.handle('PRODUCTS_CREATE', () => opened);
    const answer = app.receiver.receive(delivery({ webhookId: 'w-1' }));
    await turn();
    app.clock.advance(5_000);
    await answer;
    fail(new Error('the connection is gone'));
    await turn();
    expect(calls).toEqual([
      [expect.objectContaining({ code: 'ERR_WEBHOOK_HANDLER_TIMEOUT' }), CONTEXT],
      [new Error('the connection is gone'), CONTEXT],
    ]);
  });

  it.each<[string, HandlerErrorHook]>([
    [
      'throws',
      () => {
        throw new Error('the tracker is gone');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the tracker is gone'))],
    ['never ends', () => new Promise(() => {})],
  ])('changes nothing when it %s', async (name, hook) => {
    const { app } = appWith(hook);
    app.handle('PRODUCTS_CREATE', () => {
      throw new Error('no');
    });
    expect(await app.receiver.receive(delivery())).toMatchObject({ reason: 'handler_failed' });
    await turn();
    expect(app.lines.matching('A webhook handler failed')).toHaveLength(1);
    expect(app.lines.matching('webhooks.onHandlerError failed')).toHaveLength(
      name === 'never ends' ? 0 : 1,
    );
  });

  it('is waited for by a shutdown, but not by the answer to the platform', async () => {
    const { opened, open } = gate();
    const { app } = appWith(() => opened);
    app.handle('PRODUCTS_CREATE', () => {
      throw new Error('no');
    });
    await app.receiver.receive(delivery());
    let isOver = false;
    const drained = app.inFlight.drain().then(() => (isOver = true));
    await turn();
    expect(isOver).toBe(false);
    open();
    await drained;
    expect(app.lines.matching('no longer waits')).toEqual([]);
  });

  it('is given up at the limit of the shutdown', async () => {
    const { app } = appWith(() => new Promise(() => {}));
    app.handle('PRODUCTS_CREATE', () => {
      throw new Error('no');
    });
    await app.receiver.receive(delivery());
    const drained = app.inFlight.drain();
    while (app.lines.matching('no longer waits').length === 0) {
      await turn();
      app.clock.advance(1_000);
    }
    app.clock.advance(60_000);
    await drained;
    expect(app.inFlight.isAbandoned).toBe(true);
  });

  it('has to be a function', () => {
    expect(() => new WebhooksFixture({ webhooks: { onHandlerError: 'sentry' as never } })).toThrow(
      'webhooks.onHandlerError: must be a function',
    );
  });

  it('is no topic', async () => {
    const { app } = appWith();
    expect(app.registry.topics()).toEqual([]);
  });
});

describe('what a handler throws', () => {
  it('is in the log with the stack, and without secrets', async () => {
    const app = new WebhooksFixture();
    app.handle('PRODUCTS_CREATE', function findMe() {
      throw new Error('refused shpat_0123456789abcdef', { cause: new RangeError('deep') });
    });
    await app.receiver.receive(delivery());
    const [line] = app.lines.matching('A webhook handler failed');
    expect(line).toMatch(/\nError: refused \[redacted\]\n +at .*findMe.*handler-errors\.spec/);
    expect(line).toMatch(/\nCaused by RangeError: deep\n +at /);
    expect(line).not.toContain('0123456789abcdef');
  });
});
