import { Inject, Injectable, Module, Scope, UseGuards } from '@nestjs/common';
import type { CanActivate, DynamicModule } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import * as v from 'valibot';
import { z } from 'zod';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import {
  Payload,
  Shop,
  WebhookHandler,
  WebhookPayloadMismatchError,
  checkedHandler,
} from '../../../lib/index.js';
import type { StandardSchema, WebhookDelivery, WebhookHandlerMap } from '../../../lib/index.js';
import { Session } from '../../../lib/sessions/session.js';
import { WebhooksModule } from '../../../lib/webhooks/webhooks.module.js';
import { API_SECRET, SHOP } from '../../support/app.js';
import { boot, moduleOver } from '../../support/containers.js';
import { gate } from '../../support/gate.js';
import { HOSTS } from '../../support/hosts.js';
import type { HostOptions, RunningHost } from '../../support/hosts.js';
import { WebhooksFixture, delivery } from '../webhooks.fixture.js';

const TITLE = 'a title of one shop alone';
const PRODUCT = { id: 7, title: TITLE, variants: [{ price: '1.00' }], vendor: 'Acme' };
/** The same, as a price that a customer must not see in a log. */
const MISFIT = { ...PRODUCT, title: 12345678, variants: [{ price: 'price of one shop alone' }] };

const price = /^\d+\.\d\d$/;
const SCHEMAS: readonly [string, StandardSchema][] = [
  [
    'valibot',
    v.pipe(
      v.object({
        id: v.number(),
        title: v.string(),
        variants: v.array(v.object({ price: v.pipe(v.string(), v.regex(price)) })),
      }),
      v.transform(({ id, title }) => ({ id, name: title })),
    ),
  ],
  [
    'zod',
    z
      .object({
        id: z.number(),
        title: z.string(),
        variants: z.array(z.object({ price: z.string().regex(price) })),
      })
      .transform(({ id, title }) => ({ id, name: title })),
  ],
  [
    'valibot, asynchronously',
    v.pipeAsync(
      v.object({
        id: v.number(),
        title: v.string(),
        variants: v.array(v.object({ price: v.pipe(v.string(), v.regex(price)) })),
      }),
      v.transformAsync(async ({ id, title }) => ({ id, name: title })),
    ),
  ],
];

/** A module with a decorated method of a schema. */
function decorated(
  schema: StandardSchema,
  note: (...what: unknown[]) => void,
): readonly [DynamicModule] {
  @Injectable()
  class Handlers {
    @WebhookHandler('PRODUCTS_UPDATE', { schema })
    onProduct(@Payload() payload: unknown, @Payload('name') name: unknown, @Shop() shop: string) {
      note(payload, name, shop);
    }
  }
  @Module({})
  class HandlersModule {}
  return [{ module: HandlersModule, providers: [Handlers] }];
}

/** What was logged. Cleared when an app is opened. */
const lines: string[] = [];
const logger = { log: (_severity: unknown, line: string) => void lines.push(line), level: 3 };

