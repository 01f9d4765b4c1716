import type { Clock } from '../../core/time/clock.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { VerifiedDelivery } from '../deliveries/webhook-delivery.js';
import { DeadLetters, NO_DEAD_LETTERS } from './dead-letters.js';
import type { QueueDepth, RecentDelivery } from './queue-status.js';

/** What became of a delivery; the response to the platform follows from it. */
export type DeliveryOutcome = AcceptedDelivery | FailedDelivery | UnavailableDelivery;

/** The platform need not deliver it again. */
export interface AcceptedDelivery {
  readonly kind: 'accepted';
  /**
   * `queued` is stored, and handled later; `not_believed` was acknowledged without running a
   * handler, since a retry would be as false.
   */
  readonly reason: 'handled' | 'duplicate' | 'not_believed' | 'queued';
}

/** A handler failed: the platform must deliver it again. The log says why. */
export interface FailedDelivery {
  readonly kind: 'failed';
  /** Names of those that failed, unless it failed before any was run. */
  readonly handlers?: readonly string[] | undefined;
}

/** It could not be handled now: the platform must deliver it again. */
export interface UnavailableDelivery {
  readonly kind: 'unavailable';
  readonly reason:
    | 'delivery_in_progress'
    | 'inbox_unavailable'
    | 'platform_unreachable'
    | 'queue_unavailable'
    | 'shutting_down';
}

/** What becomes of a delivery that nothing of the app handles. */
export type TopicOutcome =
  | { readonly kind: 'accepted'; readonly reason: 'not_acted_upon' }
  /** The topic is none that every app has to accept. */
  | { readonly kind: 'unknown' };

/** Runs the handlers of deliveries that the queue has kept. */
export interface DeliveryHandling {
  /** Never rejects. What is accepted is done; everything else has to be handled again. */
  handle(delivery: VerifiedDelivery, progress: HandlingProgress): Promise<DeliveryOutcome>;
}

/** Which handlers of a delivery have succeeded, and what records it. */
export interface HandlingProgress {
  /** Names of those that need not run; those that succeed are added. */
  readonly handled: string[];
  /** Waited for after each handler that succeeds, once its name was added. @default nothing */
  readonly onHandled?: (() => Promise<void>) | undefined;
}

/** What the queue of an app works with. */
export interface WebhookQueueDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly processor: DeliveryHandling;
}

/** What the option `webhooks.queue` takes: it makes the queue of an app. */
export interface WebhookQueueFactory {
  /** Nothing is opened yet. @internal */
  readonly create: (dependencies: WebhookQueueDependencies) => WebhookQueue;
}

/**
 * Decides when and where verified deliveries are processed. A port: the default processes each one
 * before the platform is answered; a durable queue stores it, answers, and processes it later.
 */
export abstract class WebhookQueue {
  /**
   * Takes a delivery over. Resolves as soon as the platform can be answered, and never rejects.
   */
  abstract enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome>;

  /** The deliveries that were given up. @default none: the platform repeats what failed */
  readonly deadLetters: DeadLetters = NO_DEAD_LETTERS;

  /**
   * How much it holds; `undefined` for one that holds nothing.
   * @throws {WebhookQueueError} when it cannot be reached
   */
  async depth(): Promise<QueueDepth | undefined> {
    return undefined;
  }

  /**
   * What it knows of the last deliveries, newest first; `undefined` for one that holds nothing.
   * @param limit at most so many
   * @throws {WebhookQueueError} when it cannot be reached
   */
  async recent(_limit: number): Promise<RecentDelivery[] | undefined> {
    return undefined;
  }

  /**
   * Begins to work what is stored; called once, when all handlers are known. Must do nothing in the
   * process of a command.
   */
  begin(): void {}

  /** Ends the work; called once, when the app shuts down and nothing is in flight. */
  async close(): Promise<void> {}
}
