/**
 * Tells that a bulk operation has ended, faster than asking the platform again and again. A port:
 * the platform's webhook is bound to it above.
 */
export abstract class BulkFinished {
  /**
   * Resolves when the operation has ended, whatever its outcome. May never resolve: whoever waits
   * also looks for himself now and then.
   * @param operationId the operation's global id
   * @throws the signal's reason when it is aborted first
   */
  abstract wait(shop: string, operationId: string, signal: AbortSignal): Promise<void>;
}
