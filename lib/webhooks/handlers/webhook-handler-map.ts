import * as v from 'valibot';

import type { OptionProblem } from '../../core/core.errors.js';
import { NO_TIMEOUT, isTimeout } from './handler-timeout.js';
import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type {
  EventBridgeSubscription,
  HttpSubscription,
  PubSubSubscription,
} from '../subscriptions/webhook-subscription.js';

/**
 * Handles one delivery. `body` is the JSON text; `context` is always `undefined`, for compatibility
 * with handlers written for other libraries.
 */
export type WebhookCallback = (
  topic: string,
  shop: string,
  body: string,
  webhookId: string,
  apiVersion: string,
  context?: unknown,
) => unknown;

/**
 * A subscription over HTTP with its handler. Without `callback`, a route of the app receives the
 * deliveries.
 */
export interface HttpWebhookHandler extends HttpSubscription {
  readonly callback?: WebhookCallback | undefined;
  /**
   * How long `callback` may take, in milliseconds; `Infinity` for no limit. @default the option
   * `webhooks.handlerTimeout`
   */
  readonly timeout?: number | undefined;
}

/** What an app declares for a topic: a function is a subscription to the app's webhook path. */
export type WebhookHandlerOption =
  WebhookCallback | HttpWebhookHandler | EventBridgeSubscription | PubSubSubscription;

/** Handlers by topic, in any spelling. */
export type WebhookHandlerMap = Readonly<
  Record<string, WebhookHandlerOption | readonly WebhookHandlerOption[]>
>;

const text = v.pipe(v.string('must be a string'), v.nonEmpty('must not be empty'));
const texts = v.optional(v.array(text, 'must be a list of strings'));
const details = {
  includeFields: texts,
  metafieldNamespaces: texts,
  metafields: v.optional(
    v.array(
      v.object(
        { namespace: v.optional(text), key: text },
        'must be a metafield: { namespace, key }',
      ),
      'must be a list of metafields: { namespace, key }',
    ),
  ),
  filter: v.optional(v.string('must be a string')),
  name: v.optional(v.string('must be a string')),
};
const required = v.pipe(v.optional(v.string('must be a string'), ''), v.nonEmpty('is missing'));
const SUBSCRIPTION = v.variant(
  'deliveryMethod',
  [
    v.object({
      ...details,
      deliveryMethod: v.literal('http'),
      callbackUrl: v.optional(
        v.pipe(
          text,
          v.regex(/^(?:\/(?!\/)|https?:\/\/)/, 'must be a path on the app or an absolute URL'),
        ),
      ),
      callback: v.optional(v.function('must be a function')),
      timeout: v.optional(v.custom<number>(isTimeout, NO_TIMEOUT)),
    }),
    v.object({ ...details, deliveryMethod: v.literal('eventbridge'), arn: required }),
    v.object({
      ...details,
      deliveryMethod: v.literal('pubsub'),
      pubSubProject: required,
      pubSubTopic: required,
    }),
  ],
  (issue) =>
    issue.path
      ? `must be one of ${Object.values(DeliveryMethod).join(', ')}`
      : 'must be a function, or an object with a deliveryMethod, or a list of these',
);

/** The problems in a map of handlers; `prefix` is put in front of the topics. */
export function problemsInHandlers(
  map: Readonly<Record<string, unknown>>,
  prefix = '',
): OptionProblem[] {
  return Object.entries(map).flatMap(([topic, declared]) =>
    listOf(declared).flatMap((handler) => {
      if (typeof handler === 'function') return [];
      const { success, output, issues = [] } = v.safeParse(SUBSCRIPTION, handler);
      if (success && 'timeout' in output && output.timeout !== undefined && !output.callback)
        return [{ option: `${prefix + topic}.timeout`, message: 'has no effect without callback' }];
      return issues.map((issue) => ({
        option: [prefix + topic, v.getDotPath(issue)].filter(Boolean).join('.'),
        message: issue.message,
      }));
    }),
  );
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
