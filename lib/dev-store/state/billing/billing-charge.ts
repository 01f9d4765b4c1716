import { sameText } from '../../base/signing.js';
import { globalId } from '../../base/vendor.js';
import type { Money } from './billing-money.js';
import {
  periodAt,
  type BillingPeriod,
  type PurchaseTerms,
  type SubscriptionTerms,
} from './billing-terms.js';

/** The status of a charge; only subscriptions are ever cancelled or frozen. */
export type ChargeStatus =
  'PENDING' | 'ACCEPTED' | 'ACTIVE' | 'DECLINED' | 'EXPIRED' | 'CANCELLED' | 'FROZEN';

/** The properties of every charge. */
export interface ChargeRecord {
  /** The number in the `charge_id` of the return address. */
  readonly id: number;
  readonly apiKey: string;
  status: ChargeStatus;
  readonly createdAt: Date;
  updatedAt: Date;
  /** Signature of the confirmation page. */
  readonly signature: string;
}

/** A subscription of a shop to an app, in any state. */
export interface AppSubscription extends ChargeRecord, Omit<SubscriptionTerms, 'pricing'> {
  readonly kind: 'subscription';
  /** In the order of the line items. */
  pricing: SubscriptionTerms['pricing'];
  activatedAt: Date | undefined;
  /** A cap the app has requested, until the merchant decides. */
  raise: CapRaise | undefined;
}

/** A pending higher cap for a line item. */
export interface CapRaise {
  readonly index: number;
  readonly cappedAmount: Money;
  readonly signature: string;
}

/** A one-time purchase of a shop, in any state. */
export interface AppPurchase extends ChargeRecord, PurchaseTerms {
  readonly kind: 'purchase';
}

/** A charge of an app. */
export type AppCharge = AppSubscription | AppPurchase;

/** A charge by usage. */
export interface UsageRecord {
  readonly id: number;
  readonly apiKey: string;
  readonly subscription: AppSubscription;
  /** Index of the line item in the subscription. */
  readonly index: number;
  readonly description: string;
  readonly price: Money;
  readonly idempotencyKey: string | null;
  readonly createdAt: Date;
}

/** The states a subscription can be cancelled in. */
export const CANCELLABLE: readonly ChargeStatus[] = ['PENDING', 'ACCEPTED', 'ACTIVE', 'FROZEN'];

export function isCancellable({ status }: AppSubscription): boolean {
  return CANCELLABLE.includes(status);
}

/** True when another subscription would replace it. */
export function isRunning({ status }: AppSubscription): boolean {
  return status === 'ACTIVE' || status === 'FROZEN';
}

/** The period a subscription is in at a time; undefined when it has never been active. */
export function periodOf(
  { activatedAt, trialDays, pricing }: AppSubscription,
  now: Date,
): BillingPeriod | undefined {
  return (
    activatedAt && periodAt(activatedAt, trialDays, pricing[0]?.interval ?? 'EVERY_30_DAYS', now)
  );
}

/** The return URL of an approved charge, with its `charge_id`. */
export function decoratedReturnUrl({ id, returnUrl }: AppCharge): string {
  const url = new URL(returnUrl);
  url.searchParams.set('charge_id', String(id));
  return url.href;
}

/** What a confirmation page with this signature asks for; undefined when nothing is pending. */
export function questionOf(charge: AppCharge, signature: string): 'charge' | 'raise' | undefined {
  if (sameText(signature, charge.signature)) return 'charge';
  return charge.kind === 'subscription' &&
    charge.raise &&
    sameText(signature, charge.raise.signature)
    ? 'raise'
    : undefined;
}

/** The platform's global id of a charge. */
export function chargeGlobalId({ kind, id }: AppCharge): string {
  return globalId(kind === 'subscription' ? 'AppSubscription' : 'AppPurchaseOneTime', id);
}
