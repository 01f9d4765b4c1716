import { FLOW_SHOP_FIELD } from '../../core/vendor.js';
import type { Untyped } from '../../core/json.js';
import type { WebhookDelivery } from '../deliveries/webhook-delivery.js';

/**
 * What the handler of a Flow action or of a fulfillment service receives: a signed request that was
 * recorded as a webhook is, with what it works with of the shop.
 */
export interface SignedDelivery<Payload = Untyped> extends Pick<
  WebhookDelivery<Payload>,
  'shop' | 'webhookId' | 'rawBody' | 'session' | 'admin' | 'storefront' | 'signal'
> {
  /**
   * Identifies it in every attempt: the `action_run_id` of an action. The platform gives requests
   * to fulfillment services none, so that each is a delivery of its own.
   */
  readonly webhookId: string;
  /** The body, or what the `schema` of the handler has made of it. */
  readonly payload: Payload;
}

/**
 * The body with which Flow runs an action.
 * @see https://shopify.dev/docs/apps/build/flow/actions/endpoints
 */
export interface FlowActionPayload<Properties = Readonly<Record<string, Untyped>>> {
  /** The shop's number on the platform. */
  readonly shop_id: string;
  readonly [FLOW_SHOP_FIELD]: string;
  /** The run; the same in each attempt of one run. */
  readonly action_run_id: string;
  /** Of the extension that declares the action. */
  readonly handle?: string | undefined;
  /** Of an action that has no handle. */
  readonly action_definition_id?: string | undefined;
  /** What the merchant has entered for the action. */
  readonly properties: Properties;
}

/** A run of a Flow action. `Properties` is what the merchant enters for it. */
export type FlowActionRequest<Properties = Readonly<Record<string, Untyped>>> = SignedDelivery<
  FlowActionPayload<Properties>
>;

/**
 * The body with which the platform notifies a fulfillment service. It names no order: the handler
 * asks for the fulfillment orders that are assigned to the service.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
export interface FulfillmentRequestPayload {
  /** What is asked for. */
  readonly kind: 'FULFILLMENT_REQUEST' | 'CANCELLATION_REQUEST' | (string & {});
  readonly [name: string]: Untyped;
}

/** A notification of a fulfillment service. */
export type FulfillmentRequest = SignedDelivery<FulfillmentRequestPayload>;
