import { HandlerMarks } from '../../core/nest/handler-marks.decorator.js';
import type { AppMark } from '../../core/nest/handler.explorer.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { StandardSchema } from '../payloads/standard-schema.js';
import type {
  EventBridgeSubscription,
  HttpSubscription,
  PubSubSubscription,
} from '../subscriptions/webhook-subscription.js';
import type { WebhookTopic } from '../subscriptions/webhook-topic.js';
import { InvalidWebhookHandlerError } from '../webhooks.errors.js';

/**
 * Where the deliveries of a handler go: to the app over HTTP, or to a queue, from which the app
 * passes them to `WebhookIngest`. @default over HTTP, to the webhook path
 */
type WebhookHandlerSubscription =
  | (Omit<HttpSubscription, 'deliveryMethod'> & Partial<Pick<HttpSubscription, 'deliveryMethod'>>)
  | EventBridgeSubscription
  | PubSubSubscription;

/** How a handler runs. */
export interface WebhookHandlerSettings {
  /** Name of the app the handler belongs to. @default the unnamed app */
  readonly app?: string | undefined;
  /**
   * Runs with guards and interceptors, including global ones. @default the option `enhancers` of
   * the app
   */
  readonly enhancers?: boolean | undefined;
  /**
   * How long it may take, in milliseconds; `Infinity` for no limit. After that its attempt has
   * failed, and the `signal` of its delivery is aborted. @default the option
   * `webhooks.handlerTimeout`
   */
  readonly timeout?: number | undefined;
  /**
   * Checks each payload before the handler and its guards run, with a schema of any library that
   * implements Standard Schema; the payload becomes what the schema makes of it. One that does not
   * fit counts as a handler that failed, with {@link WebhookPayloadMismatchError}.
   * @default none
   * @see https://standardschema.dev
   */
  readonly schema?: StandardSchema | undefined;
}

/** How the topic of a handler is subscribed, and how the handler runs. */
export type WebhookHandlerOptions = WebhookHandlerSubscription & WebhookHandlerSettings;

/** The metadata of a handler's decorator on a method or a class. */
export interface WebhookHandlerMark extends AppMark {
  /** What it handles instead of webhooks. @default webhooks */
  readonly source?: SignedSource | undefined;
  readonly topics: readonly string[];
  readonly options: WebhookHandlerSubscription & Omit<WebhookHandlerSettings, 'app'>;
}

/** What the decorators of handlers have put on methods and classes. */
export const WEBHOOK_MARKS = new HandlerMarks<WebhookHandlerMark>(
  Symbol.for('shopwright:WEBHOOK_HANDLER'),
);

/**
 * Declares a handler for the deliveries of a topic: a method of any provider or controller, or a
 * class with a method `handle`. It receives the delivery as its only argument, or what its
 * parameter decorators ask for. When it throws, the platform delivers again.
 * @throws {InvalidWebhookHandlerError} without a topic
 * @example
 * @WebhookHandler('PRODUCTS_CREATE', { includeFields: ['id', 'title'] })
 * async onProduct(@Payload() product: { id: number; title: string }) {}
 */
export function WebhookHandler(
  topics: WebhookTopic | readonly WebhookTopic[],
  { app, ...options }: WebhookHandlerOptions = {},
): ClassDecorator & MethodDecorator {
  const named: readonly unknown[] = Array.isArray(topics) ? topics : [topics];
  if (named.length === 0 || !named.every(isTopic))
    throw new InvalidWebhookHandlerError(
      "@WebhookHandler() names no topic: give it one or a list, such as @WebhookHandler('PRODUCTS_CREATE'), and options behind it.",
    );
  const mark: WebhookHandlerMark = { app, topics: named, options };
  return (target: object, name?: string | symbol, descriptor?: PropertyDescriptor): void =>
    WEBHOOK_MARKS.add(mark, { target, name, descriptor });
}

function isTopic(given: unknown): given is string {
  return typeof given === 'string' && given !== '';
}
