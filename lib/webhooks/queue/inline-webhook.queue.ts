import type { VerifiedDelivery } from '../deliveries/webhook.verifier.js';
import type { WebhookProcessor } from '../deliveries/webhook.processor.js';
import { WebhookQueue } from './webhook.queue.js';
import type { DeliveryOutcome } from './webhook.queue.js';

/** Processes each delivery at once, in this process, while the platform waits for the response. */
export class InlineWebhookQueue extends WebhookQueue {
  constructor(private readonly processor: WebhookProcessor) {
    super();
  }

  enqueue(delivery: VerifiedDelivery): Promise<DeliveryOutcome> {
    return this.processor.process(delivery);
  }
}
