import { shopOf } from '../core/api-session.js';
import { recentlyUsed } from '../core/cache/ttl-cache.js';
import type { PlatformConfig } from '../core/config/platform-config.js';
import type { PlatformLogger } from '../core/logger.js';
import { legacyUrlToShopAdminUrl } from '../core/shop-domain.js';
import { PURCHASE, RAISE_CAP, SUBSCRIBE } from './billing-documents.js';
import { BillingInterval, discountOf } from './billing-plans.js';
import type { OneTimePlan, PlanLineItem, PlanName, Price } from './billing-plans.js';
import type { AppSubscription, Charge, OneTimePurchase } from './billing-state.js';
import type { UserError } from '../graphql-client/graphql-client.errors.js';
import type { BillingCall, BillingClient } from './billing.client.js';
import { BillingError } from './billing.errors.js';
import type { PlanCatalog, PlanOverrides } from './plan-catalog.js';

/** What a shop is asked to pay. */
export interface BillingRequestParams extends BillingCall, PlanOverrides {
  readonly plan: PlanName;
  /** Requests a test charge. @default the app's `billing.isTest` */
  readonly isTest?: boolean | undefined;
  /**
   * Where the merchant goes after approving, as an address or a path of the app. @default the app's
   * home, inside the admin when embedded
   */
  readonly returnUrl?: string | undefined;
  /** `false` returns the `confirmationUrl` alone. @default true */
  readonly returnObject?: boolean | undefined;
}

/** A charge that waits for the merchant's approval. */
export interface BillingRequest {
  /** Where the merchant approves or declines, outside of the admin's frame. */
  readonly confirmationUrl: string;
  /** Set for a plan that is a subscription. */
  readonly appSubscription?: AppSubscription | undefined;
  /** Set for a plan that is paid once. */
  readonly oneTimePurchase?: OneTimePurchase | undefined;
  /** Empty: what the platform refuses is a {@link BillingError}. */
  readonly userErrors: readonly UserError[];
}

/** How much the use of the app may cost a shop in an interval. */
export interface UsageCapParams extends BillingCall {
  readonly subscriptionLineItemId: string;
  readonly cappedAmount: Price;
}

/** A change of a subscription that waits for the merchant's approval. */
export interface UsageCapRequest {
  readonly confirmationUrl: string;
  readonly appSubscription: AppSubscription;
}

interface Requested {
  readonly confirmationUrl: string | null;
  readonly appSubscription?: AppSubscription | null;
  readonly appPurchaseOneTime?: OneTimePurchase | null;
  readonly userErrors: readonly UserError[];
}

interface OpenRequest {
  readonly request: Promise<BillingRequest>;
  isMade: boolean;
}

const CAPACITY = 5_000;

/** Asks shops to approve charges. The same charge is not requested twice while it is open. */
export class ChargeRequests {
  readonly #open = recentlyUsed<OpenRequest>(CAPACITY);

  constructor(
    private readonly config: PlatformConfig,
    private readonly client: BillingClient,
    private readonly plans: PlanCatalog,
    private readonly logger: PlatformLogger,
  ) {}

