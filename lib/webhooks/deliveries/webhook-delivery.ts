import type { Untyped } from '../../core/json.js';
import type { AdminContext, ShopClients } from '../../auth/clients/admin-context.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { VerifiedWebhook } from './webhook.verifier.js';
import { InvalidWebhookPayloadError } from '../webhooks.errors.js';

/** One verified delivery, as handlers see it. */
export interface WebhookDelivery<T = Untyped> {
  /** The family: `events` has `handle`, `action` and `resourceId`, `webhooks` has `name`. */
  readonly webhookType: 'webhooks' | 'events';
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: string;
  readonly shop: string;
  /** Names the delivery: the same in every attempt. */
  readonly webhookId: string;
  /** Names the event: the same in the deliveries of several subscriptions. */
  readonly eventId?: string | undefined;
  readonly apiVersion: string;
  /** Name of the subscription. */
  readonly name?: string | undefined;
  /** ISO 8601. */
  readonly triggeredAt?: string | undefined;
  readonly handle?: string | undefined;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  /**
   * The body, parsed when it is read for the first time. @throws {InvalidWebhookPayloadError} when
   * it is not JSON
   */
  readonly payload: T;
  /** The body as text. */
  readonly rawBody: string;
  /** The shop's offline session; none once the app is uninstalled. */
  readonly session?: Session | undefined;
  /** The Admin API on behalf of the shop, as long as there is a session. */
  readonly admin?: AdminContext | undefined;
  /** The Storefront API of the shop, as long as there is a session. */
  readonly storefront?: StorefrontClient | undefined;
}

/** What a handler may do in the shop; nothing when the app is not installed. */
export type DeliveryAccess = Partial<ShopClients>;

/** Puts together what handlers see. */
export function createDelivery(
  { valid: _, hmac: __, domain, ...facts }: VerifiedWebhook,
  body: Buffer,
  access: DeliveryAccess,
): WebhookDelivery {
  const rawBody = body.toString('utf8');
  let parsed: { payload: unknown } | undefined;
  return {
    ...facts,
    session: access.session,
    admin: access.admin,
    get storefront() {
      return access.storefront;
    },
    shop: domain,
    rawBody,
    get payload() {
      return (parsed ??= { payload: parse(rawBody, facts.topic) }).payload;
    },
  };
}

function parse(body: string, topic: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch {
    // Without the cause: the parser quotes the body in its message.
    throw new InvalidWebhookPayloadError(
      `The body of this ${topic} delivery is not JSON. Read \`rawBody\` instead.`,
    );
  }
}
