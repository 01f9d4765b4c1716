import { buildSchema, execute, parse, validate } from 'graphql';
import type { DocumentNode, ExecutionResult } from 'graphql';

// What the real schema says of the part that billing uses. That the documents fit the whole of it is checked by `npm run test:contract`.
const SCHEMA = buildSchema(`
  scalar Decimal scalar URL scalar DateTime
  enum AppPricingInterval { ANNUAL EVERY_30_DAYS }
  enum AppSubscriptionReplacementBehavior { APPLY_IMMEDIATELY APPLY_ON_NEXT_BILLING_CYCLE STANDARD }
  type Query { currentAppInstallation: AppInstallation }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type MoneyV2 { amount: Decimal! currencyCode: String! }
  type UserError { field: [String!] message: String! }
  type AppInstallation {
    activeSubscriptions: [AppSubscription!]!
    allSubscriptions(first: Int, reverse: Boolean = false): AppSubscriptionConnection!
    oneTimePurchases(first: Int, after: String): AppPurchaseOneTimeConnection!
  }
  type AppSubscriptionConnection { nodes: [AppSubscription!]! }
  type AppPurchaseOneTimeConnection { nodes: [AppPurchaseOneTime!]! pageInfo: PageInfo! }
  type AppSubscription {
    id: ID! name: String! test: Boolean! status: String! trialDays: Int! createdAt: DateTime! currentPeriodEnd: DateTime returnUrl: URL!
    lineItems: [AppSubscriptionLineItem!]!
  }
  type AppSubscriptionLineItem { id: ID! plan: AppPlanV2! }
  type AppPlanV2 { pricingDetails: AppPricingDetails! }
  union AppPricingDetails = AppRecurringPricing | AppUsagePricing
  type AppRecurringPricing { price: MoneyV2! interval: AppPricingInterval! discount: AppSubscriptionDiscount }
  type AppUsagePricing { interval: AppPricingInterval! balanceUsed: MoneyV2! cappedAmount: MoneyV2! terms: String! }
  type AppSubscriptionDiscount {
    durationLimitInIntervals: Int remainingDurationInIntervals: Int priceAfterDiscount: MoneyV2! value: AppSubscriptionDiscountValue!
  }
  union AppSubscriptionDiscountValue = AppSubscriptionDiscountAmount | AppSubscriptionDiscountPercentage
  type AppSubscriptionDiscountAmount { amount: MoneyV2! }
  type AppSubscriptionDiscountPercentage { percentage: Float! }
  type AppPurchaseOneTime { id: ID! name: String! test: Boolean! status: String! createdAt: DateTime! price: MoneyV2! }
  type AppUsageRecord {
    id: ID! description: String! idempotencyKey: String createdAt: DateTime! price: MoneyV2! subscriptionLineItem: AppSubscriptionLineItem!
  }
  input MoneyInput { amount: Decimal! currencyCode: String! }
  input AppSubscriptionLineItemInput { plan: AppPlanInput! }
  input AppPlanInput { appRecurringPricingDetails: AppRecurringPricingInput appUsagePricingDetails: AppUsagePricingInput }
  input AppRecurringPricingInput { discount: AppSubscriptionDiscountInput interval: AppPricingInterval = EVERY_30_DAYS price: MoneyInput! }
  input AppUsagePricingInput { cappedAmount: MoneyInput! terms: String! }
  input AppSubscriptionDiscountInput { durationLimitInIntervals: Int value: AppSubscriptionDiscountValueInput }
  input AppSubscriptionDiscountValueInput { amount: Decimal percentage: Float }
  type AppSubscriptionPayload { appSubscription: AppSubscription confirmationUrl: URL userErrors: [UserError!]! }
  type AppPurchasePayload { appPurchaseOneTime: AppPurchaseOneTime confirmationUrl: URL userErrors: [UserError!]! }
  type AppUsageRecordPayload { appUsageRecord: AppUsageRecord userErrors: [UserError!]! }
  type Mutation {
    appSubscriptionCreate(
      name: String! returnUrl: URL! test: Boolean = false trialDays: Int
      replacementBehavior: AppSubscriptionReplacementBehavior = STANDARD lineItems: [AppSubscriptionLineItemInput!]!
    ): AppSubscriptionPayload
    appPurchaseOneTimeCreate(name: String!, price: MoneyInput!, returnUrl: URL!, test: Boolean = false): AppPurchasePayload
    appSubscriptionCancel(id: ID!, prorate: Boolean = false): AppSubscriptionPayload
    appUsageRecordCreate(subscriptionLineItemId: ID!, description: String!, price: MoneyInput!, idempotencyKey: String): AppUsageRecordPayload
    appSubscriptionLineItemUpdate(id: ID!, cappedAmount: MoneyInput!): AppSubscriptionPayload
  }
`);

