/**
 * Finds the decorated methods in the modules of an app. Whatever one of them may matter for waits
 * until that is done: webhooks, hooks of the lifecycle, subscriptions.
 */
export abstract class HandlerDiscovery {
  /**
   * Resolves when all handlers are known; `undefined` when they already are.
   * @throws {BootError} when the modules could not be started
   */
  abstract done(): Promise<void> | undefined;
}
