import { typedToken } from '../../core/binding.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';

/**
 * Whether the app may hear of a delivery: `refused` is answered as if it had been handled, since no
 * later attempt would be believed either; for `undecided` the platform is asked to try again.
 */
export type Admission = 'admitted' | 'refused' | 'undecided';

/**
 * What the toolkit itself does with the deliveries of a topic: after the handlers of the app, or
 * before a route of the app gets the delivery. It is no handler: the app never meets it.
 */
export interface BuiltInHandler {
  /** As a constant. */
  readonly topic: string;
  /** For logs and errors. */
  readonly name: string;
  /**
   * Is subscribed also when nothing else of the app arrives at the webhook path: false where that
   * path may not exist.
   */
  readonly subscribesAlone: boolean;
  /**
   * Decides about a delivery before any of the app's code hears of it. @default all are admitted
   */
  readonly admit?: (delivery: WebhookDelivery) => Promise<Admission>;
  /**
   * Comes again with every attempt and every subscription, so that it has to find what it has done
   * before.
   */
  readonly run: (delivery: WebhookDelivery) => Promise<void>;
}

/** Injection token of the follow-ups of an app, at most one for each topic. */
export const BUILT_IN_HANDLERS = typedToken<readonly BuiltInHandler[]>('BUILT_IN_HANDLERS');

/** What follows the deliveries of a topic, if anything. */
export function builtInHandlerOf(
  topic: string,
  builtInHandlers: readonly BuiltInHandler[],
): BuiltInHandler | undefined {
  return builtInHandlers.find((builtInHandler) => builtInHandler.topic === topic);
}
