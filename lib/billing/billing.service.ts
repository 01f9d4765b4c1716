import type { PlatformConfig } from '../core/config/platform-config.js';
import type { PlatformLogger } from '../core/logger.js';
import { legacyUrlToShopAdminUrl, sanitizeShop } from '../core/shop-domain.js';
import type { AdminGraphqlClient } from '../graphql-client/admin-graphql.client.js';
import { BillingApi } from './billing.api.js';
import type { BillingCall } from './billing.api.js';
import { CANCEL, PURCHASE, RAISE_CAP, RECORD_USAGE, SUBSCRIBE } from './billing-documents.js';
import { BillingError, PlanRequiredError } from './billing.errors.js';
import { BillingInterval } from './billing-plans.js';
import type {
  BillingCancelParams,
  BillingCheckParams,
  BillingRequest,
  BillingRequestParams,
  UsageCapParams,
  UsageCapRequest,
  UsageRecordParams,
} from './billing-params.js';
import type { OneTimePlan, PlanDefinition, PlanLineItem, Price } from './billing-plans.js';
import { checkOf, isMeant } from './billing-state.js';
import type {
  AppSubscription,
  BillingCheck,
  BillingState,
  Charge,
  OneTimePurchase,
  SubscriptionLineItem,
  UsagePricing,
  UsageRecord,
} from './billing-state.js';
import type { BillingStateCache } from './billing-state-cache.js';
import { OpenConfirmations } from './open-confirmations.js';
import type { PlanCatalog } from './plan-catalog.js';
import { overridden } from './plan-overrides.js';

/** Characters of an idempotency key, as the platform has it. */
const LONGEST_KEY = 255;

interface Requested {
  readonly confirmationUrl: string | null;
  readonly appSubscription?: AppSubscription | null;
  readonly appPurchaseOneTime?: OneTimePurchase | null;
}

/**
 * What shops pay for the app. Every call rejects with a {@link BillingError} when the platform
 * refuses it.
 */
export class BillingService {
  readonly #api: BillingApi;
  readonly #confirmations = new OpenConfirmations();

  constructor(
    private readonly config: PlatformConfig,
    graphql: AdminGraphqlClient,
    readonly plans: PlanCatalog,
    private readonly cache: BillingStateCache,
    private readonly logger: PlatformLogger,
  ) {
    this.#api = new BillingApi(graphql);
  }

  /**
   * Asks the platform whether the shop pays for one of the plans.
   * @see https://shopify.dev/docs/apps/launch/billing
   */
  async check(params: BillingCheckParams & { readonly returnObject: true }): Promise<BillingCheck>;
  async check(
    params: BillingCheckParams & { readonly returnObject?: false | undefined },
  ): Promise<boolean>;
  async check(params: BillingCheckParams): Promise<boolean | BillingCheck>;
  async check(params: BillingCheckParams): Promise<boolean | BillingCheck> {
    const found = checkOf(await this.state(params), this.filter(params));
    return params.returnObject === true ? found : found.hasActivePayment;
  }

  /**
   * What the shop pays for the plans, for code that must not run without.
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
  ): Promise<{ readonly activeSubscriptions: readonly AppSubscription[] }> {
    const { activeSubscriptions } = await this.state(call);
    return { activeSubscriptions };
  }

  /** Everything the shop pays, as the platform says now. */
  state(call: BillingCall): Promise<BillingState> {
    return this.cache.refresh(sanitizeShop(call.session.shop, true), () =>
      this.#api.readState(call),
    );
  }

  /**
   * The same as it was within the last minute, unless the platform or this process has heard of a
   * change since; `undefined` when it is not known.
   */
  async rememberedState(shop: string): Promise<BillingState | undefined> {
    // Another call may have failed to read it, with another token.
    return this.cache.get(sanitizeShop(shop, true))?.catch(() => undefined);
  }

