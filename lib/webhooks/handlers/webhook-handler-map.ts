import * as v from 'valibot';

import type { OptionProblem } from '../../core/core.errors.js';
import type { Untyped } from '../../core/json.js';
import { NO_SCHEMA, isSchema } from '../payloads/standard-schema.js';
import type { StandardSchema } from '../payloads/standard-schema.js';
import { NO_TIMEOUT, isTimeout } from './handler-timeout.js';
import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type {
  EventBridgeSubscription,
  HttpSubscription,
  PubSubSubscription,
  WebhookSubscription,
} from '../subscriptions/webhook-subscription.js';
import { InvalidDeliveryMethodError, InvalidWebhookHandlerError } from '../webhooks.errors.js';

/**
 * Handles one delivery. `body` is the JSON text, `context` what `webhooks.process()` was given with
 * it; `undefined` for any other delivery, and behind a durable queue.
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
 * A subscription over HTTP with its handler: a `handler`, or a `callback` as other libraries have
 * them. Without either, a route of the app receives the deliveries.
 */
export interface HttpHandlerDeclaration extends HttpSubscription {
  readonly callback?: WebhookCallback | undefined;
  /** Handles one delivery. */
  readonly handler?: ((delivery: Untyped) => unknown) | undefined;
  /**
   * Checks each payload before the handler runs, with a schema of any library that implements
   * Standard Schema. The handler's payload is what the schema makes of it; `checkedHandler()` gives
   * it that type. A payload that does not fit counts as a handler that failed, with
   * {@link WebhookPayloadMismatchError}. A `callback` gets the text as it came.
   * @default none
   * @see https://standardschema.dev
   */
  readonly schema?: StandardSchema | undefined;
  /**
   * How long the handler may take, in milliseconds; `Infinity` for no limit. @default the option
   * `webhooks.handlerTimeout`
   */
  readonly timeout?: number | undefined;
}

/**
 * What an app declares of the handler of a subscription to a queue: it gets the deliveries that the
 * app takes from there and passes to `ingest()`.
 */
type QueueHandlerDeclaration = (EventBridgeSubscription | PubSubSubscription) &
  Pick<HttpHandlerDeclaration, 'handler' | 'schema' | 'timeout'>;

/**
 * What an app declares for a topic, whatever its handler asks for: a function is a subscription to
 * the app's webhook path.
 */
export type HandlerDeclaration = WebhookCallback | HttpHandlerDeclaration | QueueHandlerDeclaration;

/** Handlers by topic, in any spelling. */
export type HandlerDeclarations = Readonly<
  Record<string, HandlerDeclaration | readonly HandlerDeclaration[]>
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
const handling = {
  handler: v.optional(v.function('must be a function')),
  schema: v.optional(v.custom<StandardSchema>(isSchema, NO_SCHEMA)),
  timeout: v.optional(v.custom<number>(isTimeout, NO_TIMEOUT)),
};
const required = v.pipe(v.optional(v.string('must be a string'), ''), v.nonEmpty('is missing'));
/** What can be said of a subscription, by its delivery method. */
const SUBSCRIPTIONS = {
  http: {
    ...details,
    deliveryMethod: v.literal('http'),
    callbackUrl: v.optional(
      v.pipe(
        text,
        v.regex(/^(?:\/(?!\/)|https?:\/\/)/, 'must be a path on the app or an absolute URL'),
      ),
    ),
  },
  eventbridge: { ...details, deliveryMethod: v.literal('eventbridge'), arn: required },
  pubsub: {
    ...details,
    deliveryMethod: v.literal('pubsub'),
    pubSubProject: required,
    pubSubTopic: required,
  },
};
const DECLARATION = v.variant(
  'deliveryMethod',
  [
    v.object({
      ...SUBSCRIPTIONS.http,
      callback: v.optional(v.function('must be a function')),
      ...handling,
    }),
    v.object({ ...SUBSCRIPTIONS.eventbridge, ...handling }),
    v.object({ ...SUBSCRIPTIONS.pubsub, ...handling }),
  ],
  (issue) =>
    issue.path
      ? `must be one of ${Object.values(DeliveryMethod).join(', ')}`
      : 'must be a function, or an object with a deliveryMethod, or a list of these',
);

/** The names of what can be said of such a subscription. */
export function optionsOf({ deliveryMethod }: WebhookSubscription): readonly string[] {
  return Object.keys(SUBSCRIPTIONS[deliveryMethod]);
}

/** The problems in a map of handlers; `prefix` is put in front of the topics. */
export function problemsInHandlers(
  map: Readonly<Record<string, unknown>>,
  prefix = '',
): OptionProblem[] {
  return Object.entries(map).flatMap(([topic, declared]) =>
    listOf(declared).flatMap((handler) => {
      if (typeof handler === 'function') return [];
      const { success, output, issues = [] } = v.safeParse(DECLARATION, handler);
      if (success) return problemsInHandling(output, prefix + topic);
      return issues.map((issue) => ({
        option: [prefix + topic, v.getDotPath(issue)].filter(Boolean).join('.'),
        message: issue.message,
      }));
    }),
  );
}

/**
 * @throws {InvalidDeliveryMethodError} when a delivery method is unknown
 * @throws {InvalidWebhookHandlerError} when anything else about a handler is wrong
 */
export function assertHandlers(map: Readonly<Record<string, unknown>>): void {
  const problems = problemsInHandlers(map);
  if (problems.length === 0) return;
  const InvalidError = problems.some(({ option }) => option.endsWith('.deliveryMethod'))
    ? InvalidDeliveryMethodError
    : InvalidWebhookHandlerError;
  throw new InvalidError(
    `Webhook handlers cannot be added: ${problems.map(({ option, message }) => `${option} ${message}`).join('; ')}.`,
  );
}

function problemsInHandling(
  declared: Readonly<Partial<Record<'callback' | 'handler' | 'timeout' | 'schema', unknown>>>,
  option: string,
): OptionProblem[] {
  const { callback, handler } = declared;
  if (callback && handler)
    return [{ option: `${option}.handler`, message: 'cannot be given together with callback' }];
  if (callback ?? handler) return [];
  return (['timeout', 'schema'] as const).flatMap((name) =>
    declared[name] === undefined
      ? []
      : [{ option: `${option}.${name}`, message: 'has no effect without handler or callback' }],
  );
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T];
}
