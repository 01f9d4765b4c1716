import { sameText } from '../../base/signing.js';
import { globalId } from '../../base/vendor.js';
import type { Money } from './billing-money.js';
import type { PurchaseTerms, SubscriptionTerms } from './billing-terms.js';

/** How a charge stands; only subscriptions are ever cancelled or frozen. */
export type ChargeStatus =
  'PENDING' | 'ACCEPTED' | 'ACTIVE' | 'DECLINED' | 'EXPIRED' | 'CANCELLED' | 'FROZEN';

/** What every charge has. */
export interface ChargeRecord {
  /** The number in the `charge_id` of the return address. */
  readonly id: number;
  readonly apiKey: string;
  status: ChargeStatus;
  readonly createdAt: Date;
  updatedAt: Date;
  /** Proves that the visitor of the confirmation page was sent there. */
  readonly signature: string;
}

/** A subscription of a shop to an app, in any state. */
export interface AppSubscription extends ChargeRecord, Omit<SubscriptionTerms, 'pricing'> {
  readonly kind: 'subscription';
  /** In the order of the line items. */
  pricing: SubscriptionTerms['pricing'];
  activatedAt: Date | undefined;
  /** A cap the app has asked for, until the merchant decides. */
  raise: CapRaise | undefined;
}

/** A higher cap for a line item, which waits for the merchant. */
export interface CapRaise {
  readonly index: number;
  readonly cappedAmount: Money;
  readonly signature: string;
}

/** A one-time purchase of a shop, in any state. */
export interface AppPurchase extends ChargeRecord, PurchaseTerms {
  readonly kind: 'purchase';
}

/** Anything a shop is charged for by an app. */
export type AppCharge = AppSubscription | AppPurchase;

/** A charge by use. */
export interface UsageRecord {
  readonly id: number;
  readonly apiKey: string;
  readonly subscription: AppSubscription;
  /** Place of the line item in the subscription. */
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

/** Whether another subscription would take its place. */
export function isRunning({ status }: AppSubscription): boolean {
  return status === 'ACTIVE' || status === 'FROZEN';
}

/**
 * Where the browser goes from an approved charge: the app's return address, which names the charge.
 */
export function decoratedReturnUrl({ id, returnUrl }: AppCharge): string {
  const url = new URL(returnUrl);
  url.searchParams.set('charge_id', String(id));
  return url.href;
}

/**
 * What a merchant with the signature of a confirmation page is asked about; undefined when nothing
 * is.
 */
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