const documents = new Map<string, DocumentNode>();

/** Documents are read once: a property test sends them thousands of times. */
async function answer(source: string, variableValues: Record<string, unknown>, rootValue: object): Promise<ExecutionResult> {
  const document = documents.get(source) ?? parse(source);
  const errors = documents.has(source) ? [] : validate(SCHEMA, document);
  if (errors.length > 0) return { errors };
  documents.set(source, document);
  return execute({ schema: SCHEMA, document, variableValues, rootValue });
}

interface Money {
  amount: unknown;
  currencyCode: string;
}
type Pricing = Record<string, unknown>;
interface Subscription {
  id: string;
  name: string;
  test: boolean;
  status: string;
  trialDays: number;
  createdAt: string;
  currentPeriodEnd: string | null;
  returnUrl: string;
  lineItems: { id: string; plan: { pricingDetails: Pricing } }[];
}
interface Purchase {
  id: string;
  name: string;
  test: boolean;
  status: string;
  createdAt: string;
  price: Money;
  returnUrl: string;
}
interface UsageRecord {
  id: string;
  description: string;
  idempotencyKey: string | null;
  createdAt: string;
  price: Money;
  subscriptionLineItem: unknown;
}

/** An operation as it arrived. */
export interface Operation {
  readonly name: string;
  readonly variables: Record<string, unknown>;
}

/** The platform's half of billing for one shop: charges, what merchants do with them, and the Admin API over them. */
export class BillingPlatform {
  readonly subscriptions: Subscription[] = [];
  readonly purchases: Purchase[] = [];
  readonly usage: UsageRecord[] = [];
  readonly operations: Operation[] = [];
  /** The next mutation is refused with this. */
  refusal: { field: string[] | null; message: string } | undefined;
  /** The next replies are this instead. */
  readonly replies: (() => Response | Promise<Response>)[] = [];
  /** How often the state is read before an approved charge is active. */
  delay = 0;
  #number = 1000;
  readonly #activations: { charge: Subscription | Purchase; reads: number }[] = [];

