import type { AppCharge, AppPurchase, AppSubscription, UsageRecord } from './billing-charge.js';
import type { PurchaseTerms, SubscriptionTerms } from './billing-terms.js';

/** The charges of one shop's apps, and what its merchant does with them. No money moves. */
export interface ShopBilling {
  /**
   * Whether an approved charge is active at once, or `ACCEPTED` until `activate`, as when the
   * platform is slow.
   * @default 'immediate'
   */
  activation: 'immediate' | 'manual';
  /** Every charge in any state, oldest first. */
  readonly charges: readonly AppCharge[];
  /** Every usage record, oldest first. */
  readonly usageRecords: readonly UsageRecord[];
  /** The subscriptions to an app in any state, oldest first. */
  subscriptionsOf(apiKey: string): AppSubscription[];
  /** The one-time purchases of an app in any state, oldest first. */
  purchasesOf(apiKey: string): AppPurchase[];
  /** A pending subscription, as an app requests it. */
  subscribe(apiKey: string, terms: SubscriptionTerms): AppSubscription;
  /** A pending purchase, as an app requests it. */
  purchase(apiKey: string, terms: PurchaseTerms): AppPurchase;
  /** A charge by its number or global id. */
  find(id: string | number): AppCharge | undefined;
  /**
   * The page on which the merchant decides about a charge, or about a higher cap. @throws TypeError
   * when there is no such charge
   */
  confirmationUrl(id: string | number): string;
  /**
   * Approves what is pending: a charge, which replaces the previous subscription, or a higher cap.
   * @returns where the browser goes
   * @throws TypeError when nothing is pending
   */
  approve(id: string | number): string;
  /** Declines what is pending. @throws TypeError when nothing is pending */
  decline(id: string | number): void;
  /** Activates an approved charge. @throws TypeError unless it is approved and not active yet */
  activate(id: string | number): void;
  /** Ends a subscription. @throws TypeError when there is none, or it is over */
  cancel(id: string | number): void;
  /**
   * Freezes an active subscription, as when the merchant does not pay. @throws TypeError unless it
   * is active
   */
  freeze(id: string | number): void;
  /** Unfreezes a subscription. @throws TypeError unless it is frozen */
  unfreeze(id: string | number): void;
  /**
   * Expires a pending charge before its two days are over.
   * @throws TypeError unless it is pending
   */
  expire(id: string | number): void;
}
