import type { Priority } from '../../core/pacing/pacer.js';
import type { SubscriptionOperation } from './webhook.queries.js';
import type { WebhookSubscription, SubscriptionDetails } from './webhook-subscription.js';

/** What an app wants for one topic and address. */
export interface DesiredSubscription {
  readonly topic: string;
  /** Its address: an absolute URL, an ARN or `pubsub://project:topic`. */
  readonly uri: string;
  readonly subscription: WebhookSubscription;
}

/** A detail of a subscription that is not as the app declares it. */
export interface SubscriptionDifference {
  readonly detail: keyof SubscriptionDetails;
  /** What the platform has: `undefined` for nothing, as for a filter that is not set. */
  readonly existing: unknown;
  /** What the app declares. */
  readonly desired: unknown;
}

/** What is to become of one subscription of a shop. */
export interface PlannedSubscription extends DesiredSubscription {
  readonly operation: SubscriptionOperation | 'keep';
  /** Id of the existing subscription; `undefined` for one that is to be created. */
  readonly id?: string;
  /** What an update changes; empty for every other operation. */
  readonly differences: readonly SubscriptionDifference[];
  /** False for what the app does not declare: deleted when that is asked for, else kept. */
  readonly isDeclared: boolean;
}

/** What brings the subscriptions of one shop in line with what the app declares. */
export interface SubscriptionPlan {
  /** Domain of the shop. */
  readonly shop: string;
  /** Topics that the app declares or needs, as constants, those of privacy requests included. */
  readonly topics: readonly string[];
  /** By topic, in the order in which they are changed; what is kept comes last. */
  readonly subscriptions: readonly PlannedSubscription[];
}

/** How the API is called while subscriptions are read and changed. */
export interface RegisterCallOptions {
  /** Calls that nobody waits for let the others pass. @default 'interactive' */
  readonly priority?: Priority | undefined;
}
