import type { SignedSource } from '../../auth/signed/signed-source.js';
import { WEBHOOK_MARKS } from '../handlers/webhook.decorator.js';
import type { WebhookHandlerSettings } from '../handlers/webhook.decorator.js';
import { InvalidWebhookHandlerError } from '../webhooks.errors.js';
import { signedTopic } from './signed-topic.js';

/** How the handler of a Flow action or of a fulfillment service runs, as a webhook handler does. */
export type SignedHandlerOptions = WebhookHandlerSettings;

/** What is decorated: a class, or one of its members. */
interface Decorated {
  readonly target: object;
  readonly name?: string | symbol | undefined;
  readonly descriptor?: PropertyDescriptor | undefined;
}

/** Marks a method or class as a handler. @param handle of a Flow action */
function markSigned(
  { source, handle }: { readonly source: SignedSource; readonly handle?: string | undefined },
  { app, ...options }: SignedHandlerOptions,
  { target, name, descriptor }: Decorated,
): void {
  const mark = { app, source, topics: [signedTopic(source, handle)], options };
  WEBHOOK_MARKS.add(mark, { target, name, descriptor });
}

/**
 * Declares the handler of the Flow action with that handle: a method of any provider or controller,
 * or a class with a method `handle`. Its runs arrive at `webhooks.flowPath`; they are recorded,
 * handled once and repeated as webhooks are. It receives a `FlowActionRequest`, or what its
 * parameter decorators ask for.
 * @throws {InvalidWebhookHandlerError} without the handle of an action
 * @example
 * @FlowAction('tag-order')
 * async tag(@Payload('properties') { tag }: { tag: string }, @AdminApi() admin: AdminContext) {}
 * @see https://shopify.dev/docs/apps/build/flow/actions/endpoints
 */
export function FlowAction(
  handle: string,
  options: SignedHandlerOptions = {},
): ClassDecorator & MethodDecorator {
  if (typeof handle !== 'string' || handle === '')
    throw new InvalidWebhookHandlerError(
      "@FlowAction() names no action: give it the handle of one, such as @FlowAction('tag-order').",
    );
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void =>
    markSigned({ source: 'flow', handle }, options, { target, name, descriptor });
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
