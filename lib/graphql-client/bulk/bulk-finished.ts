/**
 * Reports that a bulk operation has ended, sooner than polling would. A port that the platform's
 * webhook is bound to.
 */
export abstract class BulkFinished {
  /**
   * Resolves when the operation has ended, whatever its outcome. May never resolve: callers also
   * poll.
   * @param operationId the operation's global id
   * @throws the signal's reason when it is aborted first
   */
  abstract wait(shop: string, operationId: string, signal: AbortSignal): Promise<void>;
}
