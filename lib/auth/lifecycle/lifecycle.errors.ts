import { PlatformError } from '../../core/core.errors.js';
import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';

/**
 * A hook or handler of an installation's lifecycle threw; `cause` is what it threw.
 * @remedy Mend the handler: `cause` is what it threw. It runs again with the next request of the
 * shop.
 */
export class HookFailedError extends PlatformError {
  readonly code = 'ERR_HOOK_FAILED';

  constructor(
    /** Such as `hooks.onInstall` or `Shops.onInstalled`. */
    readonly handler: string,
    readonly event: LifecycleEvent,
    readonly shop: string,
    options: { cause: unknown },
  ) {
    super(`${handler} failed to deal with the event "${event}" of ${shop}.`, options);
  }
}

/**
 * A lifecycle handler cannot be run as it is written; the message names it and the fix.
 * @remedy Change the handler as the message says.
 */
export class InvalidLifecycleHandlerError extends PlatformError {
  readonly code = 'ERR_LIFECYCLE_HANDLER_INVALID';
}
