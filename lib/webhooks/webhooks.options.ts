import type { OptionProblem } from '../core/core.errors.js';
import type { HandlerErrorHook } from './handlers/handler-errors.js';
import { NO_TIMEOUT, isTimeout } from './handlers/handler-timeout.js';
import type {
  WebhookHandlerMap,
  WebhookHandlerOption,
  WebhookTopicHandlers,
} from './handlers/handlers-by-topic.js';
import { SIGNED_SETTINGS, problemsInSigned } from './signed/signed-handlers.js';
import type { SignedHandlerSettings } from './signed/signed-handlers.js';
import { problemsInHandlers } from './handlers/webhook-handler-map.js';
import type { WebhookQueueFactory } from './queue/webhook.queue.js';

/** Where deliveries arrive, and their handlers: topics are keys in upper case. */
export interface WebhookSettings extends WebhookTopicHandlers<undefined>, SignedHandlerSettings {
  /** The path deliveries arrive at. @default '/webhooks' */
  readonly path?: string | undefined;
  /** Longest body that is accepted, in bytes. @default 5 MB */
  readonly bodyLimit?: number | undefined;
  /**
   * Memory for all bodies that are being received, in bytes; at least `bodyLimit`. Beyond it bodies
   * are dropped, stalled and oldest first, and the platform has to deliver again (503). Among
   * several apps in a process, the largest limit applies to all. @default 64 MB
   */
  readonly bodyMemoryLimit?: number | undefined;
  /**
   * How long a handler may take that has no `timeout` of its own, in milliseconds; `Infinity` for
   * no limit. After that it counts as failed, and the platform's next attempt handles the delivery
   * again. @default 600,000 (10 minutes)
   */
  readonly handlerTimeout?: number | undefined;
  /**
   * Receives every error of a handler, for error trackers: what it throws, its timeout, and what it
   * throws after that. The log has them all, too. @default none
   */
  readonly onHandlerError?: HandlerErrorHook | undefined;
  /**
   * How long a shutdown waits for deliveries that are being handled and for the toolkit's other
   * work, in milliseconds; `Infinity` for no limit. After that the deliveries are released, so that
   * the platform's next attempt runs at once. @default 25,000
   */
  readonly shutdownTimeout?: number | undefined;
  /**
   * What the toolkit subscribes to for itself, beside the topics of the app, where it answers the
   * webhook path; `false` for nothing. @default see {@link OwnTopics}
   */
  readonly ownTopics?: false | OwnTopics | undefined;
  /**
   * Where deliveries wait until they are handled: `bullmqQueue()` of `shopwright/webhooks/bullmq`
   * stores each one and answers at once. @default none: the platform waits while handlers run
   */
  readonly queue?: WebhookQueueFactory | undefined;
  /**
   * Has `authenticate.webhook()` of Remix and React Router give each delivery to the handlers of
   * its topic as well, here and in `modules`, before it returns: to the queue, or, without one, by
   * running them. So do `authenticate.flow()` and `authenticate.fulfillmentService()`.
   * @default false
   */
  readonly enqueueFromRoutes?: boolean | undefined;
  readonly [topic: Uppercase<string>]:
    WebhookHandlerOption | readonly WebhookHandlerOption[] | undefined;
}

/**
 * The topics the toolkit handles itself, and whether it subscribes to them. What is delivered
 * otherwise, such as for the app's configuration on the platform, is handled in any case.
 */
export interface OwnTopics {
  /** Sessions of a shop are deleted when it uninstalls the app. @default true */
  readonly APP_UNINSTALLED?: boolean | undefined;
  /** What a shop has granted is stored as soon as it changes. @default true */
  readonly APP_SCOPES_UPDATE?: boolean | undefined;
  /** A changed subscription counts at once, not a minute later. @default true with `billing` */
  readonly APP_SUBSCRIPTIONS_UPDATE?: boolean | undefined;
  /** A purchase counts at once, not a minute later. @default true with `billing` */
  readonly APP_PURCHASES_ONE_TIME_UPDATE?: boolean | undefined;
  /** A bulk operation is known to have ended before the next poll. @default false */
  readonly BULK_OPERATIONS_FINISH?: boolean | undefined;
}

/** Whether each is subscribed to by default; the compiler keeps it complete. */
const OWN_TOPICS: Readonly<Record<keyof OwnTopics, boolean>> = {
  APP_UNINSTALLED: true,
  APP_SCOPES_UPDATE: true,
  APP_SUBSCRIPTIONS_UPDATE: true,
  APP_PURCHASES_ONE_TIME_UPDATE: true,
  BULK_OPERATIONS_FINISH: false,
};

