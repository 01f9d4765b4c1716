import 'reflect-metadata';

import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';
import type { LifecycleContexts } from './lifecycle-handlers.js';

const HANDLES = Symbol.for('shopwright:LIFECYCLE_HANDLER');

export interface LifecycleHandlerOptions {
  /** Name of the app the handler belongs to. @default the unnamed app */
  readonly app?: string | undefined;
}

/** What a decorator says about a method. */
export interface LifecycleMark extends LifecycleHandlerOptions {
  readonly event: LifecycleEvent;
}

/**
 * Goes on a method of any provider or controller that takes the event's context as its only
 * argument.
 */
export type LifecycleDecorator<E extends LifecycleEvent> = <
  M extends (context: LifecycleContexts[E]) => unknown,
>(
  target: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Marks what runs when a shop has installed the app for the first time: once in all processes,
 * before a request of the shop goes on, and again with the next request when it throws.
 * @example
 * @OnInstalled()
 * async onInstalled({ shop, admin }: InstallContext) {}
 */
export function OnInstalled(options?: LifecycleHandlerOptions): LifecycleDecorator<'installed'> {
  return marking('installed', options);
}

/**
 * Marks what runs when a shop has installed the app again after it had uninstalled it. Otherwise as
 * `@OnInstalled`.
 */
export function OnReinstalled(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'reinstalled'> {
  return marking('reinstalled', options);
}

/**
 * Marks what runs when a shop has granted more, or less, than before. Otherwise as `@OnInstalled`.
 */
export function OnScopesChanged(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'scopes_changed'> {
  return marking('scopes_changed', options);
}

/**
 * Marks what runs when a shop has uninstalled the app, before its sessions are deleted. The
 * platform tells again when it throws.
 */
export function OnUninstalled(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'uninstalled'> {
  return marking('uninstalled', options);
}

/**
 * Marks what runs when a shop's tokens can be renewed no more: the app has to be opened by somebody
 * of the shop. Runs once, also when it throws.
 */
export function OnReauthorizationNeeded(
  options?: LifecycleHandlerOptions,
): LifecycleDecorator<'needs_reauthorization'> {
  return marking('needs_reauthorization', options);
}

/** The marks on a method. */
export function lifecycleMarksOn(method: unknown): readonly LifecycleMark[] {
  return typeof method === 'function'
    ? ((Reflect.getMetadata(HANDLES, method) ?? []) as readonly LifecycleMark[])
    : [];
}

function marking<E extends LifecycleEvent>(
  event: E,
  options: LifecycleHandlerOptions = {},
): LifecycleDecorator<E> {
  const mark: LifecycleMark = { ...options, event };
  return (_target, _name, { value: method }) => {
    Reflect.defineMetadata(HANDLES, [mark, ...lifecycleMarksOn(method)], method as object);
  };
}