  /**
   * Asks the shop to pay for a plan. Nothing is charged before the merchant approves at
   * `confirmationUrl`. As long as this process has asked for the same without overrides and the
   * merchant has not decided, the answer is that charge, not another.
   * @param charges of the shop, if they have just been read: spares a query
   * @throws {BillingError} when there is no such plan, or what overrides it does not fit
   */
  async request(
    params: BillingRequestParams,
    charges: readonly Charge[] = [],
  ): Promise<BillingRequest> {
    const {
      session,
      sessionToken,
      plan: name,
      isTest = this.plans.isTest,
      returnUrl,
      returnObject: _,
      ...overrides
    } = params;
    const call: BillingCall = { session, sessionToken };
    const plan = overridden(name, this.plans.get(name), overrides);
    const common = { name, test: isTest, returnUrl: this.#returnUrl(session.shop, returnUrl) };
    const ask = (): Promise<BillingRequest> => this.#ask(call, common, plan);
    if (Object.values(overrides).some((value) => value !== undefined)) return ask();
    const key = JSON.stringify([sanitizeShop(session.shop, true), common]);
    return this.#confirmations.get(key, {
      charges,
      read: async () => (await this.state(call)).charges,
      ask,
    });
  }

  async #ask(
    call: BillingCall,
    common: { readonly name: string; readonly test: boolean; readonly returnUrl: string },
    plan: PlanDefinition,
  ): Promise<BillingRequest> {
    const [first] = plan.lineItems;
    const [document, variables] =
      first?.interval === BillingInterval.OneTime
        ? [PURCHASE, { ...common, price: priceOf(first) }]
        : [SUBSCRIBE, { ...common, ...plan, lineItems: plan.lineItems.map(lineItemInput) }];
    const requested = await this.#change<Requested>(call, 'billing the store', document, variables);
    this.logger.info('A shop was asked to approve a charge', {
      shop: call.session.shop,
      plan: common.name,
      isTest: common.test,
    });
    const { appSubscription, appPurchaseOneTime: oneTimePurchase } = requested;
    return {
      confirmationUrl: confirmationIn(requested),
      ...(appSubscription && { appSubscription }),
      ...(oneTimePurchase && { oneTimePurchase }),
    };
  }

  /** Ends a subscription at once. */
  async cancel({
    subscriptionId,
    prorate = true,
    ...call
  }: BillingCancelParams): Promise<AppSubscription> {
    const { appSubscription } = await this.#change<{ readonly appSubscription: AppSubscription }>(
      call,
      'canceling a subscription',
      CANCEL,
      { id: subscriptionId, prorate },
    );
    return appSubscription;
  }

  /**
   * Charges for use. With an idempotency key it is sent again when its outcome is not known;
   * without, it is for the caller to decide.
   * @throws {BillingError} also when the cap is reached, or no subscription has a price by use
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
    const isRepeatable = idempotencyKey !== undefined;
    const doing = 'creating a usage record';
    const outcome = await this.#api.change<{ readonly appUsageRecord: UsageRecord }>(
      call,
      doing,
      RECORD_USAGE,
      variables,
      isRepeatable,
    );
    return outcome.appUsageRecord;
  }

  /**
   * Asks the shop to let more be charged for use. The old cap holds until the merchant approves at
   * `confirmationUrl`.
   */
  async updateUsageCappedAmount({
    subscriptionLineItemId,
    cappedAmount,
    ...call
  }: UsageCapParams): Promise<UsageCapRequest> {
    const variables = { id: subscriptionLineItemId, cappedAmount: priceOf(cappedAmount) };
    const doing = 'updating usage subscription capped amount';
    const requested = await this.#change<Requested & { readonly appSubscription: AppSubscription }>(
      call,
      doing,
      RAISE_CAP,
      variables,
    );
    return {
      confirmationUrl: confirmationIn(requested),
      appSubscription: requested.appSubscription,
    };
  }

  /** Which charges count, with the app's switch filled in. */
  filter({ plans, isTest = this.plans.isTest }: Pick<BillingCheckParams, 'plans' | 'isTest'>): {
    readonly plans: string | readonly string[] | undefined;
    readonly isTest: boolean;
  } {
    return { plans, isTest };
  }

  /**
   * Whatever comes of a change, also one whose reply was lost: what is remembered of the shop no
   * longer counts.
   */
  async #change<T>(
    call: BillingCall,
    doing: string,
    document: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<T> {
    try {
      return await this.#api.change<T>(call, doing, document, variables);
    } finally {
      this.cache.forget(sanitizeShop(call.session.shop, true));
    }
  }

  async #usageLineItem(params: UsageRecordParams): Promise<SubscriptionLineItem> {
    const { activeSubscriptions } = await this.state(params);
    const running = activeSubscriptions.filter(({ status }) => status === 'ACTIVE');
    const counting = running.filter((subscription) =>
      isMeant(subscription, this.filter({ isTest: params.isTest })),
    );
    // A real subscription is charged before one that costs nothing.
    const inOrder = [...counting].sort((one, other) => Number(one.test) - Number(other.test));
    const lineItem = inOrder
      .flatMap(({ lineItems }) => lineItems)
      .find(({ plan }) => isUsage(plan.pricingDetails));
    if (lineItem) return lineItem;
    const onlyTests =
      running.length > 0 && counting.length === 0
        ? ' There are test subscriptions: pass isTest to use them.'
        : '';
    throw new BillingError(
      `No active ${counting.length > 0 ? 'usage subscription' : 'subscriptions'} found.${onlyTests}`,
    );
  }

  #returnUrl(shop: string, returnUrl: string | undefined): string {
    const { config } = this;
    if (returnUrl !== undefined)
      return returnUrl.startsWith('/') ? config.appPath(returnUrl) : returnUrl;
    const domain = sanitizeShop(shop, true);
    if (!config.isEmbeddedApp) return `${config.appUrl}?${new URLSearchParams({ shop: domain })}`;
    return config.embeddedAppUrl(
      Buffer.from(legacyUrlToShopAdminUrl(domain) ?? `${domain}/admin`).toString('base64'),
    );
  }
}

/**
 * A key from a database may be null, which is none. An empty one would make all records but the
 * first vanish.
 */
function checkedKey(key: string | null | undefined): string | undefined {
  if (key === undefined || key === null) return undefined;
  if (typeof key === 'string' && key.length > 0 && key.length <= LONGEST_KEY) return key;
  throw new BillingError(`An idempotency key is a text of 1 to ${LONGEST_KEY} characters.`);
}

function lineItemInput(item: OneTimePlan | PlanLineItem): object {
  if (item.interval === BillingInterval.Usage) {
    return { plan: { appUsagePricingDetails: { terms: item.terms, cappedAmount: priceOf(item) } } };
  }
  const { interval } = item;
  const discount = 'discount' in item ? item.discount : undefined;
  return {
    plan: {
      appRecurringPricingDetails: { interval, price: priceOf(item), ...(discount && { discount }) },
    },
  };
}

/** Without what else the object may have: the platform refuses fields it does not know. */
function priceOf({ amount, currencyCode }: Price): Price {
  return { amount, currencyCode };
}

function isUsage(pricing: object): pricing is UsagePricing {
  return 'balanceUsed' in pricing;
}

function confirmationIn({ confirmationUrl }: Requested): string {
  if (confirmationUrl) return confirmationUrl;
  throw new BillingError(
    'The platform named no page on which the merchant could approve the charge.',
  );
}
