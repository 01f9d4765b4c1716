import type { Session } from '../../sessions/session.js';

/** What the middleware leaves behind for the handlers after it, under `res.locals.shopify`. */
export interface PlatformLocals {
  /** Set by `auth.callback()` and `validateAuthenticatedSession()`. */
  session: Session;
}

declare global {
  // The namespace through which Express lets others type `res.locals`.
  namespace Express {
    interface Locals {
      /** Only behind `auth.callback()` or `validateAuthenticatedSession()`. */
      shopify: PlatformLocals;
    }
  }
}