/** The options of webhooks. */
export interface WebhooksOptions {
  /** @default none besides `@WebhookHandler` methods */
  readonly webhooks?: WebhookSettings | undefined;
  /**
   * Runs `@WebhookHandler` methods with the app's guards and interceptors, unless they say
   * otherwise. @default false
   */
  readonly enhancers?: boolean | undefined;
}

const TIMEOUTS = ['handlerTimeout', 'shutdownTimeout'] as const;
/** The keys of `webhooks` that are not topics. */
const SETTINGS: ReadonlySet<string> = new Set([
  'path',
  'bodyLimit',
  'bodyMemoryLimit',
  'ownTopics',
  'onHandlerError',
  'queue',
  'enqueueFromRoutes',
  ...SIGNED_SETTINGS,
  ...TIMEOUTS,
]);

/** The handlers among the options. */
export function topicsIn({ webhooks = {} }: WebhooksOptions): WebhookHandlerMap {
  return Object.fromEntries(
    Object.entries(webhooks).flatMap(([key, handlers]) =>
      SETTINGS.has(key) || handlers === undefined ? [] : [[key, handlers]],
    ),
  );
}

/** The topics that the toolkit may subscribe to for itself. */
export function ownTopicsIn({ webhooks = {} }: WebhooksOptions): ReadonlySet<string> {
  const { ownTopics = {} } = webhooks;
  if (ownTopics === false) return new Set();
  const topics = Object.keys(OWN_TOPICS).filter(isOwnTopic);
  return new Set(topics.filter((topic) => ownTopics[topic] ?? OWN_TOPICS[topic]));
}

function isOwnTopic(topic: string): topic is keyof OwnTopics {
  return Object.hasOwn(OWN_TOPICS, topic);
}

/** The time limits, in milliseconds. */
export function timeoutsIn({
  webhooks = {},
}: WebhooksOptions): Record<(typeof TIMEOUTS)[number], number> {
  return {
    handlerTimeout: webhooks.handlerTimeout ?? 10 * 60_000,
    shutdownTimeout: webhooks.shutdownTimeout ?? 25_000,
  };
}

/**
 * The problems in the options of webhooks. `path` and the body limits are checked by the config.
 */
export function problemsInWebhooks(options: WebhooksOptions): OptionProblem[] {
  const { webhooks, enhancers } = options;
  const problems: OptionProblem[] = [];
  if (enhancers !== undefined && typeof enhancers !== 'boolean')
    problems.push({ option: 'enhancers', message: 'must be true or false' });
  if (webhooks === undefined) return problems;
  if (typeof webhooks !== 'object' || webhooks === null)
    return [...problems, { option: 'webhooks', message: 'must be an object of topics' }];
  for (const name of TIMEOUTS) {
    if (!isTimeout(webhooks[name]))
      problems.push({ option: `webhooks.${name}`, message: NO_TIMEOUT });
  }
  if (webhooks.onHandlerError !== undefined && typeof webhooks.onHandlerError !== 'function')
    problems.push({ option: 'webhooks.onHandlerError', message: 'must be a function' });
  if (webhooks.queue !== undefined && typeof Object(webhooks.queue).create !== 'function')
    problems.push({
      option: 'webhooks.queue',
      message: 'must be made by bullmqQueue() of shopwright/webhooks/bullmq',
    });
  if (webhooks.enqueueFromRoutes !== undefined && typeof webhooks.enqueueFromRoutes !== 'boolean')
    problems.push({ option: 'webhooks.enqueueFromRoutes', message: 'must be true or false' });
  problems.push(...problemsInOwnTopics(webhooks.ownTopics));
  problems.push(...problemsInSigned(webhooks));
  for (const [key, handlers] of Object.entries(topicsIn(options))) {
    if (isTopic(key)) problems.push(...problemsInHandlers({ [key]: handlers }, 'webhooks.'));
    else problems.push({ option: `webhooks.${key}`, message: NO_TOPIC });
  }
  return problems;
}

const NO_TOPIC =
  'is neither an option nor a topic: handlers are given by topic, as PRODUCTS_CREATE';

/** Every topic has a resource and what happens to it. */
function isTopic(key: string): boolean {
  return /[_/.]/.test(key);
}

function problemsInOwnTopics(given: unknown): OptionProblem[] {
  const option = 'webhooks.ownTopics';
  if (given === undefined || given === false) return [];
  if (typeof given !== 'object' || given === null)
    return [{ option, message: 'must be false, or an object of topics with true or false' }];
  return Object.entries(given).flatMap(([topic, value]) => {
    if (!isOwnTopic(topic)) {
      const message = `is no topic of the toolkit's own: those are ${Object.keys(OWN_TOPICS).join(', ')}`;
      return [{ option: `${option}.${topic}`, message }];
    }
    return value === undefined || typeof value === 'boolean'
      ? []
      : [{ option: `${option}.${topic}`, message: 'must be true or false' }];
  });
}
