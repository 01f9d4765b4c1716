import { BillingInterval } from 'shopwright';
import type { BillingSettings } from 'shopwright';

/** What the app costs. Outside of production charges are test charges, which nobody has to pay. */
export const plans = {
  isTest: process.env['NODE_ENV'] !== 'production',
  Pro: { amount: 20, currencyCode: 'USD', interval: BillingInterval.Every30Days, trialDays: 7 },
} satisfies BillingSettings;

declare module 'shopwright' {
  interface Register {
    plans: typeof plans; // no other name of a plan compiles
  }
}
