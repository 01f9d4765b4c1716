import { DeliveryMethod } from '../subscriptions/webhook-subscription.js';
import type { WebhookSubscription } from '../subscriptions/webhook-subscription.js';
import type {
  HandlerDeclaration,
  HandlerDeclarations,
  HttpHandlerDeclaration,
  WebhookCallback,
} from './webhook-handler-map.js';

/** A subscription that an app declares, with what handles its deliveries. */
export interface DeclaredSubscription {
  /** As it is spelled. */
  readonly topic: string;
  readonly subscription: WebhookSubscription;
  /** Of the function that handles deliveries, for logs and errors. */
  readonly name: string;
  /** With neither function, deliveries go elsewhere. */
  readonly handling: Pick<HttpHandlerDeclaration, 'callback' | 'handler' | 'schema' | 'timeout'>;
}

/** Only a subscription over HTTP can have a `callback`. */
type Declared = Exclude<HandlerDeclaration, WebhookCallback> &
  Pick<HttpHandlerDeclaration, 'callback'>;

/** What a map of handlers declares, in its order; the map is not changed. */
export function subscriptionsIn(map: HandlerDeclarations): DeclaredSubscription[] {
  return Object.entries(map).flatMap(([topic, declared]) =>
    [declared].flat().map((option) => subscriptionOf(topic, option)),
  );
}

function subscriptionOf(topic: string, option: HandlerDeclaration): DeclaredSubscription {
  const handling: Declared =
    typeof option === 'function'
      ? { deliveryMethod: DeliveryMethod.Http, callback: option }
      : option;
  const { callback, handler, schema: _schema, timeout: _timeout, ...subscription } = handling;
  const { name } = callback ?? handler ?? {};
  // The name of the property says nothing.
  const isNamed = name && (callback || name !== 'handler');
  return { topic, subscription, name: isNamed ? name : `handler of ${topic}`, handling };
}