  /**
   * Requests a charge, or returns the one that this process has requested for the same plan without
   * overrides and that the merchant has not decided about.
   * @param charges of the shop, if they have just been read: saves a query
   * @throws {BillingError} when there is no such plan, or an override does not fit it
   */
  async request(params: BillingRequestParams, charges: readonly Charge[]): Promise<BillingRequest> {
    const {
      session,
      plan: name,
      isTest = this.plans.isTest ?? false,
      returnUrl,
      returnObject: _,
      ...overrides
    } = params;
    const call: BillingCall = { session };
    const shop = shopOf(session);
    const { lineItems, ...terms } = this.plans.get(name, overrides);
    const common = { name, test: isTest, returnUrl: this.#returnUrl(shop, returnUrl) };
    const [first] = lineItems;
    const [document, variables] =
      first?.interval === BillingInterval.OneTime
        ? [PURCHASE, { ...common, price: priceOf(first) }]
        : [SUBSCRIBE, { ...common, ...terms, lineItems: lineItems.map(lineItemInput) }];
    const create = (): Promise<BillingRequest> => this.#create(call, document, variables);
    if (Object.values(overrides).some((value) => value !== undefined)) return create();
    const key = JSON.stringify([shop, common]);
    return this.#reuse(key, create, (request) => this.#isPending(request, call, charges));
  }

  /** Asks the shop to allow more usage. The old cap applies until the merchant approves. */
  async raiseCap({
    subscriptionLineItemId,
    cappedAmount,
    ...call
  }: UsageCapParams): Promise<UsageCapRequest> {
    const requested = await this.client.change<
      Requested & { readonly appSubscription: AppSubscription }
    >(call, {
      action: 'updating usage subscription capped amount',
      document: RAISE_CAP,
      variables: { id: subscriptionLineItemId, cappedAmount: priceOf(cappedAmount) },
    });
    return {
      confirmationUrl: confirmationIn(requested),
      appSubscription: requested.appSubscription,
    };
  }

  async #create(
    call: BillingCall,
    document: string,
    variables: Readonly<Record<string, unknown>> & {
      readonly name: string;
      readonly test: boolean;
    },
  ): Promise<BillingRequest> {
    const action = 'billing the store';
    const requested = await this.client.change<Requested>(call, { action, document, variables });
    this.logger.info('A shop was asked to approve a charge', {
      shop: call.session.shop,
      plan: variables.name,
      isTest: variables.test,
    });
    const { appSubscription, appPurchaseOneTime: oneTimePurchase, ...reply } = requested;
    return {
      ...reply,
      confirmationUrl: confirmationIn(requested),
      ...(appSubscription && { appSubscription }),
      ...(oneTimePurchase && { oneTimePurchase }),
    };
  }

  /** The request that is being made or is still open under `key`; else the one `create` makes. */
  async #reuse(
    key: string,
    create: () => Promise<BillingRequest>,
    isPending: (request: BillingRequest) => Promise<boolean>,
  ): Promise<BillingRequest> {
    const open = this.#open.get(key);
    if (!open) return this.#remember(key, create);
    const isNew = !open.isMade;
    const request = await open.request;
    if (isNew || (await isPending(request))) return request;
    // Several calls may have found it closed: only the first of them makes another.
    return this.#open.get(key) === open
      ? this.#remember(key, create)
      : this.#reuse(key, create, isPending);
  }

  async #remember(key: string, create: () => Promise<BillingRequest>): Promise<BillingRequest> {
    const open: OpenRequest = { request: create(), isMade: false };
    this.#open.set(key, open);
    try {
      return await open.request;
    } catch (error) {
      if (this.#open.get(key) === open) this.#open.delete(key);
      throw error;
    } finally {
      open.isMade = true;
    }
  }

  /** A charge that the platform no longer lists after it was made counts as closed. */
  async #isPending(
    { appSubscription, oneTimePurchase }: BillingRequest,
    call: BillingCall,
    charges: readonly Charge[],
  ): Promise<boolean> {
    const id = appSubscription?.id ?? oneTimePurchase?.id;
    const isRequested = (charge: Charge): boolean => charge.id === id;
    const charge =
      charges.find(isRequested) ?? (await this.client.state(call)).charges.find(isRequested);
    return charge?.status === 'PENDING';
  }

  #returnUrl(shop: string, returnUrl: string | undefined): string {
    const { config } = this;
    if (returnUrl !== undefined)
      return returnUrl.startsWith('/') ? config.appPath(config.paths.page(returnUrl)) : returnUrl;
    if (!config.isEmbeddedApp) return `${config.appUrl}?${new URLSearchParams({ shop })}`;
    return config.embeddedAppUrl(
      Buffer.from(legacyUrlToShopAdminUrl(shop) ?? `${shop}/admin`).toString('base64'),
    );
  }
}

/** Only the fields of a price: the platform rejects unknown fields. */
export function priceOf({ amount, currencyCode }: Price): Price {
  return { amount, currencyCode };
}

function lineItemInput(item: OneTimePlan | PlanLineItem): object {
  if (item.interval === BillingInterval.Usage) {
    return { plan: { appUsagePricingDetails: { terms: item.terms, cappedAmount: priceOf(item) } } };
  }
  const { interval } = item;
  const discount = discountOf(item);
  return {
    plan: {
      appRecurringPricingDetails: { interval, price: priceOf(item), ...(discount && { discount }) },
    },
  };
}

function confirmationIn({ confirmationUrl }: Requested): string {
  if (confirmationUrl) return confirmationUrl;
  throw new BillingError(
    'The platform named no page on which the merchant could approve the charge.',
  );
}
