import { HandlerMarks } from '../../core/nest/handler-marks.decorator.js';
import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';
import type { LifecycleContexts } from './lifecycle-handlers.js';

/** Options of the decorators. */
export interface LifecycleHandlerOptions {
  /** Name of the app the handler belongs to. @default the unnamed app */
  readonly app?: string | undefined;
}

/** The metadata of a decorated method. */
interface LifecycleMark extends LifecycleHandlerOptions {
  readonly event: LifecycleEvent;
}

/** What the decorators have put on methods. */
export const LIFECYCLE_MARKS = new HandlerMarks<LifecycleMark>(
  Symbol.for('shopwright:LIFECYCLE_HANDLER'),
);

/** Decorates a method of a provider or controller that takes the event's context. */
type LifecycleDecorator<E extends LifecycleEvent> = <
  M extends (context: LifecycleContexts[E]) => unknown,
>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Handles the first installation of the app by a shop: once in all processes, before a request of
 * the shop goes on, and again with the next request when it throws.
 * @example
 * @OnInstalled()
 * async onInstalled({ shop, admin }: InstallContext) {}
 */
export function OnInstalled(options?: LifecycleHandlerOptions): LifecycleDecorator<'installed'> {
  return marking('installed', options);
}

/**
 * Handles an installation by a shop that had uninstalled the app before. Otherwise as
 * `@OnInstalled`.
 */
export function OnReinstalled(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'reinstalled'> {
  return marking('reinstalled', options);
}

/** Handles other scopes than a shop has granted before. Otherwise as `@OnInstalled`. */
export function OnScopesChanged(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'scopes_changed'> {
  return marking('scopes_changed', options);
}

/**
 * Handles an uninstallation, before the sessions of the shop are deleted. Runs again with the
 * platform's next delivery when it throws.
 */
export function OnUninstalled(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'uninstalled'> {
  return marking('uninstalled', options);
}

/**
 * Handles that a shop's tokens can no longer be renewed until somebody of the shop opens the app.
 * Runs once, also when it throws.
 */
export function OnReauthorizationNeeded(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'needs_reauthorization'> {
  return marking('needs_reauthorization', options);
}

function marking<E extends LifecycleEvent>(
  event: E,
  options: LifecycleHandlerOptions = {},
): LifecycleDecorator<E> {
  const mark: LifecycleMark = { ...options, event };
  return (target, name, descriptor) => LIFECYCLE_MARKS.add(mark, { target, name, descriptor });
}
