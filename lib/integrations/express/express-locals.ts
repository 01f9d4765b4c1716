import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { ExtensionTokenPayload } from '../../auth/credentials/session-token.js';
import type { LiquidInit } from '../../auth/public/liquid.js';
import type { Untyped } from '../../core/json.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import type { Session } from '../../sessions/session.js';

/** A request through the app proxy of a shop. */
export interface ExpressAppProxy {
  /** Canonical domain. */
  readonly shop: string;
  /** The app's own; `undefined` when the shop lacks the app or has to open it again. */
  readonly session: Session | undefined;
  /** There with the session. */
  readonly admin: AdminContext | undefined;
  /** There with the session. */
  readonly storefront: StorefrontClient | undefined;
  /**
   * Answers the request with a page of Liquid that the platform renders within the shop's theme:
   * `liquid('Hello {{ shop.name }}')`. The paths of its links and forms end with a slash.
   * @param init a status, or `status`, `statusText`, `headers` and `layout`, false for a page
   * without the theme's layout
   */
  readonly liquid: (body: string, init?: number | LiquidInit) => void;
}

/** A request whose body the platform has signed. */
export interface ExpressSignedRequest {
  /** The app's own in the shop. */
  readonly session: Session;
  /** The body, parsed. */
  readonly payload: Readonly<Record<string, Untyped>>;
  readonly admin: AdminContext;
}

/** What the middleware leaves behind for the handlers after it, under `res.locals.shopify`. */
export interface PlatformLocals {
  /**
   * Set by `auth.callback()` and `validateAuthenticatedSession()`; the app's own behind
   * `validateFlow()`, `validateFulfillmentService()` and, where the shop has the app,
   * `validateAppProxy()`.
   */
  session: Session;
  /** Set by `validateAppProxy()`. */
  appProxy: ExpressAppProxy;
  /** Set by `validateFlow()`. */
  flow: ExpressSignedRequest;
  /** Set by `validateFulfillmentService()`. */
  fulfillmentService: ExpressSignedRequest;
  /** Set by `validateCheckout()`, `validateCustomerAccount()` and `validatePos()`. */
  sessionToken: ExtensionTokenPayload;
}

declare global {
  // The namespace through which Express lets others type `res.locals`.
  namespace Express {
    interface Locals {
      /** Only behind middleware of the toolkit that sets it. */
      shopify: PlatformLocals;
    }
  }
}
