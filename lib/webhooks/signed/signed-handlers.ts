import * as v from 'valibot';

import type { OptionProblem } from '../../core/core.errors.js';
import { isAppPath, noAppPath } from '../../core/config/app-path.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { Untyped } from '../../core/json.js';
import { withSchema } from '../deliveries/webhook-delivery.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';
import { NO_TIMEOUT, isTimeout } from '../handlers/handler-timeout.js';
import type { RegisteredHandler } from '../handlers/webhook.registry.js';
import { NO_SCHEMA, isSchema } from '../payloads/standard-schema.js';
import type { StandardSchema } from '../payloads/standard-schema.js';
import { signedSubscription, signedTopic } from './signed-topic.js';
import type { SignedPaths } from './signed-topic.js';

/** Handles one delivery. */
type SignedHandler = (delivery: Untyped) => unknown;

/** A handler of signed requests, and how it runs. */
export interface SignedHandlerDeclaration {
  readonly handler: SignedHandler;
  /** As of a webhook handler. @default none */
  readonly schema?: StandardSchema | undefined;
  /**
   * How long the handler may take, in milliseconds; `Infinity` for no limit. @default the option
   * `webhooks.handlerTimeout`
   */
  readonly timeout?: number | undefined;
}

/** What an app declares for signed requests. */
type SignedHandlerOption = SignedHandler | SignedHandlerDeclaration;

/** Handlers of requests of the platform that are no webhooks, and where they arrive. */
export interface SignedHandlerSettings {
  /**
   * Handlers of Flow actions, by the handle of the action. Each gets a `FlowActionRequest`.
   * @default none besides `@FlowAction()` methods
   */
  readonly flowActions?: Readonly<Record<string, SignedHandlerOption>> | undefined;
  /**
   * The path that Flow posts actions to, where one has a handler: the `runtime_url` of their
   * extensions. @default '/flow'
   */
  readonly flowPath?: string | undefined;
  /**
   * What a fulfillment service is notified of. The handler gets a `FulfillmentRequest`.
   * @default none besides `@FulfillmentService()` methods
   */
  readonly fulfillmentService?: SignedHandlerOption | undefined;
  /**
   * The path that notifications of a fulfillment service arrive at, where they have a handler: that
   * of its callback URL, with `/fulfillment_order_notification`.
   * @default '/fulfillment_order_notification'
   */
  readonly fulfillmentServicePath?: string | undefined;
}

/** The names of {@link SignedHandlerSettings}. */
export const SIGNED_SETTINGS = [
  'flowActions',
  'flowPath',
  'fulfillmentService',
  'fulfillmentServicePath',
] as const satisfies readonly (keyof SignedHandlerSettings)[];

/** Where they arrive in an app that says nothing about it. */
const PATHS: SignedPaths = {
  flow: '/flow',
  fulfillment_service: '/fulfillment_order_notification',
};

/** Where signed requests arrive. */
export function signedPathsIn({
  flowPath = PATHS.flow,
  fulfillmentServicePath = PATHS.fulfillment_service,
}: SignedHandlerSettings): SignedPaths {
  return { flow: flowPath, fulfillment_service: fulfillmentServicePath };
}

/** The handlers of signed requests among the options. */
export function signedHandlersIn(settings: SignedHandlerSettings): RegisteredHandler[] {
  const paths = signedPathsIn(settings);
  const { flowActions = {}, fulfillmentService } = settings;
  const registered = (
    source: SignedSource,
    declared: SignedHandlerOption,
    handle?: string,
  ): RegisteredHandler => {
    const { handler, schema, timeout }: SignedHandlerDeclaration =
      typeof declared === 'function' ? { handler: declared } : declared;
    const topic = signedTopic(source, handle);
    return {
      kind: 'handler',
      topic,
      subscription: signedSubscription(source, paths),
      name: `handler of ${topic}`,
      timeout,
      run: withSchema(schema, (delivery: WebhookDelivery) => handler(delivery)),
    };
  };
  return [
    ...Object.entries(flowActions).map(([handle, declared]) =>
      registered('flow', declared, handle),
    ),
    ...(fulfillmentService ? [registered('fulfillment_service', fulfillmentService)] : []),
  ];
}

const NO_HANDLER = 'must be a function, or an object with a handler';
const declaration = v.object(
  {
    handler: v.pipe(v.optional(v.any(), null), v.function(NO_HANDLER)),
    schema: v.optional(v.custom<StandardSchema>(isSchema, NO_SCHEMA)),
    timeout: v.optional(v.custom<number>(isTimeout, NO_TIMEOUT)),
  },
  NO_HANDLER,
);
const HANDLER = v.lazy((given) => (typeof given === 'function' ? v.any() : declaration));
const NO_ACTIONS = 'must be an object of handlers by the handle of their action';
const SETTINGS = v.object({
  flowActions: v.optional(
    v.pipe(
      v.custom<object>((given) => !Array.isArray(given), NO_ACTIONS),
      v.record(v.string(), HANDLER, NO_ACTIONS),
    ),
  ),
  flowPath: v.optional(v.custom<string>(isAppPath, noAppPath(PATHS.flow))),
  fulfillmentService: v.optional(HANDLER),
  fulfillmentServicePath: v.optional(
    v.custom<string>(isAppPath, noAppPath(PATHS.fulfillment_service)),
  ),
});

/** The problems in them. */
export function problemsInSigned(settings: SignedHandlerSettings): OptionProblem[] {
  const { issues = [] } = v.safeParse(SETTINGS, settings);
  return issues.map((issue) => ({
    option: `webhooks.${v.getDotPath(issue)}`,
    message: issue.message,
  }));
}
