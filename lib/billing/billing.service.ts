import { CANCEL, RECORD_USAGE } from './billing-documents.js';
import type { PlanName, Price } from './billing-plans.js';
import { isMeant, isRunning } from './billing-state.js';
import type {
  AppSubscription,
  BillingCheck,
  BillingState,
  Charge,
  SubscriptionLineItem,
  UsagePricing,
  UsageRecord,
} from './billing-state.js';
import type { BillingCall, BillingClient } from './billing.client.js';
import { BillingError, PlanRequiredError } from './billing.errors.js';
import { priceOf } from './charge-requests.js';
import type {
  BillingRequest,
  BillingRequestParams,
  ChargeRequests,
  UsageCapParams,
  UsageCapRequest,
} from './charge-requests.js';
import type { PaymentCheck } from './payment-check.js';
import type { PlanCatalog } from './plan-catalog.js';

/** The platform's limit for the characters of an idempotency key. */
const MAX_KEY_LENGTH = 255;

/** Which payments to look for. */
export interface BillingCheckParams extends BillingCall {
  /** Any of them is enough. @default any plan */
  readonly plans?: PlanName | readonly PlanName[] | undefined;
  /**
   * Test charges count, too. @default the app's `billing.isTest`; without it, test charges count
   * where there is no real one, with a warning
   */
  readonly isTest?: boolean | undefined;
  /** Returns what was found instead of whether anything was. @default false */
  readonly returnObject?: boolean | undefined;
}

/** Which subscription ends, and how. */
export interface BillingCancelParams extends BillingCall {
  readonly subscriptionId: string;
  /** Credits the unused part of the interval. @default true */
  readonly prorate?: boolean | undefined;
  /** Accepted for compatibility; the subscription determines it. */
  readonly isTest?: boolean | undefined;
}

/** What a shop is charged for its use of the app. */
export interface UsageRecordParams extends BillingCall {
  /** What was used, as the merchant reads it. */
  readonly description: string;
  readonly price: Price;
  /** @default the usage line item of the shop's active subscription, which costs a query */
  readonly subscriptionLineItemId?: string | undefined;
  /**
   * Records with the same key are charged once, however often they are sent. 1 to 255 characters.
   * @default none
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * When the line item is looked for: test subscriptions count, too, after real ones. @default the
   * app's `billing.isTest`, else true
   */
  readonly isTest?: boolean | undefined;
}

/**
 * What shops pay for the app. Rejects with a {@link BillingError} when the platform reports an
 * error.
 */
export class BillingService {
  constructor(
    private readonly client: BillingClient,
    private readonly requests: ChargeRequests,
    /** @internal */
    readonly plans: PlanCatalog,
    private readonly payments: PaymentCheck,
  ) {}

  /**
   * Reads from the platform whether the shop pays for one of the plans.
   * @see https://shopify.dev/docs/apps/launch/billing
   */
  async check(params: BillingCheckParams & { readonly returnObject: true }): Promise<BillingCheck>;
  async check(
    params: BillingCheckParams & { readonly returnObject?: false | undefined },
  ): Promise<boolean>;
  async check(params: BillingCheckParams): Promise<boolean | BillingCheck>;
  async check(params: BillingCheckParams): Promise<boolean | BillingCheck> {
    const found = this.checked(await this.state(params), params);
    return params.returnObject === true ? found : found.hasActivePayment;
  }

  /**
   * Returns what the shop pays for the plans.
   * @throws {PlanRequiredError} when it pays for none of them
   */
  async require(params: Omit<BillingCheckParams, 'returnObject'>): Promise<BillingCheck> {
    const found = await this.check({ ...params, returnObject: true });
    if (!found.hasActivePayment)
      throw new PlanRequiredError(params.session.shop, [params.plans ?? []].flat());
    return found;
  }

  /** The shop's active subscriptions, whatever their plan. */
  async subscriptions(
    call: BillingCall,
  ): Promise<{ readonly activeSubscriptions: AppSubscription[] }> {
    const { activeSubscriptions } = await this.state(call);
    return { activeSubscriptions: [...activeSubscriptions] };
  }

  /** Reads from the platform everything the shop pays, has paid or was asked to pay. */
  state(call: BillingCall): Promise<BillingState> {
    return this.client.state(call);
  }

  /**
   * The same within a minute after it was read, unless a webhook or this process has changed it
   * since; `undefined` when it is not known.
   */
  cachedState(shop: string): Promise<BillingState | undefined> {
    return this.client.cachedState(shop);
  }

