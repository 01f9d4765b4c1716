import { randomUUID } from 'node:crypto';

import type {
  SignedGranted,
  SignedRequest,
  SignedRequestAuthenticator,
} from '../../auth/signed/signed-request.authenticator.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { denied } from '../../core/decision.js';
import type { AcceptedDecision, DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { MeasuredDelivery, Telemetry } from '../../core/telemetry/telemetry.js';
import { decisionOf } from '../deliveries/webhook.receiver.js';
import type { VerifiedDelivery } from '../deliveries/webhook-delivery.js';
import { normalizeTopic } from '../handlers/webhook.registry.js';
import type { WebhookRegistry } from '../handlers/webhook.registry.js';
import type { WebhookQueue } from '../queue/webhook.queue.js';
import { namedPath } from '../subscriptions/webhook-subscription.js';
import { signedSubscription, signedTopic } from './signed-topic.js';
import type { SignedPaths } from './signed-topic.js';

/** What a {@link SignedDeliveryReceiver} depends on. */
interface SignedDeliveryReceiverDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly inFlight: InFlight;
  readonly authenticator: SignedRequestAuthenticator;
  readonly registry: WebhookRegistry;
  readonly queue: WebhookQueue;
  readonly telemetry: Telemetry;
  readonly paths: SignedPaths;
  /** Whether handlers get what routes of the app have authenticated. */
  readonly enqueuesFromRoutes: boolean;
}

/** What is known of a request by its signature. */
type Signed = Pick<SignedRequest, 'bytes' | 'payload' | 'shop'>;

/**
 * Takes Flow actions and notifications of fulfillment services for the handlers of the app: to the
 * same queue as webhooks, so that they are recorded, known again and repeated as those are.
 */
export class SignedDeliveryReceiver {
  constructor(private readonly dependencies: SignedDeliveryReceiverDependencies) {}

  /**
   * What is sent to a path of the app that a handler names; `undefined` for webhooks, which may
   * have the path of a source without a handler.
   * @param path without a slash at its end
   */
  sourceAt(path: string): SignedSource | undefined {
    const { config, paths, registry } = this.dependencies;
    return SOURCES.find(
      (source) =>
        namedPath(signedSubscription(source, paths))(config) === path &&
        registry.handlers().some(({ topic }) => topic.startsWith(signedTopic(source, ''))),
    );
  }

  /**
   * Verifies a request, hands it to the queue and decides on the response: success when its handler
   * has run or it is stored, 5xx when the platform must send it again, which it does not after any
   * other 4xx than 429. Everything is answered with 503 once the app is shutting down.
   */
  receive(
    source: SignedSource,
    request: InboundRequest,
  ): Promise<AcceptedDecision | DeniedDecision> {
    const { inFlight, telemetry } = this.dependencies;
    return inFlight.admit(() => {
      const { instruments } = telemetry;
      return instruments
        ? instruments.delivery((verified) => this.#receive(source, request, verified))
        : this.#receive(source, request);
    });
  }

  /**
   * Hands a request over that a route of the app has authenticated, where handlers are to have it
   * and there is one.
   * @returns why the route must not go on: the platform has to send the request again
   */
  async offer(
    source: SignedSource,
    { bytes, payload, session: { shop } }: SignedGranted,
  ): Promise<DeniedDecision | undefined> {
    if (!this.dependencies.enqueuesFromRoutes) return undefined;
    const delivery = this.#deliveryOf(source, { bytes, payload, shop });
    if (delivery.kind === 'denied') return undefined;
    const { inFlight, queue } = this.dependencies;
    const decision = await inFlight.admit(async () =>
      decisionOf(await queue.enqueue(delivery.delivery)),
    );
    return decision.kind === 'denied' ? decision : undefined;
  }

  async #receive(
    source: SignedSource,
    request: InboundRequest,
    verified?: (delivery: MeasuredDelivery) => void,
  ): Promise<AcceptedDecision | DeniedDecision> {
    const { authenticator, logger, queue } = this.dependencies;
    const read = await authenticator.read(source, request);
    if (read.kind === 'denied') return read;
    const found = this.#deliveryOf(source, read);
    if (found.kind === 'denied') {
      const { shop } = read;
      logger.warn('A signed request was refused', { source, reason: found.reason, shop });
      return found;
    }
    verified?.(found.delivery.facts);
    return decisionOf(await queue.enqueue(found.delivery));
  }

  /** Denied without a handler, and when the body lacks what identifies an action. */
  #deliveryOf(source: SignedSource, { bytes, payload, shop }: Signed): FoundDelivery {
    const { config, paths, registry } = this.dependencies;
    const isFlow = source === 'flow';
    const handle = isFlow ? (payload['handle'] ?? payload['action_definition_id']) : '';
    const webhookId: unknown = isFlow ? payload['action_run_id'] : randomUUID();
    if (!isName(webhookId) || (isFlow && !isName(handle))) return NOT_AN_ACTION;
    const topic = normalizeTopic(signedTopic(source, String(handle)));
    if (registry.handlersFor(topic).length === 0) return isFlow ? NO_ACTION : NO_SERVICE;
    const facts = {
      webhookType: 'webhooks',
      topic,
      shop,
      webhookId,
      apiVersion: config.apiVersion,
    } as const;
    return { kind: 'found', delivery: { facts, body: bytes, path: paths[source] } };
  }
}

type FoundDelivery =
  { readonly kind: 'found'; readonly delivery: VerifiedDelivery } | DeniedDecision;

const SOURCES: readonly SignedSource[] = ['flow', 'fulfillment_service'];

const LONGEST_NAME = 255;

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_NAME;
}

const NOT_AN_ACTION = denied(
  400,
  'invalid_payload',
  'The body is no run of an action: "action_run_id" identifies the run, and "handle" the action.',
);
const NO_ACTION = denied(
  404,
  'action_unknown',
  'No handler is registered for this action. Declare one with @FlowAction() or in `webhooks.flowActions`.',
);
const NO_SERVICE = denied(
  404,
  'service_unknown',
  'No handler is registered for notifications of a fulfillment service.',
);
