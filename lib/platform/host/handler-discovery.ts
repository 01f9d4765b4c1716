/**
 * The search for decorated methods in the modules of an app. What one of them may matter for waits
 * until it has ended: webhooks, hooks of the lifecycle, subscriptions.
 */
export abstract class HandlerDiscovery {
  /**
   * Resolves when all handlers are known, and rejects with a `BootError` when the modules could not
   * be started; `undefined` when nothing is searched.
   */
  abstract readonly pending: Promise<void> | undefined;
}
