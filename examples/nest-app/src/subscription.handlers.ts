import { Injectable } from '@nestjs/common';
import { Payload, WebhookContext, WebhookHandler } from 'shopwright';
import type { WebhookDelivery } from 'shopwright';

import { DeliveryLog } from './delivery.log.js';

interface SubscriptionPayload {
  readonly app_subscription: { readonly name: string; readonly status: string };
}

@Injectable()
export class SubscriptionHandlers {
  constructor(private readonly log: DeliveryLog) {}

  @WebhookHandler('APP_SUBSCRIPTIONS_UPDATE')
  onSubscription(
    @Payload() { app_subscription: { name, status } }: SubscriptionPayload,
    @WebhookContext() delivery: WebhookDelivery,
  ): void {
    const title = `${name} is ${status.toLowerCase()}`;
    this.log.add(delivery.shop, {
      topic: delivery.topic,
      title,
      receivedAt: new Date().toISOString(),
    });
  }
}
