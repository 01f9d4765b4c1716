import { periodOf, type AppSubscription, type UsageRecord } from './billing-charge.js';
import type { BillingContext } from './billing.context.js';
import { amountText, unitsOf } from './billing-money.js';
import type { UsagePricing } from './billing-terms.js';

/** The percentage of a cap at which the app is notified that it is nearly used up. */
const NEAR_CAP = 90n;

/** The usage that the apps of one shop charge for. */
export class BillingUsage {
  private readonly kept: UsageRecord[] = [];

  /** @param nextId issues the ids of the records */
  constructor(
    private readonly context: BillingContext,
    private readonly nextId: () => number,
  ) {}

  /** Every record, oldest first. */
  get records(): readonly UsageRecord[] {
    return this.kept;
  }

  /**
   * Charges for usage; with a key that was used before, returns the old record. Undefined when the
   * cap would be exceeded.
   */
  record(
    subscription: AppSubscription,
    index: number,
    {
      description,
      price,
      idempotencyKey,
    }: Pick<UsageRecord, 'description' | 'price' | 'idempotencyKey'>,
  ): UsageRecord | undefined {
    const { apiKey } = subscription;
    const known = this.kept.find(
      (record) => record.apiKey === apiKey && record.idempotencyKey === idempotencyKey,
    );
    if (known && idempotencyKey !== null) return known;
    const { cappedAmount } = subscription.pricing[index] as UsagePricing;
    const cap = unitsOf(cappedAmount.amount);
    const before = this.unitsUsed(subscription, index);
    const after = before + unitsOf(price.amount);
    if (after > cap) return undefined;
    const createdAt = this.context.now();
    const record: UsageRecord = {
      id: this.nextId(),
      apiKey,
      subscription,
      index,
      description,
      price,
      idempotencyKey,
      createdAt,
    };
    this.kept.push(record);
    this.context.note(
      subscription,
      `is charged ${price.amount} ${price.currencyCode}: ${description}`,
    );
    const near = (used: bigint): boolean => used * 100n >= cap * NEAR_CAP;
    if (near(after) && !near(before))
      this.context.announceNearCap(subscription, this.balance(subscription, index));
    return record;
  }

  /** The usage of a line item in the current period, as text. */
  balance(subscription: AppSubscription, index: number): string {
    return amountText(this.unitsUsed(subscription, index));
  }

  private unitsUsed(subscription: AppSubscription, index: number): bigint {
    const from = periodOf(subscription, this.context.now())?.start;
    const counting = this.kept.filter(
      (record) => record.subscription === subscription && record.index === index,
    );
    return counting.reduce(
      (sum, { price, createdAt }) => (from && createdAt < from ? sum : sum + unitsOf(price.amount)),
      0n,
    );
  }
}