describe.each(HOSTS.filter(({ isWeb }) => !isWeb))('the schema of a handler on $name', (host) => {
  let running: RunningHost;
  afterEach(() => running.close());

  const open = async (setup: HostOptions, webhooks: Record<string, unknown> = {}) => {
    lines.length = 0;
    running = await host.open({ ...setup, options: { logger, webhooks: webhooks as never } });
  };
  const deliver = async (topic: string, payload: unknown, webhookId?: string) => {
    const { headers, body } = signedWebhook({
      secret: API_SECRET,
      shop: SHOP,
      topic,
      payload,
      ...(webhookId !== undefined && { webhookId }),
    });
    const response = await fetch(`${running.url}/webhooks`, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
    });
    return { status: response.status, text: await response.text() };
  };

  it.each(SCHEMAS)('of %s gives a method what it makes of the payload', async (_, schema) => {
    const ran: unknown[] = [];
    await open({ modules: decorated(schema, (...what) => void ran.push(what)) });
    expect(await deliver('products/update', PRODUCT)).toMatchObject({ status: 200 });
    expect(ran).toEqual([[{ id: 7, name: TITLE }, TITLE, SHOP]]);
  });

  it.each(SCHEMAS)('of %s gives a handler of the options the same', async (_, schema) => {
    const ran: WebhookDelivery[] = [];
    const handler = (delivery: WebhookDelivery) => void ran.push(delivery);
    await open({}, { PRODUCTS_UPDATE: checkedHandler({ schema, handler }) });
    expect(await deliver('products/update', PRODUCT, 'w-7')).toMatchObject({ status: 200 });
    const [delivery] = ran;
    expect(delivery).toMatchObject({
      payload: { id: 7, name: TITLE },
      topic: 'PRODUCTS_UPDATE',
      shop: SHOP,
      webhookId: 'w-7',
      rawBody: JSON.stringify(PRODUCT),
      session: undefined,
      admin: undefined,
      storefront: undefined,
    });
    expect(delivery!.signal.aborted).toBe(false);
  });

  it.each(SCHEMAS)(
    'of %s fails a delivery that does not fit: the platform repeats it, and the log has no values of it',
    async (_, schema) => {
      const ran: unknown[] = [];
      const errors: unknown[] = [];
      const onHandlerError = (...call: unknown[]) => void errors.push(call);
      const handler = (delivery: WebhookDelivery) => void ran.push(delivery.payload);
      const PRODUCTS_UPDATE = { deliveryMethod: 'http', schema, handler };
      await open({}, { onHandlerError, PRODUCTS_UPDATE });
      const answer = await deliver('products/update', MISFIT, 'w-8');
      expect(answer.status).toBe(500);
      expect(ran).toEqual([]);
      expect(errors).toEqual([
        [
          expect.any(WebhookPayloadMismatchError),
          expect.objectContaining({ topic: 'PRODUCTS_UPDATE', webhookId: 'w-8' }),
        ],
      ]);
      const [[error]] = errors as [[WebhookPayloadMismatchError]];
      expect(error.code).toBe('ERR_WEBHOOK_PAYLOAD_MISMATCH');
      expect(error.message).toContain('see title, variants.0.price');
      expect(error.issues).toHaveLength(2);
      expect(lines.filter((line) => line.includes('does not fit'))).toHaveLength(1);
      for (const written of [...lines, error.message, JSON.stringify(error), answer.text])
        expect(written).not.toMatch(/12345678|one shop alone/);
      // What fits is handled in a later attempt.
      expect(await deliver('products/update', PRODUCT, 'w-8')).toMatchObject({ status: 200 });
      expect(ran).toEqual([{ id: 7, name: TITLE }]);
    },
  );

  it('leaves the text of a callback as it came', async () => {
    const ran: unknown[] = [];
    const callback = (_topic: string, _shop: string, body: string) => void ran.push(body);
    const PRODUCTS_UPDATE = { deliveryMethod: 'http', schema: SCHEMAS[0]![1], callback };
    await open({}, { PRODUCTS_UPDATE });
    expect(await deliver('products/update', PRODUCT)).toMatchObject({ status: 200 });
    expect(await deliver('products/update', MISFIT)).toMatchObject({ status: 500 });
    expect(ran).toEqual([JSON.stringify(PRODUCT)]);
  });

  it('is asked for each handler of its own: the others run', async () => {
    const ran: unknown[] = [];
    const handler = ({ payload }: WebhookDelivery) => void ran.push(payload);
    await open({}, {
      PRODUCTS_UPDATE: [
        { deliveryMethod: 'http', schema: v.never(), handler },
        { deliveryMethod: 'http', schema: v.pick(v.object({ id: v.number() }), ['id']), handler },
        { deliveryMethod: 'http', handler },
      ],
    } satisfies WebhookHandlerMap);
    expect(await deliver('products/update', PRODUCT)).toMatchObject({ status: 500 });
    expect(ran).toEqual([{ id: 7 }, PRODUCT]);
  });
});

