import { Injectable } from '@nestjs/common';
import { Payload, WebhookContext, WebhookHandler } from 'shopwright';
import type { WebhookDelivery } from 'shopwright';

import { DeliveryLog } from './delivery.log.js';

interface ProductPayload {
  readonly id: number;
  readonly title?: string;
}

@Injectable()
export class ProductHandlers {
  constructor(private readonly log: DeliveryLog) {}

  @WebhookHandler(['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE'])
  onProduct(@Payload() product: ProductPayload, @WebhookContext() delivery: WebhookDelivery): void {
    this.log.add(delivery.shop, {
      topic: delivery.topic,
      title: product.title ?? `Product ${product.id}`,
      receivedAt: new Date().toISOString(),
    });
  }
}
