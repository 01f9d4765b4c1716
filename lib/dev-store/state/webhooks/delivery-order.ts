/** Deliveries that wait until a later one has been made to the same app. */
export class DeliveryOrder {
  private readonly waiting = new Map<() => void, string>();

  /** How many wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** Resolves with the next `release` of the app. */
  overtaken(apiKey: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(resolve, apiKey));
  }

  /** Lets the deliveries of an app go; without an app, all. */
  release(apiKey?: string): void {
    for (const [resolve, of] of this.waiting) {
      if (apiKey !== undefined && of !== apiKey) continue;
      this.waiting.delete(resolve);
      resolve();
    }
  }
}