describe('a handler with a schema', () => {
  const session = new Session({
    id: `offline_${SHOP}`,
    shop: SHOP,
    state: '',
    isOnline: false,
    accessToken: 'shpat_of_the_shop',
  });
  const appWith = (handler: object) =>
    new WebhooksFixture({ webhooks: { PRODUCTS_CREATE: handler as never } });

  it.each([
    ['with a schema', { schema: v.object({ id: v.number() }) }],
    ['without one', {}],
  ])('of the options, %s, has the session and the API of the shop', async (_, options) => {
    const given: WebhookDelivery[] = [];
    const handler = (delivery: WebhookDelivery) => void given.push(delivery);
    const app = appWith({ deliveryMethod: 'http', handler, ...options });
    await app.storage.storeSession(session);
    expect((await app.receiver.receive(delivery())).reason).toBe('handled');
    expect(given[0]).toMatchObject({ shop: SHOP, session: { accessToken: session.accessToken } });
    expect(given[0]!.admin).toBe(given[0]!.admin);
    expect(given[0]!.admin!.graphql).toBeInstanceOf(Function);
    expect(given[0]!.storefront).toBeDefined();
  });

  it('is given up at its timeout, as the schema is: the signal of its delivery is aborted', async () => {
    const { opened } = gate();
    const given: WebhookDelivery[] = [];
    const hang = async (one: WebhookDelivery): Promise<void> =>
      void (given.push(one), await opened);
    for (const schema of [
      v.any(),
      v.pipeAsync(
        v.any(),
        v.checkAsync(() => opened.then(() => true)),
      ),
    ]) {
      const app = appWith(checkedHandler({ schema, handler: hang, timeout: 5_000 }));
      const answer = app.receiver.receive(delivery());
      await new Promise((resolve) => setImmediate(resolve));
      app.clock.advance(5_000);
      expect((await answer).reason).toBe('handler_failed');
      expect(app.lines.matching('did not return within 5000 ms')).not.toEqual([]);
    }
    expect(given.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('fails the delivery with what the schema throws, and with a body that is no JSON', async () => {
    const schema = v.pipe(
      v.any(),
      v.check(() => {
        throw new RangeError('the check is wrong');
      }),
    );
    const app = appWith({ deliveryMethod: 'http', schema, handler: () => {} });
    expect((await app.receiver.receive(delivery())).reason).toBe('handler_failed');
    expect(app.lines.matching('the check is wrong')).not.toEqual([]);
    const body = Buffer.from('{');
    expect((await app.receiver.receive(delivery({ body, webhookId: 'w-2' }))).reason).toBe(
      'handler_failed',
    );
    expect(app.lines.matching('is not JSON')).not.toEqual([]);
  });

  const handler = (): void => {};
  it.each([
    ['no schema', { schema: { parse: handler }, handler }, 'schema: must be a Standard Schema'],
    ['null', { schema: null, handler }, 'schema: must be a Standard Schema'],
    [
      'one of a later version',
      { schema: { '~standard': { version: 2, validate: handler } }, handler },
      'schema: must be a Standard Schema',
    ],
    ['nothing to check for', { schema: v.any() }, 'schema: has no effect without handler'],
    ['two handlers', { handler, callback: handler }, 'handler: cannot be given together with'],
    ['no function', { handler: 7 }, 'handler: must be a function'],
  ])('is refused in the options when it has %s', (_, options, message) => {
    expect(() => appWith({ deliveryMethod: 'http', ...options })).toThrow(
      `PRODUCTS_CREATE.${message}`,
    );
  });

  // A schema of ArkType is a function.
  it('may be checked by a function that is a schema', async () => {
    const validate = (value: unknown) => ({ value: [value] });
    const schema = Object.assign(() => {}, {
      '~standard': { version: 1 as const, vendor: 'test', validate },
    });
    const given: unknown[] = [];
    const app = appWith(
      checkedHandler({ schema, handler: ({ payload }) => void given.push(payload[0]) }),
    );
    expect((await app.receiver.receive(delivery())).reason).toBe('handled');
    expect(given).toEqual([{ id: 1 }]);
  });

  it('is checked before its guards and its class are asked, which see the same delivery', async () => {
    const seen: unknown[] = [];
    const guard: CanActivate = {
      canActivate: (context) => {
        const request = context.switchToHttp().getRequest<WebhookDelivery & { user?: string }>();
        seen.push(request.payload);
        request.user = 'of the guard';
        return true;
      },
    };
    const schema = v.pipe(
      v.object({ id: v.number() }),
      v.transform(({ id }) => `product ${id}`),
    );
    @Injectable({ scope: Scope.REQUEST })
    class Scoped {
      constructor(@Inject(REQUEST) readonly request: WebhookDelivery & { user?: string }) {}

      @UseGuards(guard)
      @WebhookHandler('PRODUCTS_CREATE', { schema, enhancers: true })
      onProduct(one: WebhookDelivery): void {
        seen.push(one.payload, this.request.payload, this.request.user, one.shop);
      }
    }
    const app = new WebhooksFixture();
    const feature = moduleOver(app.app, WebhooksModule, 'default');
    await boot({ feature }, { providers: [Scoped] });
    expect((await app.receiver.receive(delivery())).reason).toBe('handled');
    expect(seen).toEqual(['product 1', 'product 1', 'product 1', 'of the guard', SHOP]);
    const misfit = delivery({ payload: { id: '1' }, webhookId: 'w-2' });
    expect((await app.receiver.receive(misfit)).reason).toBe('handler_failed');
    expect(seen).toHaveLength(5);
  });

  it('is refused when the app starts, when its decorator has no schema', async () => {
    const schema = { parse: handler } as unknown as StandardSchema;
    const [{ module, providers }] = decorated(schema, handler);
    const app = new WebhooksFixture();
    const feature = moduleOver(app.app, WebhooksModule, 'default');
    await expect(boot({ feature }, { providers: providers!, imports: [module] })).rejects.toThrow(
      'Handlers.onProduct.schema must be a Standard Schema',
    );
  });
});

describe('WebhookPayloadMismatchError', () => {
  const message = (paths: readonly unknown[][]) =>
    new WebhookPayloadMismatchError(
      'PRODUCTS_CREATE',
      paths.map((path) => ({ message: 'no', path: path as PropertyKey[] })),
    ).message;

  it('names each property once, in either form of the specification', () => {
    expect(message([['a', 0], [{ key: 'a' }, { key: 0 }], [Symbol('s')]])).toContain(
      'see a.0, Symbol(s).',
    );
  });

  it('names the payload when no property is named', () => {
    expect(message([[]])).toContain('see the payload as a whole.');
    expect(new WebhookPayloadMismatchError('A', [{ message: 'no' }]).message).toContain('a whole');
  });

  it('is short, whatever does not fit', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ['x'.repeat(10_000), index]);
    expect(message([...many, ...many.map(([, index]) => [index])]).length).toBeLessThan(1_500);
    expect(message(many.map(([, index]) => [index]))).toContain('9, 4990 more.');
  });
});