  /** The Admin API, for an `ApiCaller`. */
  readonly fetch: typeof globalThis.fetch = async (_, init) => {
    const { query, variables = {} } = JSON.parse(String(init?.body)) as { query: string; variables?: Record<string, unknown> };
    this.operations.push({ name: /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? '', variables });
    const reply = this.replies.shift();
    if (reply) return reply();
    return Response.json(await answer(query, variables, this.#root));
  };

  /** Charges that were asked for. */
  get asked(): number {
    return this.subscriptions.length + this.purchases.length;
  }

  count(operation: string): number {
    return this.operations.filter(({ name }) => name === operation).length;
  }

  /** A subscription that is there without having been asked for by the app. */
  has(overrides: Partial<Subscription> & { pricing?: Pricing[] } = {}): Subscription {
    const { pricing = [recurring('9.99', 'USD')], ...given } = overrides;
    const number = ++this.#number;
    const subscription: Subscription = {
      id: `gid://shopify/AppSubscription/${number}`,
      name: 'Pro',
      test: false,
      status: 'ACTIVE',
      trialDays: 0,
      createdAt: '2026-01-15T12:00:00Z',
      currentPeriodEnd: null,
      returnUrl: 'https://app.example.com',
      lineItems: pricing.map((pricingDetails, index) => ({
        id: `gid://shopify/AppSubscriptionLineItem/${number}?v=1&index=${index}`,
        plan: { pricingDetails },
      })),
      ...given,
    };
    this.subscriptions.push(subscription);
    return subscription;
  }

  hasBought(overrides: Partial<Purchase> = {}): Purchase {
    const purchase = {
      id: `gid://shopify/AppPurchaseOneTime/${++this.#number}`,
      name: 'Setup',
      test: false,
      status: 'ACTIVE',
      createdAt: '2026-01-15T12:00:00Z',
      price: { amount: '25.0', currencyCode: 'USD' },
      returnUrl: 'https://app.example.com',
      ...overrides,
    };
    this.purchases.push(purchase);
    return purchase;
  }

  /** The merchant decides on the confirmation page. @returns where the browser goes */
  decide(confirmationUrl: string, isApproved: boolean): string {
    const number = /\/charges\/(\d+)\//.exec(confirmationUrl)?.[1] ?? '';
    const charge = this.charge(number);
    if (charge.status === 'PENDING') {
      if (!isApproved) charge.status = 'DECLINED';
      else if (this.delay === 0) this.#activate(charge);
      else this.#activations.push({ charge, reads: this.delay });
    }
    const url = new URL(charge.returnUrl);
    url.searchParams.set('charge_id', number);
    return url.href;
  }

  charge(number: string): Subscription | Purchase {
    const charge = [...this.subscriptions, ...this.purchases].find(({ id }) => id.endsWith(`/${number}`));
    if (!charge) throw new Error(`no charge ${number}`);
    return charge;
  }

  #activate(charge: Subscription | Purchase): void {
    if ('lineItems' in charge) for (const other of this.subscriptions) if (other.status === 'ACTIVE') other.status = 'CANCELLED';
    charge.status = 'ACTIVE';
  }

  #read(): object {
    for (const activation of [...this.#activations]) {
      if (activation.reads-- > 0) continue;
      this.#activations.splice(this.#activations.indexOf(activation), 1);
      this.#activate(activation.charge);
    }
    const { subscriptions, purchases } = this;
    return {
      activeSubscriptions: subscriptions.filter(({ status }) => status === 'ACTIVE').map(typed),
      allSubscriptions: ({ first = 50 }) => ({ nodes: subscriptions.toReversed().slice(0, first).map(typed) }),
      oneTimePurchases: ({ first = 50, after }: { first?: number; after?: string }) => {
        const start = after ? Number(after) : 0;
        const end = start + first;
        return { nodes: purchases.slice(start, end), pageInfo: { hasNextPage: end < purchases.length, endCursor: String(end) } };
      },
    };
  }

  readonly #root = {
    currentAppInstallation: () => this.#read(),
    appSubscriptionCreate: this.#mutation((input: Record<string, unknown>) => {
      const { lineItems, name, returnUrl, test, trialDays } = input as unknown as Omit<Subscription, 'lineItems'> & {
        lineItems: { plan: LineItemInput }[];
      };
      const pricing = lineItems.map(({ plan }) => pricingOf(plan));
      const subscription = this.has({ name, returnUrl, test, trialDays: trialDays ?? 0, status: 'PENDING', pricing });
      return { appSubscription: typed(subscription), confirmationUrl: confirmationUrl(subscription.id) };
    }),
    appPurchaseOneTimeCreate: this.#mutation((input: Record<string, unknown>) => {
      const purchase = this.hasBought({ ...(input as unknown as Purchase), status: 'PENDING' });
      return { appPurchaseOneTime: purchase, confirmationUrl: confirmationUrl(purchase.id) };
    }),
    appSubscriptionCancel: this.#mutation(({ id }: { id: string }) => {
      const subscription = this.subscriptions.find((one) => one.id === id);
      if (subscription?.status !== 'ACTIVE') return refusedWith('Cannot cancel a subscription that is not active');
      subscription.status = 'CANCELLED';
      return { appSubscription: typed(subscription) };
    }),
    appUsageRecordCreate: this.#mutation((input: Record<string, unknown>) => {
      const {
        subscriptionLineItemId,
        description,
        price,
        idempotencyKey = null,
      } = input as unknown as UsageRecord & {
        subscriptionLineItemId: string;
      };
      const known = idempotencyKey === null ? undefined : this.usage.find((record) => record.idempotencyKey === idempotencyKey);
      if (known) return { appUsageRecord: known };
      const items = this.subscriptions.flatMap(({ lineItems }) => lineItems);
      const lineItem = items.find(({ id }) => id === subscriptionLineItemId);
      if (!lineItem) return refusedWith('Subscription line item not found');
      const record: UsageRecord = {
        id: `gid://shopify/AppUsageRecord/${++this.#number}`,
        description,
        idempotencyKey,
        createdAt: '2026-01-15T12:00:00Z',
        price: { amount: String(price.amount), currencyCode: price.currencyCode },
        subscriptionLineItem: { ...lineItem, plan: { pricingDetails: typedPricing(lineItem.plan.pricingDetails) } },
      };
      this.usage.push(record);
      return { appUsageRecord: record };
    }),
    appSubscriptionLineItemUpdate: this.#mutation(({ id }: { id: string }) => {
      const subscription = this.subscriptions.find(({ lineItems }) => lineItems.some((item) => item.id === id));
      if (!subscription) return refusedWith('Subscription line item not found');
      return { appSubscription: typed(subscription), confirmationUrl: confirmationUrl(subscription.id) };
    }),
  };

  #mutation<Input>(run: (input: Input) => object): (input: Input) => object {
    return (input) => {
      const { refusal } = this;
      this.refusal = undefined;
      return refusal ? { userErrors: [refusal] } : { userErrors: [], ...run(input) };
    };
  }
}

