/** How many deliveries a durable queue holds, by what becomes of them next. */
export interface QueueDepth {
  /** To be handled as soon as a process is free. */
  readonly waiting: number;
  /** To be handled again later. */
  readonly delayed: number;
  /** Being handled. */
  readonly active: number;
  /** Given up: dead letters. */
  readonly dead: number;
}

/** What is known of a delivery that arrived not long ago. */
export interface RecentDelivery {
  /** As a constant; `undefined` where the app keeps no queue, and so no topics. */
  readonly topic?: string | undefined;
  readonly shop: string;
  readonly webhookId: string;
  /** `open` waits, is handled, or is to be repeated. */
  readonly state: 'open' | 'handled' | 'dead';
  /** When its state was last changed. */
  readonly changedAt: Date;
}
