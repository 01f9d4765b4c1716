import type { BillingSurroundings } from './billing.charges.js';
import { chargePayload, nearCapPayload } from '../../endpoints/billing/billing.views.js';
import type { DevShop } from '../../dev-shop.js';
import type { Platform } from '../shop.options.js';

/** What the charges of a shop need from it: the apps are told without being waited for. */
export function billingSurroundings(shop: DevShop, { apps, now }: Pick<Platform, 'apps' | 'now'>): BillingSurroundings {
  return {
    now,
    origin: () => shop.origin,
    announce: (charge, event) => {
      const subject = charge.kind === 'purchase' ? 'app_purchases_one_time' : 'app_subscriptions';
      const isNearCap = event === 'approaching_capped_amount' && charge.kind === 'subscription';
      const payload = isNearCap ? nearCapPayload(shop, charge) : chargePayload(shop, charge);
      void shop.deliver(`${subject}/${event}`, payload, { apiKey: charge.apiKey });
    },
    note: ({ apiKey, name }, text) => shop.log.add({ kind: 'billing', summary: `${name} of ${apps.require(apiKey).name}: ${text}` }),
  };
}
