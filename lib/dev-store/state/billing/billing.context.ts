import type { ShopContext } from '../shop/shop.context.js';
import type { AppCharge, AppSubscription } from './billing-charge.js';
import { chargePayload, nearCapPayload } from './billing-payload.js';

/** The part of a shop that its charges use. */
export interface BillingContext {
  readonly now: () => Date;
  /** The origin of the shop. */
  readonly origin: () => string;
  /** Notifies the app of the status of a charge, without waiting for it. */
  readonly notifyApp: (charge: AppCharge) => void;
  /**
   * Notifies the app that nearly all of a cap is used, without waiting for it. `balanceUsed` is
   * decimal text.
   */
  readonly announceNearCap: (subscription: AppSubscription, balanceUsed: string) => void;
  readonly note: (charge: AppCharge, text: string) => void;
}

/** @param origin of the shop, read each time: a shop has none before it listens */
export function billingContext(
  { identity, apps, now, log, dispatcher }: ShopContext,
  origin: () => string,
): BillingContext {
  const deliver = (topic: string, payload: object, { apiKey }: AppCharge): void => {
    void dispatcher.deliver(topic, payload, { apiKey });
  };
  return {
    now,
    origin,
    notifyApp: (charge) => {
      const subject = charge.kind === 'purchase' ? 'app_purchases_one_time' : 'app_subscriptions';
      deliver(`${subject}/update`, chargePayload(charge, identity.id), charge);
    },
    announceNearCap: (subscription, balanceUsed) =>
      deliver(
        'app_subscriptions/approaching_capped_amount',
        nearCapPayload(subscription, identity.id, balanceUsed),
        subscription,
      ),
    note: ({ apiKey, name }, text) =>
      log.add({ kind: 'billing', summary: `${name} of ${apps.require(apiKey).name}: ${text}` }),
  };
}
