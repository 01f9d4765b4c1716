import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { Untyped } from '../../core/json.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookDelivery } from '../../webhooks/deliveries/webhook-delivery.js';

type Facts<T> = Omit<WebhookDelivery<T>, 'session' | 'admin' | 'storefront'>;

/** A delivery of a shop that has the app. */
export interface WebhookContextWithSession<
  T = Untyped,
  Resources extends ResourceSet = RegisteredResources,
> extends Facts<T> {
  readonly session: Session;
  /** When the shop's token is no longer valid and cannot be renewed, its calls say so. */
  readonly admin: AdminContext<Resources>;
  readonly storefront: StorefrontClient;
}

/** A delivery of a shop that does not have the app, such as one that has uninstalled it. */
export interface WebhookContextWithoutSession<T = Untyped> extends Facts<T> {
  readonly session: undefined;
  readonly admin: undefined;
  readonly storefront: undefined;
}

/**
 * One verified delivery, as an action receives it: with the shop's offline session and its APIs, or
 * without all three. `T` is its topic, as a constant, or the type of its payload; of several
 * topics, `topic` tells which type the payload has.
 */
export type WebhookContext<
  T = Untyped,
  Resources extends ResourceSet = RegisteredResources,
> = T extends unknown
  ? WebhookContextWithSession<T, Resources> | WebhookContextWithoutSession<T>
  : never;

/** `authenticate.webhook`. The payload of a delivery has the type of `T`. */
export interface AuthenticateWebhook<Resources extends ResourceSet = RegisteredResources> {
  <T = Untyped>(request: Request): Promise<WebhookContext<T, Resources>>;
  // `ReturnType` reads the last signature, and of a generic one makes the payload `unknown`.
  (request: Request): Promise<WebhookContext<Untyped, Resources>>;
}
