import { randomBytes } from 'node:crypto';
import {
  CANCELLABLE,
  decoratedReturnUrl,
  isCancellable,
  isRunning,
  periodOf,
  type AppCharge,
  type AppPurchase,
  type AppSubscription,
  type CapRaise,
  type ChargeRecord,
  type ChargeStatus,
  type UsageRecord,
} from './billing-charge.js';
import type { BillingContext } from './billing.context.js';
import type { Money } from './billing-money.js';
import type { BillingPeriod, PurchaseTerms, SubscriptionTerms } from './billing-terms.js';
import { BillingUsage } from './billing-usage.js';
import type { ShopBilling } from './shop-billing.js';

/** How long a charge waits for the merchant before it expires. In milliseconds. */
const PENDING_LIFETIME = 2 * 86_400_000;

/** The charges of one shop's apps. No money moves. */
export class BillingCharges implements ShopBilling {
  activation: 'immediate' | 'manual' = 'immediate';
  private readonly kept = new Map<number, AppCharge>();
  /** The usage of subscriptions. */
  readonly usage: BillingUsage;

  /** @param lastId the id before the first one issued; usage records use the same sequence */
  constructor(
    private readonly context: BillingContext,
    private lastId: number,
  ) {
    this.usage = new BillingUsage(context, () => ++this.lastId);
  }

  get charges(): readonly AppCharge[] {
    this.expireOverdue();
    return [...this.kept.values()];
  }

  get usageRecords(): readonly UsageRecord[] {
    return this.usage.records;
  }

  subscriptionsOf(apiKey: string): AppSubscription[] {
    return this.charges
      .filter((charge) => charge.kind === 'subscription')
      .filter((charge) => charge.apiKey === apiKey);
  }

  purchasesOf(apiKey: string): AppPurchase[] {
    return this.charges
      .filter((charge) => charge.kind === 'purchase')
      .filter((charge) => charge.apiKey === apiKey);
  }

  find(id: string | number): AppCharge | undefined {
    this.expireOverdue();
    return this.kept.get(Number(/(?<!\d)\d+$/.exec(String(id))?.[0] ?? NaN));
  }

  confirmationUrl(id: string | number): string {
    const charge = this.require(id);
    const { signature } = (charge.kind === 'subscription' && charge.raise) || charge;
    return `${this.context.origin()}/admin/charges/${charge.id}/confirm?signature=${signature}`;
  }

  approve(id: string | number): string {
    const charge = this.require(id);
    if (charge.kind === 'subscription' && charge.raise) this.raiseCap(charge, charge.raise);
    else {
      this.move(charge, ['PENDING'], 'ACCEPTED');
      if (this.activation === 'immediate') this.activate(id);
      else this.notify(charge);
    }
    return decoratedReturnUrl(charge);
  }

  decline(id: string | number): void {
    const charge = this.require(id);
    if (charge.kind === 'subscription' && charge.raise) {
      charge.raise = undefined;
      this.context.note(charge, 'keeps its cap');
    } else this.notify(this.move(charge, ['PENDING'], 'DECLINED'));
  }

  activate(id: string | number): void {
    const charge = this.require(id);
    const before = this.subscriptionsOf(charge.apiKey).filter(isRunning);
    this.move(charge, ['ACCEPTED'], 'ACTIVE');
    if (charge.kind === 'subscription') {
      charge.activatedAt = this.context.now();
      for (const replaced of before) this.cancel(replaced.id);
    }
    this.notify(charge);
  }

  cancel(id: string | number): void {
    const charge = this.requireSubscription(id);
    this.notify(this.move(charge, CANCELLABLE, 'CANCELLED'));
    charge.raise = undefined;
  }

  freeze(id: string | number): void {
    this.notify(this.move(this.requireSubscription(id), ['ACTIVE'], 'FROZEN'));
  }

  unfreeze(id: string | number): void {
    this.notify(this.move(this.requireSubscription(id), ['FROZEN'], 'ACTIVE'));
  }

  expire(id: string | number): void {
    this.notify(this.move(this.require(id), ['PENDING'], 'EXPIRED'));
  }

  subscribe(apiKey: string, terms: SubscriptionTerms): AppSubscription {
    return this.keep({
      ...terms,
      ...this.newRecord(apiKey),
      kind: 'subscription',
      activatedAt: undefined,
      raise: undefined,
    });
  }

  purchase(apiKey: string, terms: PurchaseTerms): AppPurchase {
    return this.keep({ ...terms, ...this.newRecord(apiKey), kind: 'purchase' });
  }

  /** Requests another cap; it replaces one that is pending. */
  requestCap(subscription: AppSubscription, index: number, cappedAmount: Money): void {
    subscription.raise = { index, cappedAmount, signature: newSignature() };
    this.context.note(
      subscription,
      `is to be capped at ${cappedAmount.amount} ${cappedAmount.currencyCode}`,
    );
  }

  /** The period a subscription is in; undefined when it has never been active. */
  period(subscription: AppSubscription): BillingPeriod | undefined {
    return periodOf(subscription, this.context.now());
  }

  /** Ends all charges of an app that is uninstalled. */
  end(apiKey: string): void {
    for (const subscription of this.subscriptionsOf(apiKey))
      if (isCancellable(subscription)) this.cancel(subscription.id);
    for (const purchase of this.purchasesOf(apiKey))
      if (purchase.status === 'PENDING') this.expire(purchase.id);
  }

  private raiseCap(subscription: AppSubscription, { index, cappedAmount }: CapRaise): void {
    subscription.pricing = subscription.pricing.map((one, at) =>
      at === index && one.kind === 'usage' ? { ...one, cappedAmount } : one,
    );
    subscription.raise = undefined;
    subscription.updatedAt = this.context.now();
    this.context.note(
      subscription,
      `is capped at ${cappedAmount.amount} ${cappedAmount.currencyCode}`,
    );
    this.context.notifyApp(subscription);
  }

  private expireOverdue(): void {
    const latest = this.context.now().getTime() - PENDING_LIFETIME;
    for (const charge of this.kept.values()) {
      if (charge.status === 'PENDING' && charge.createdAt.getTime() <= latest)
        this.notify(this.move(charge, ['PENDING'], 'EXPIRED'));
    }
  }

  private move(charge: AppCharge, from: readonly ChargeStatus[], to: ChargeStatus): AppCharge {
    if (!from.includes(charge.status))
      throw new TypeError(`The charge ${charge.id} is ${charge.status}: it cannot become ${to}.`);
    charge.status = to;
    charge.updatedAt = this.context.now();
    return charge;
  }

  private notify(charge: AppCharge): void {
    this.context.note(charge, charge.status.toLowerCase());
    this.context.notifyApp(charge);
  }

  private require(id: string | number): AppCharge {
    const charge = this.find(id);
    if (!charge) throw new TypeError(`The shop has no charge ${id}.`);
    return charge;
  }

  private requireSubscription(id: string | number): AppSubscription {
    const charge = this.require(id);
    if (charge.kind === 'subscription') return charge;
    throw new TypeError(`The charge ${charge.id} is no subscription.`);
  }

  private newRecord(apiKey: string): ChargeRecord {
    const createdAt = this.context.now();
    return {
      id: ++this.lastId,
      apiKey,
      status: 'PENDING',
      createdAt,
      updatedAt: createdAt,
      signature: newSignature(),
    };
  }

  private keep<C extends AppCharge>(charge: C): C {
    this.kept.set(charge.id, charge);
    this.context.note(charge, 'waits for the merchant');
    return charge;
  }
}

function newSignature(): string {
  return randomBytes(16).toString('hex');
}
