import type { SignedSource } from '../../auth/signed/signed-source.js';
import { WEBHOOK_MARKS } from '../handlers/webhook.decorator.js';
import type { WebhookHandlerSettings } from '../handlers/webhook.decorator.js';
import { signedTopic } from './signed-topic.js';

/** How the handler of a Flow action or of a fulfillment service runs, as a webhook handler does. */
export type SignedHandlerOptions = WebhookHandlerSettings;

/** What is decorated: a class, or one of its members. */
export interface Decorated {
  readonly target: object;
  readonly name?: string | symbol | undefined;
  readonly descriptor?: PropertyDescriptor | undefined;
}

/** Marks a method or class as a handler. @param handle of a Flow action */
export function markSigned(
  { source, handle }: { readonly source: SignedSource; readonly handle?: string | undefined },
  { app, ...options }: SignedHandlerOptions,
  { target, name, descriptor }: Decorated,
): void {
  const mark = { app, source, topics: [signedTopic(source, handle)], options };
  WEBHOOK_MARKS.add(mark, { target, name, descriptor });
}

/**
 * Declares the handler of what a fulfillment service is notified of: a method of any provider or
 * controller, or a class with a method `handle`. Notifications arrive at
 * `webhooks.fulfillmentServicePath`; they are recorded and repeated as webhooks are. It receives a
 * `FulfillmentRequest`, or what its parameter decorators ask for.
 * @example
 * @FulfillmentService()
 * async onRequest(@Payload('kind') kind: string, @AdminApi() admin: AdminContext) {}
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
export function FulfillmentService(
  options: SignedHandlerOptions = {},
): ClassDecorator & MethodDecorator {
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void =>
    markSigned({ source: 'fulfillment_service' }, options, { target, name, descriptor });
}
