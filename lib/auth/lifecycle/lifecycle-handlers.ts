import { freeName } from '../../core/free-name.js';
import type { PlatformLogger } from '../../core/logger.js';
import { isResponse, thrownBy } from '../../core/http/is-response.js';
import type {
  Installation,
  LifecycleEvent,
  PendingEvent,
} from '../../sessions/coordination/installation.store.js';
import type { Session } from '../../sessions/session.js';
import type { AdminContext } from '../clients/admin-context.js';
import type { InstallationRecords } from '../installations/installation-records.js';
import { HookFailedError } from './lifecycle.errors.js';

/** The shop an event is about. */
export interface ShopContext {
  readonly shop: string;
}

/** A shop that has the app, and what the app may do there. */
export interface InstallContext extends ShopContext {
  /** The offline session; after authentication the one that was granted. */
  readonly session: Session;
  readonly admin: AdminContext;
}

/** A shop that has granted more, or less, than before. */
export interface ScopesChangedContext extends InstallContext {
  /** What was granted before; `session.scope` has what is granted now. */
  readonly previousScopes: string[];
}

/** What the handlers of each event are called with. */
export interface LifecycleContexts extends Record<LifecycleEvent, ShopContext> {
  readonly installed: InstallContext;
  readonly reinstalled: InstallContext;
  readonly scopes_changed: ScopesChangedContext;
  readonly authenticated: InstallContext;
  readonly needs_reauthorization: ShopContext;
  readonly uninstalled: ShopContext;
}

/**
 * The app's own code for the events of an installation. Unless it says otherwise, each hook runs
 * once in all processes before a request of the shop goes on, and again with the next request when
 * it throws. A thrown web `Response` is not a failure: it is the response to that request, once.
 */
export interface LifecycleHooks {
  /**
   * Runs at the end of every authentication, after the session has been stored and before the
   * merchant reaches the app. Throw a web `Response` to answer the merchant's browser with it
   * instead, such as a redirect to a page of plans.
   */
  readonly afterAuth?:
    ((context: { session: Session; admin: AdminContext }) => unknown) | undefined;
  /**
   * The shop has installed the app for the first time. A thrown `Response` is the response, as with
   * `afterAuth`.
   */
  readonly onInstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has installed the app again after it had uninstalled it. */
  readonly onReinstall?: ((context: InstallContext) => unknown) | undefined;
  /** The shop has granted more, or less, than before. */
  readonly onScopesChanged?: ((context: ScopesChangedContext) => unknown) | undefined;
  /**
   * The shop has uninstalled the app: its tokens are revoked, and its sessions are deleted
   * afterwards.
   */
  readonly onUninstall?: ((context: ShopContext) => unknown) | undefined;
  /**
   * The shop's tokens can no longer be renewed until somebody of the shop opens the app. Runs once,
   * also when it throws.
   */
  readonly onReauthorizationNeeded?: ((context: ShopContext) => unknown) | undefined;
}

/** The event that each hook handles. */
export const LIFECYCLE_HOOKS = Object.entries({
  afterAuth: 'authenticated',
  onInstall: 'installed',
  onReinstall: 'reinstalled',
  onScopesChanged: 'scopes_changed',
  onUninstall: 'uninstalled',
  onReauthorizationNeeded: 'needs_reauthorization',
} satisfies Record<keyof LifecycleHooks, LifecycleEvent>) as readonly (readonly [
  hook: keyof LifecycleHooks,
  event: LifecycleEvent,
])[];

/** A handler of the app for an event. */
export interface LifecycleHandler<E extends LifecycleEvent = LifecycleEvent> {
  /**
   * For logs and errors, such as `Shops.onInstalled`; equal names of an event are
   * numbered.
   */
  readonly name: string;
  run(context: LifecycleContexts[E]): unknown;
}

/**
 * Keeps the handlers of an app for the events of its installations: first its `hooks`, then the
 * methods its decorators mark.
 */
export class LifecycleHandlers {
  readonly #handlers = new Map<LifecycleEvent, LifecycleHandler[]>();

  constructor(hooks: LifecycleHooks = {}) {
    for (const [name, event] of LIFECYCLE_HOOKS) {
      const hook = hooks[name] as ((context: unknown) => unknown) | undefined;
      if (hook)
        this.add(event, { name: `hooks.${name}`, run: (context) => hook.call(hooks, context) });
    }
  }

  /** Adds a handler, which runs after those that are there. */
  add<E extends LifecycleEvent>(event: E, handler: LifecycleHandler<E>): void {
    const handlers = this.#of(event);
    const run = (context: unknown): unknown => handler.run(context as LifecycleContexts[E]);
    this.#handlers.set(event, [...handlers, { name: freeName(handler.name, handlers), run }]);
  }

  /**
   * Runs the handlers of the event one after the other, until one fails.
   * @param done names of handlers that are skipped; those that succeed are added
   * @returns the first web `Response` that a handler threw: a response, not a failure
   * @throws {HookFailedError} naming the one that failed
   */
  async run<E extends LifecycleEvent>(
    event: E,
    context: LifecycleContexts[E],
    done: Set<string> = new Set(),
  ): Promise<Response | undefined> {
    let response: Response | undefined;
    for (const handler of this.#of(event)) {
      if (done.has(handler.name)) continue;
      try {
        await handler.run(context);
      } catch (thrown) {
        const cause = thrownBy(handler.name, thrown);
        if (!isResponse(cause))
          throw new HookFailedError(handler.name, event, context.shop, { cause });
        response ??= cause;
      }
      done.add(handler.name);
    }
    return response;
  }

  #of(event: LifecycleEvent): readonly LifecycleHandler[] {
    return this.#handlers.get(event) ?? [];
  }
}

/** What the delivery of an event is recorded with. */
interface EventDeliveryContext {
  readonly logger: PlatformLogger;
  readonly records: InstallationRecords;
}

/**
 * Runs the handlers of a pending event and records that it was delivered, or, when a handler fails,
 * which handlers have succeeded. The caller holds the shop's install lock. Returns and throws what
 * `run` does.
 * @param run gets the names of the handlers to skip, and adds those that succeed
 */
export async function deliverEvent(
  { logger, records }: EventDeliveryContext,
  installation: Installation,
  pending: PendingEvent,
  run: (done: Set<string>) => Promise<Response | undefined>,
): Promise<Response | undefined> {
  const { shop, generation } = installation;
  const { event, done: before = [] } = pending;
  const done = new Set(before);
  let response: Response | undefined;
  try {
    response = await run(done);
  } catch (error) {
    if (done.size > before.length) await records.failed(installation, pending, done);
    throw error;
  }
  await records.delivered(installation, pending);
  logger.info('An event was delivered to the app', { shop, event, generation });
  return response;
}