  /**
   * Asks the shop to pay for a plan. Nothing is charged before the merchant approves at
   * `confirmationUrl`. While a request of this process for the same plan without overrides is open,
   * that request is returned.
   * @param charges of the shop, if they have just been read: saves a query
   * @throws {BillingError} when there is no such plan, or an override does not fit it
   */
  async request(
    params: BillingRequestParams & { readonly returnObject: false },
    charges?: readonly Charge[],
  ): Promise<string>;
  async request(
    params: BillingRequestParams & { readonly returnObject?: true | undefined },
    charges?: readonly Charge[],
  ): Promise<BillingRequest>;
  async request(
    params: BillingRequestParams,
    charges?: readonly Charge[],
  ): Promise<string | BillingRequest>;
  async request(
    params: BillingRequestParams,
    charges: readonly Charge[] = [],
  ): Promise<string | BillingRequest> {
    const requested = await this.requests.request(params, charges);
    return params.returnObject === false ? requested.confirmationUrl : requested;
  }

  /** Ends a subscription at once. */
  async cancel({
    subscriptionId,
    prorate = true,
    ...call
  }: BillingCancelParams): Promise<AppSubscription> {
    const { appSubscription } = await this.client.change<{
      readonly appSubscription: AppSubscription;
    }>(call, {
      action: 'canceling a subscription',
      document: CANCEL,
      variables: { id: subscriptionId, prorate },
    });
    return appSubscription;
  }

  /**
   * Charges for usage. With an idempotency key it is sent again when its outcome is unknown;
   * without one, that is left to the caller.
   * @throws {BillingError} also when the cap is reached, or no subscription has a usage price
   */
  async createUsageRecord(params: UsageRecordParams): Promise<UsageRecord> {
    const { subscriptionLineItemId, description, price, isTest: _, ...call } = params;
    const idempotencyKey = checkedKey(params.idempotencyKey);
    const lineItem = subscriptionLineItemId ?? (await this.#usageLineItem(params)).id;
    const variables = {
      subscriptionLineItemId: lineItem,
      description,
      price: priceOf(price),
      idempotencyKey,
    };
    const { appUsageRecord } = await this.client.recordUsage<{
      readonly appUsageRecord: UsageRecord;
    }>(
      call,
      { action: 'creating a usage record', document: RECORD_USAGE, variables },
      idempotencyKey !== undefined,
    );
    return appUsageRecord;
  }

  /**
   * Asks the shop to allow more usage. The old cap applies until the merchant approves at
   * `confirmationUrl`.
   */
  updateUsageCappedAmount(params: UsageCapParams): Promise<UsageCapRequest> {
    return this.requests.raiseCap(params);
  }

  /** The payments in a state that count. */
  checked(state: BillingState, { session, plans, isTest }: BillingCheckParams): BillingCheck {
    return this.payments.of(state, session.shop, { plans, isTest });
  }

  async #usageLineItem(params: UsageRecordParams): Promise<SubscriptionLineItem> {
    const { activeSubscriptions } = await this.state(params);
    const active = activeSubscriptions.filter(isRunning);
    const isTest = params.isTest ?? this.plans.isTest ?? true;
    const counting = active.filter((subscription) => isMeant(subscription, { isTest }));
    // A real subscription is charged before one that costs nothing.
    const inOrder = [...counting].sort((one, other) => Number(one.test) - Number(other.test));
    const lineItem = inOrder
      // The tests of apps answer without them.
      .flatMap(({ lineItems }) => lineItems ?? [])
      .find(({ plan }) => isUsage(plan.pricingDetails));
    if (lineItem) return lineItem;
    const onlyTests =
      active.length > 0 && counting.length === 0
        ? ' There are test subscriptions: pass isTest to use them.'
        : '';
    throw new BillingError(
      `No active ${counting.length > 0 ? 'usage subscription' : 'subscriptions'} found.${onlyTests}`,
    );
  }
}

/**
 * A key from a database may be null, which means none. An empty key would drop all records but the
 * first.
 */
function checkedKey(key: string | null | undefined): string | undefined {
  if (key === undefined || key === null) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY_LENGTH) return key;
  throw new BillingError(`An idempotency key is a text of 1 to ${MAX_KEY_LENGTH} characters.`);
}

/** The platform's response names no type: only usage has a balance. */
function isUsage(pricing: object): pricing is UsagePricing {
  return 'balanceUsed' in pricing;
}
