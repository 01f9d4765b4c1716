import type { StreamableFile } from '@nestjs/common';

import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { LiquidInit } from '../../auth/public/liquid.js';
import type { Untyped } from '../../core/json.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';

/** A request that a visitor of a shop has sent through the app proxy. */
export interface AppProxyContext {
  readonly shop: string;
  /** The app's own in the shop; `undefined` when the shop lacks the app or has to open it again. */
  readonly session: Session | undefined;
  /** There with the session. */
  readonly admin: AdminContext | undefined;
  /** There with the session. */
  readonly storefront: StorefrontClient | undefined;
  /**
   * A page of Liquid that the platform renders within the shop's theme, to be returned by the
   * handler: `return proxy.liquid('Hello {{ shop.name }}')`. Sets status and headers of the
   * response.
   * @param init a status, or what a `Response` takes, with `layout: false` for a page without the
   * theme's layout
   */
  readonly liquid: (body: string, init?: number | LiquidInit) => StreamableFile;
}

/** A request of the platform whose body is signed: an action of Flow, or fulfillment work. */
export interface SignedContext<Payload = Untyped> {
  /** The app's own in the shop that the request is for. */
  readonly session: Session;
  /** The body. */
  readonly payload: Payload;
  readonly admin: AdminContext;
}