interface LineItemInput {
  appRecurringPricingDetails?: { price: Money; interval: string; discount?: { durationLimitInIntervals?: number; value: Pricing } };
  appUsagePricingDetails?: { cappedAmount: Money; terms: string };
}

export function recurring(amount: unknown, currencyCode: string, more: Pricing = {}): Pricing {
  return { price: { amount: String(amount), currencyCode }, interval: 'EVERY_30_DAYS', discount: null, ...more };
}

export function usage(cap: unknown, currencyCode: string, used = '0.0', terms = 'per use'): Pricing {
  return {
    interval: 'EVERY_30_DAYS',
    balanceUsed: { amount: used, currencyCode },
    cappedAmount: { amount: String(cap), currencyCode },
    terms,
  };
}

function pricingOf({ appRecurringPricingDetails: fixed, appUsagePricingDetails: byUse }: LineItemInput): Pricing {
  if (fixed) return recurring(fixed.price.amount, fixed.price.currencyCode, { interval: fixed.interval });
  return usage(byUse?.cappedAmount.amount, byUse?.cappedAmount.currencyCode ?? '', '0.0', byUse?.terms);
}

function typed(subscription: Subscription): object {
  const lineItems = subscription.lineItems.map(({ id, plan }) => ({ id, plan: { pricingDetails: typedPricing(plan.pricingDetails) } }));
  return { ...subscription, lineItems };
}

/** Members of a union need their name. */
function typedPricing(pricing: Pricing): Pricing {
  const discount = pricing['discount'] as { value: Pricing } | null | undefined;
  const value = discount && {
    ...discount.value,
    __typename: 'amount' in discount.value ? 'AppSubscriptionDiscountAmount' : 'AppSubscriptionDiscountPercentage',
  };
  return {
    ...pricing,
    ...(discount && { discount: { ...discount, value } }),
    __typename: 'balanceUsed' in pricing ? 'AppUsagePricing' : 'AppRecurringPricing',
  };
}

function confirmationUrl(id: string): string {
  return `https://dev-shop.myshopify.com/admin/charges/${id.slice(id.lastIndexOf('/') + 1)}/confirm?signature=abc`;
}

function refusedWith(message: string): object {
  return { userErrors: [{ field: null, message }] };
}
