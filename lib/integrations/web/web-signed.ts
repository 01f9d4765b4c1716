import type { AdminContext } from '../../auth/clients/admin-context.js';
import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import type {
  SignedDecision,
  SignedRequestAuthenticator,
} from '../../auth/signed/signed-request.authenticator.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { webRequest } from '../../core/http/web-http.js';
import type { Untyped } from '../../core/json.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type { FulfillmentRequestPayload } from '../../webhooks/signed/signed-delivery.js';
import type { SignedDeliveryReceiver } from '../../webhooks/signed/signed-delivery.receiver.js';
import { responseTo } from './web-response.js';

/** A request whose body the platform has signed, and its shop. */
interface SignedContext<Payload, Resources extends ResourceSet> {
  /** The app's own in the shop. */
  readonly session: Session;
  /** The body of the request. */
  readonly payload: Payload;
  readonly admin: AdminContext<Resources>;
}

/** An action of an automation that the app has to perform. */
export type FlowContext<
  Payload = Untyped,
  Resources extends ResourceSet = RegisteredResources,
> = SignedContext<Payload, Resources>;

/** What an app that fulfills orders is told. */
export type FulfillmentServiceContext<
  Payload = FulfillmentRequestPayload,
  Resources extends ResourceSet = RegisteredResources,
> = SignedContext<Payload, Resources>;

/** What these members work with. */
export interface SignedDependencies {
  readonly config: PlatformConfig;
  readonly signed: SignedRequestAuthenticator;
  readonly signedDeliveries: SignedDeliveryReceiver;
}

/** Members of `authenticate` for requests of the platform that are no webhooks. */
interface SignedMembers<Resources extends ResourceSet = RegisteredResources> {
  /**
   * Authenticates an action of an automation, by the signature of its body. With
   * `webhooks.enqueueFromRoutes` the handler of the action, if there is one, gets it as well: once,
   * before this returns.
   * @throws {Response} 405 when it is no POST, 400 when the platform did not sign it, or its shop
   * lacks the app; 5xx when it was to be enqueued and could not be
   */
  readonly flow: {
    <Payload = Untyped>(request: Request): Promise<FlowContext<Payload, Resources>>;
    // `ReturnType` reads the last signature, and of a generic one makes the payload `unknown`.
    (request: Request): Promise<FlowContext<Untyped, Resources>>;
  };
  /**
   * Authenticates a request to an app that fulfills orders, by the signature of its body. With
   * `webhooks.enqueueFromRoutes` its handler, if there is one, gets it as well.
   * @throws {Response} 405 when it is no POST, 400 when the platform did not sign it, or its shop
   * lacks the app; 5xx when it was to be enqueued and could not be
   */
  readonly fulfillmentService: {
    <Payload = FulfillmentRequestPayload>(
      request: Request,
    ): Promise<FulfillmentServiceContext<Payload, Resources>>;
    // As above.
    (request: Request): Promise<FulfillmentServiceContext<FulfillmentRequestPayload, Resources>>;
  };
}

/** @param app is asked when a request comes, once the modules of the app have started */
export function signedMembers<Resources extends ResourceSet>(
  app: () => Promise<SignedDependencies>,
): SignedMembers<Resources> {
  const authenticate = async (
    request: Request,
    source: SignedSource,
    decide: (
      signed: SignedRequestAuthenticator,
      request: InboundRequest,
    ) => Promise<SignedDecision>,
  ): Promise<SignedContext<Untyped, Resources>> => {
    const { config, signed, signedDeliveries } = await app();
    const inbound = webRequest(request, config);
    const decision = await decide(signed, inbound);
    if (decision.kind === 'denied') throw responseTo(inbound, decision, config);
    const refused = await signedDeliveries.offer(source, decision);
    if (refused) throw responseTo(inbound, refused, config);
    const { session, payload, clients } = decision;
    const own = { session, payload };
    return withLazyClients(own, clients, ['admin']) as SignedContext<Untyped, Resources>;
  };
  return {
    flow: (request: Request) =>
      authenticate(request, 'flow', (signed, inbound) => signed.flow(inbound)),
    fulfillmentService: (request: Request) =>
      authenticate(request, 'fulfillment_service', (signed, inbound) =>
        signed.fulfillmentService(inbound),
      ),
  };
}
