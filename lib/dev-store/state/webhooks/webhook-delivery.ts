/**
 * One delivery of one event to one subscription. The object is live: it changes as attempts are
 * made.
 */
export interface WebhookDelivery {
  readonly webhookId: string;
  readonly apiKey: string;
  /** Header spelling, e.g. `products/create`. */
  readonly topic: string;
  readonly url: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** HTTP status of the last attempt that got a response. */
  status?: number;
  /** Why the last attempt got no response. */
  error?: string;
}
