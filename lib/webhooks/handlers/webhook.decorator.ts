import 'reflect-metadata';

import type { AppMark } from '../../core/nest/handler.explorer.js';
import type { HttpSubscription } from '../subscriptions/webhook-subscription.js';
import type { WebhookTopic } from '../subscriptions/webhook-topic.js';

const HANDLES = Symbol.for('shopwright:WEBHOOK_HANDLER');

/** How the topic of a handler is subscribed, and how the handler runs. */
export interface WebhookHandlerOptions extends Omit<HttpSubscription, 'deliveryMethod'> {
  /** Name of the app the handler belongs to. @default the unnamed app */
  readonly app?: string | undefined;
  /**
   * Runs with guards and interceptors, including global ones. @default the option `enhancers` of
   * the app
   */
  readonly enhancers?: boolean | undefined;
}

/** The metadata of `@WebhookHandler` on a method or a class. */
export interface WebhookHandlerMark extends AppMark {
  readonly topics: readonly string[];
  readonly options: Omit<WebhookHandlerOptions, 'app'>;
}

/**
 * Declares a handler for the deliveries of a topic: a method of any provider or controller, or a
 * class with a method `handle`. It receives the delivery as its only argument, or what its
 * parameter decorators ask for. When it throws, the platform delivers again.
 * @example
 * @WebhookHandler('PRODUCTS_CREATE', { includeFields: ['id', 'title'] })
 * async onProduct(@Payload() product: { id: number; title: string }) {}
 */
export function WebhookHandler(
  topics: WebhookTopic | readonly WebhookTopic[],
  { app, ...options }: WebhookHandlerOptions = {},
): ClassDecorator & MethodDecorator {
  const mark: WebhookHandlerMark = {
    app,
    topics: typeof topics === 'string' ? [topics] : topics,
    options,
  };
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const marked: object = descriptor ? (descriptor.value as object) : target;
    const marks = (Reflect.getOwnMetadata(HANDLES, marked) ?? []) as readonly WebhookHandlerMark[];
    // Decorators apply from the bottom up; the marks are kept in the order of the source.
    Reflect.defineMetadata(HANDLES, [mark, ...marks], marked);
  };
}

/** The metadata on a method, or on a class or one it extends. */
export function marksOn(marked: unknown): readonly WebhookHandlerMark[] {
  return typeof marked === 'function'
    ? ((Reflect.getMetadata(HANDLES, marked) ?? []) as readonly WebhookHandlerMark[])
    : [];
}
