/** Checked by the compiler, never run: what handlers are given, and what compiled before. */
import * as v from 'valibot';
import { z } from 'zod';

import type { Untyped } from '../../lib/core/json.js';
import { checkedHandler, platformApp } from '../../lib/integrations/express/index.js';
import type {
  HttpWebhookHandler,
  StandardSchema,
  WebhookDelivery,
  WebhookHandlerMap,
  WebhookHandlerOption,
  WebhookPayload,
  WebhookPayloads,
} from '../../lib/integrations/express/index.js';
import type { RemixApp } from '../../lib/integrations/remix/index.js';
import { Payload, WebhookContext, WebhookHandler } from '../../lib/index.js';
import type { KnownWebhookTopic } from '../../lib/webhooks/subscriptions/webhook-topic.js';
import type { Same } from './moving/same.js';

// Payloads, by topic.
export const known: [
  Same<WebhookPayload<'PRODUCTS_CREATE'>['variants'][number]['sku'], string | null>,
  Same<WebhookPayload<'PRODUCTS_DELETE'>['id'], number>,
  Same<WebhookPayload<'ORDERS_PAID'>['line_items'][number]['price'], string>,
  Same<WebhookPayload<'APP_SCOPES_UPDATE'>['current'], readonly string[]>,
  Same<WebhookPayload<'CUSTOMERS_REDACT'>['orders_to_redact'], readonly number[]>,
  Same<WebhookPayload<'INVENTORY_LEVELS_UPDATE'>['available'], number | null>,
  // Every topic with a payload is one that the platform has.
  Same<Exclude<keyof WebhookPayloads, KnownWebhookTopic>, never>,
] = [true, true, true, true, true, true, true];
// @ts-expect-error no field of a product
export type NoField = WebhookPayload<'PRODUCTS_CREATE'>['price'];

// Deliveries: by topic, by a type of payload, and as before.
export const deliveries: [
  Same<WebhookDelivery<'PRODUCTS_CREATE'>['payload'], WebhookPayload<'PRODUCTS_CREATE'>>,
  Same<WebhookDelivery<'PRODUCTS_CREATE'>['topic'], 'PRODUCTS_CREATE'>,
  Same<WebhookDelivery<{ id: number }>['payload'], { id: number }>,
  Same<WebhookDelivery<{ id: number }>['topic'], string>,
  Same<WebhookDelivery['payload'], Untyped>,
  Same<WebhookDelivery['topic'], string>,
  Same<WebhookDelivery<unknown>['payload'], unknown>,
  Same<WebhookDelivery<'CARTS_CREATE'>['payload'], Untyped>,
] = [true, true, true, true, true, true, true, true];

// In Nest.
const Product = v.object({ id: v.number(), title: v.string() });
export class Handlers {
  @WebhookHandler('PRODUCTS_CREATE')
  onProduct({ payload: { title } }: WebhookDelivery<'PRODUCTS_CREATE'>): string {
    return title;
  }

  @WebhookHandler('ORDERS_CREATE')
  onOrder(
    @Payload() order: WebhookPayload<'ORDERS_CREATE'>,
    @WebhookContext() { topic }: WebhookDelivery<'ORDERS_CREATE'>,
  ): string {
    return order.name + topic;
  }

  @WebhookHandler('PRODUCTS_UPDATE', { schema: Product })
  onChange({ payload }: WebhookDelivery<v.InferOutput<typeof Product>>): string {
    return payload.title;
  }

  // @ts-expect-error no schema
  @WebhookHandler('PRODUCTS_UPDATE', { schema: { parse: () => ({}) } })
  onOther(): void {}
}

// In the options, and in Express.
const app = platformApp({
  api: { apiVersion: '2026-07' },
  webhooks: {
    path: '/webhooks',
    PRODUCTS_CREATE: {
      deliveryMethod: 'http',
      handler: ({ payload, topic }) => {
        const title: string = payload.title;
        // @ts-expect-error no field of a product
        return [title, topic, payload.price];
      },
    },
    // A payload of a type of the app's own.
    PRODUCTS_UPDATE: {
      deliveryMethod: 'http',
      handler: ({ payload }: WebhookDelivery<{ id: number }>) => payload.id,
    },
    ORDERS_PAID: [
      async (_topic, shop, body) => void [shop, JSON.parse(body)],
      { deliveryMethod: 'http', handler: ({ payload }) => payload.line_items.length },
    ],
    // What a schema makes of it.
    ORDERS_CREATE: checkedHandler({
      schema: z.object({ id: z.number() }).transform(({ id }) => ({ order: id })),
      timeout: 1_000,
      // @ts-expect-error no longer there
      handler: ({ payload }) => [payload.order.toFixed(), payload.id],
    }),
    ORDERS_UPDATED: [
      checkedHandler({ schema: Product, handler: async ({ payload }) => payload.title.trim() }),
      { deliveryMethod: 'http', schema: Product, handler: ({ payload: { id } }) => id },
    ],
    CARTS_CREATE: { deliveryMethod: 'http', handler: ({ payload }) => payload.token },
    MY_OWN_TOPIC: { deliveryMethod: 'http', handler: ({ payload }) => payload.anything },
    ORDERS_DELETE: undefined,
  },
});
app.processWebhooks({
  webhookHandlers: {
    SHOP_UPDATE: { deliveryMethod: 'http', handler: ({ payload }) => payload.plan_name },
    'customers/update': { deliveryMethod: 'http', handler: ({ payload }) => payload.anything },
  },
});

// What compiled before the payloads had types.
const option: WebhookHandlerOption = { deliveryMethod: 'http', callback: (_topic, shop) => shop };
export const record: Readonly<Record<string, WebhookHandlerOption>> = { PRODUCTS_CREATE: option };
export const map: WebhookHandlerMap = record;
export const back: Readonly<
  Record<string, WebhookHandlerOption | readonly WebhookHandlerOption[]>
> = map;
export interface Mine extends HttpWebhookHandler {
  readonly mine: true;
}

// In routes: the type of the payload follows from the topic.
declare const remix: RemixApp;
export async function action({ request }: { request: Request }): Promise<unknown> {
  const untyped = await remix.authenticate.webhook(request);
  const { id } = untyped.payload as { id: number };
  const own = await remix.authenticate.webhook<{ id: number }>(request);
  const { topic, payload, session } = await remix.authenticate.webhook<
    'PRODUCTS_CREATE' | 'APP_SCOPES_UPDATE'
  >(request);
  switch (topic) {
    case 'PRODUCTS_CREATE':
      return [id, own.payload.id, payload.title, session?.shop];
    case 'APP_SCOPES_UPDATE':
      // @ts-expect-error that of the other topic
      return [payload.current, payload.title];
  }
}

// Schemas of other libraries.
export const schemas: readonly StandardSchema[] = [Product, z.object({}), z.string().nullable()];
const output: StandardSchema<{ id: number; title: string }> = Product;
export { output };
