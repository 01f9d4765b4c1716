/** A delivery that was accepted, and given up after its last attempt. */
export interface DeadLetter {
  /** Identifies it in the queue. */
  readonly id: string;
  /** As a constant: `PRODUCTS_CREATE`. */
  readonly topic: string;
  readonly shop: string;
  /** Identifies the delivery: the same in every attempt of the platform. */
  readonly webhookId: string;
  /** When the delivery was accepted. */
  readonly receivedAt: Date;
  /** When it was given up. */
  readonly failedAt: Date;
  /** How often it was begun, in processes that ended meanwhile, too. */
  readonly attempts: number;
  /** Names of the handlers that failed last; `undefined` when it came to none. */
  readonly handlers?: readonly string[] | undefined;
  /** For people: what failed last. Contains nothing of the body. */
  readonly reason: string;
}

/** Which dead letters are meant; what is left out matches all. */
export interface DeadLetterFilter {
  /** In any spelling: `products/create` or `PRODUCTS_CREATE`. */
  readonly topic?: string | undefined;
  readonly shop?: string | undefined;
  /** Among those that failed last. */
  readonly handler?: string | undefined;
  /** Given up at that moment or later. */
  readonly since?: Date | undefined;
  /** Given up before that moment. */
  readonly before?: Date | undefined;
}

/** The dead letters of an app. A port: a queue that keeps some implements it. */
export abstract class DeadLetters {
  /**
   * The dead letters that match, those given up last first.
   * @param limit at most so many. @default 100
   * @throws {WebhookQueueError} when the queue cannot be reached
   */
  abstract list(filter?: DeadLetterFilter & { readonly limit?: number }): Promise<DeadLetter[]>;
  /**
   * Has a dead letter handled again, with all its attempts: the handlers that have not succeeded
   * yet.
   * @returns false when there is none with that id, or it is being handled again already
   * @throws {WebhookQueueError} when the queue cannot be reached
   */
  abstract replay(id: string): Promise<boolean>;
  /**
   * As {@link replay}, for all that match.
   * @returns how many
   * @throws {WebhookQueueError} when the queue cannot be reached
   */
  abstract replayAll(filter?: DeadLetterFilter): Promise<number>;
}

class NoDeadLetters extends DeadLetters {
  async list(): Promise<DeadLetter[]> {
    return [];
  }

  async replay(): Promise<boolean> {
    return false;
  }

  async replayAll(): Promise<number> {
    return 0;
  }
}

/** Of a queue that keeps none: the platform delivers again what failed. */
export const NO_DEAD_LETTERS: DeadLetters = /* @__PURE__ */ new NoDeadLetters();
