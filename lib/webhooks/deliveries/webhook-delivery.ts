import type { Untyped } from '../../core/json.js';
import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';
import type { WebhookFacts } from './webhook.verifier.js';

/** One verified delivery, as handlers receive it. */
export interface WebhookDelivery<T = Untyped> extends WebhookFacts {
  /**
   * The body, parsed when it is read for the first time. @throws {InvalidWebhookPayloadError} when
   * it is not JSON
   */
  readonly payload: T;
  /** The body as text. */
  readonly rawBody: string;
  /** The shop's offline session; `undefined` when the app is not installed. */
  readonly session?: Session | undefined;
  /** The Admin API of the shop; `undefined` without a session or a valid access token. */
  readonly admin?: AdminContext | undefined;
  /** The Storefront API of the shop; `undefined` without a session or a valid access token. */
  readonly storefront?: StorefrontClient | undefined;
}
