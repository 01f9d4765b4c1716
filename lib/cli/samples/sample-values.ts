import { GLOBAL_ID } from '../../core/vendor.js';
import type { MoneySetPayload } from '../../webhooks/payloads/order-payload.js';

/** When everything in a sample was created. */
export const CREATED = '2026-10-01T09:30:00-04:00';
/** When everything in a sample was changed. */
export const UPDATED = '2026-10-02T16:45:00-04:00';
/** The currency of the samples. */
export const CURRENCY = 'USD';

/** The id of an object in the GraphQL API. */
export function globalId(type: string, id: number | string): string {
  return `${GLOBAL_ID}${type}/${id}`;
}

/** An amount, for a shop and a customer of the same currency. */
export function money(amount: string): MoneySetPayload {
  const value = { amount, currency_code: CURRENCY };
  return { shop_money: value, presentment_money: value };
}
