import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { Untyped } from '../../core/json.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookDelivery } from '../../webhooks/deliveries/webhook-delivery.js';

type Facts<Payload> = Omit<WebhookDelivery<Payload>, 'session' | 'admin' | 'storefront'>;

/** A delivery of a shop that has the app. */
interface WithSession<Payload> extends Facts<Payload> {
  readonly session: Session;
  /** When the shop's token is no longer valid and cannot be renewed, its calls say so. */
  readonly admin: AdminContext;
  readonly storefront: StorefrontClient;
}

/** A delivery of a shop that does not have the app, such as one that has uninstalled it. */
interface WithoutSession<Payload> extends Facts<Payload> {
  readonly session: undefined;
  readonly admin: undefined;
  readonly storefront: undefined;
}

/**
 * One verified delivery, as an action receives it: with the shop's offline session and its APIs, or
 * without all three.
 */
export type WebhookContext<Payload = Untyped> = WithSession<Payload> | WithoutSession<Payload>;
