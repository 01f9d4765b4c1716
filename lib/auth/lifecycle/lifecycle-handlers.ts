import { freeName } from '../../core/free-name.js';
import type { LifecycleEvent } from '../../sessions/coordination/installation.store.js';
import { HOOKS } from '../auth.options.js';
import type { AuthHooks } from '../auth.options.js';
import type { LifecycleContexts } from './lifecycle-contexts.js';
import { HookFailedError } from './lifecycle.errors.js';

/** What the app does on an event. */
export interface LifecycleHandler<E extends LifecycleEvent = LifecycleEvent> {
  /**
   * For logs and errors, such as `Shops.onInstalled`; equal names of an event are told apart by
   * number.
   */
  readonly name: string;
  run(context: LifecycleContexts[E]): unknown;
}

/**
 * Keeps what an app does at the turning points of its installations: first what its `hooks` say,
 * then what its decorators mark.
 */
export class LifecycleHandlers {
  readonly #handlers = new Map<LifecycleEvent, LifecycleHandler[]>();

  constructor(hooks: AuthHooks = {}) {
    for (const [name, event] of HOOKS) {
      const hook = hooks[name] as ((context: unknown) => unknown) | undefined;
      if (hook) this.add(event, { name: `hooks.${name}`, run: (context) => hook(context) });
    }
  }

  add<E extends LifecycleEvent>(event: E, handler: LifecycleHandler<E>): void {
    const handlers = this.#of(event);
    const run = (context: unknown): unknown => handler.run(context as LifecycleContexts[E]);
    this.#handlers.set(event, [...handlers, { name: freeName(handler.name, handlers), run }]);
  }

  /**
   * Runs the handlers of the event one after the other; the first that fails ends it.
   * @param done names of handlers that are skipped; those that succeed are added
   * @returns the first web `Response` that a handler threw: an answer, not a failure
   * @throws {HookFailedError} naming the one that failed
   */
  async run<E extends LifecycleEvent>(
    event: E,
    context: LifecycleContexts[E],
    done: Set<string> = new Set(),
  ): Promise<Response | undefined> {
    let answer: Response | undefined;
    for (const handler of this.#of(event)) {
      if (done.has(handler.name)) continue;
      try {
        await handler.run(context);
      } catch (cause) {
        if (!(cause instanceof Response))
          throw new HookFailedError(handler.name, event, context.shop, { cause });
        answer ??= cause;
      }
      done.add(handler.name);
    }
    return answer;
  }

  #of(event: LifecycleEvent): readonly LifecycleHandler[] {
    return this.#handlers.get(event) ?? [];
  }
}
