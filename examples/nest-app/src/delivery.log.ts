import { Injectable } from '@nestjs/common';

export interface LoggedDelivery {
  readonly topic: string;
  readonly title: string;
  readonly receivedAt: string;
}

/** The last webhooks of each shop, newest first. A real app would keep them in its database. */
@Injectable()
export class DeliveryLog {
  private readonly byShop = new Map<string, LoggedDelivery[]>();

  add(shop: string, delivery: LoggedDelivery): void {
    this.byShop.set(shop, [delivery, ...this.of(shop)].slice(0, 20));
  }

  of(shop: string): readonly LoggedDelivery[] {
    return this.byShop.get(shop) ?? [];
  }
}
