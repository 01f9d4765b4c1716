/** The currencies of every version that is still published, except retired ones. */
const CURRENCIES =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW';

/**
 * The billing part of the Admin API, the same in every version that is still published; it extends
 * the schema.
 */
export const BILLING_SCHEMA = /* GraphQL */ `
  scalar Decimal

  enum CurrencyCode {
    ${CURRENCIES}
  }

  extend type AppInstallation {
    activeSubscriptions: [AppSubscription!]!
    allSubscriptions(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
      sortKey: AppSubscriptionSortKeys = CREATED_AT
    ): AppSubscriptionConnection!
    oneTimePurchases(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
      sortKey: AppTransactionSortKeys = CREATED_AT
    ): AppPurchaseOneTimeConnection!
  }

  extend type Mutation {
    appPurchaseOneTimeCreate(name: String!, price: MoneyInput!, returnUrl: URL!, test: Boolean = false): AppPurchaseOneTimeCreatePayload
    appSubscriptionCancel(id: ID!, prorate: Boolean = false): AppSubscriptionCancelPayload
    appSubscriptionCreate(
      lineItems: [AppSubscriptionLineItemInput!]!
      name: String!
      replacementBehavior: AppSubscriptionReplacementBehavior = STANDARD
      returnUrl: URL!
      test: Boolean = false
      trialDays: Int
    ): AppSubscriptionCreatePayload
    appSubscriptionLineItemUpdate(cappedAmount: MoneyInput!, id: ID!): AppSubscriptionLineItemUpdatePayload
    appUsageRecordCreate(
      description: String!
      idempotencyKey: String
      price: MoneyInput!
      subscriptionLineItemId: ID!
    ): AppUsageRecordCreatePayload
  }

  type MoneyV2 {
    amount: Decimal!
    currencyCode: CurrencyCode!
  }

  input MoneyInput {
    amount: Decimal!
    currencyCode: CurrencyCode!
  }

  enum AppSubscriptionSortKeys {
    CREATED_AT
    ID
  }

  enum AppTransactionSortKeys {
    CREATED_AT
    ID
  }

  enum AppUsageRecordSortKeys {
    CREATED_AT
    ID
  }

  enum AppSubscriptionStatus {
    ACCEPTED
    ACTIVE
    CANCELLED
    DECLINED
    EXPIRED
    FROZEN
    PENDING
  }

  enum AppPurchaseStatus {
    ACCEPTED
    ACTIVE
    DECLINED
    EXPIRED
    PENDING
  }

  enum AppPricingInterval {
    ANNUAL
    EVERY_30_DAYS
  }

  enum AppSubscriptionReplacementBehavior {
    APPLY_IMMEDIATELY
    APPLY_ON_NEXT_BILLING_CYCLE
    STANDARD
  }

  type AppSubscription implements Node {
    createdAt: DateTime!
    currentPeriodEnd: DateTime
    id: ID!
    lineItems: [AppSubscriptionLineItem!]!
    name: String!
    returnUrl: URL!
    status: AppSubscriptionStatus!
    test: Boolean!
    trialDays: Int!
  }

  type AppSubscriptionConnection {
    edges: [AppSubscriptionEdge!]!
    nodes: [AppSubscription!]!
    pageInfo: PageInfo!
  }

  type AppSubscriptionEdge {
    cursor: String!
    node: AppSubscription!
  }

  type AppSubscriptionLineItem {
    id: ID!
    plan: AppPlanV2!
    usageRecords(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
      sortKey: AppUsageRecordSortKeys = CREATED_AT
    ): AppUsageRecordConnection!
  }

  type AppPlanV2 {
    pricingDetails: AppPricingDetails!
  }

  union AppPricingDetails = AppRecurringPricing | AppUsagePricing

  type AppRecurringPricing {
    discount: AppSubscriptionDiscount
    interval: AppPricingInterval!
    price: MoneyV2!
  }

  type AppUsagePricing {
    balanceUsed: MoneyV2!
    cappedAmount: MoneyV2!
    interval: AppPricingInterval!
    terms: String!
  }

  type AppSubscriptionDiscount {
    durationLimitInIntervals: Int
    priceAfterDiscount: MoneyV2!
    remainingDurationInIntervals: Int
    value: AppSubscriptionDiscountValue!
  }

  union AppSubscriptionDiscountValue = AppSubscriptionDiscountAmount | AppSubscriptionDiscountPercentage

  type AppSubscriptionDiscountAmount {
    amount: MoneyV2!
  }

  type AppSubscriptionDiscountPercentage {
    percentage: Float!
  }

  type AppPurchaseOneTime implements Node {
    createdAt: DateTime!
    id: ID!
    name: String!
    price: MoneyV2!
    status: AppPurchaseStatus!
    test: Boolean!
  }

  type AppPurchaseOneTimeConnection {
    edges: [AppPurchaseOneTimeEdge!]!
    nodes: [AppPurchaseOneTime!]!
    pageInfo: PageInfo!
  }

  type AppPurchaseOneTimeEdge {
    cursor: String!
    node: AppPurchaseOneTime!
  }

  type AppUsageRecord implements Node {
    createdAt: DateTime!
    description: String!
    id: ID!
    idempotencyKey: String
    price: MoneyV2!
    subscriptionLineItem: AppSubscriptionLineItem!
  }

  type AppUsageRecordConnection {
    edges: [AppUsageRecordEdge!]!
    nodes: [AppUsageRecord!]!
    pageInfo: PageInfo!
  }

  type AppUsageRecordEdge {
    cursor: String!
    node: AppUsageRecord!
  }

  input AppSubscriptionLineItemInput {
    plan: AppPlanInput!
  }

  input AppPlanInput {
    appRecurringPricingDetails: AppRecurringPricingInput
    appUsagePricingDetails: AppUsagePricingInput
  }

  input AppRecurringPricingInput {
    discount: AppSubscriptionDiscountInput
    interval: AppPricingInterval = EVERY_30_DAYS
    price: MoneyInput!
  }

  input AppUsagePricingInput {
    cappedAmount: MoneyInput!
    terms: String!
  }

  input AppSubscriptionDiscountInput {
    durationLimitInIntervals: Int
    value: AppSubscriptionDiscountValueInput
  }

  input AppSubscriptionDiscountValueInput {
    amount: Decimal
    percentage: Float
  }

  type AppSubscriptionCreatePayload {
    appSubscription: AppSubscription
    confirmationUrl: URL
    userErrors: [UserError!]!
  }

  type AppSubscriptionCancelPayload {
    appSubscription: AppSubscription
    userErrors: [UserError!]!
  }

  type AppSubscriptionLineItemUpdatePayload {
    appSubscription: AppSubscription
    confirmationUrl: URL
    userErrors: [UserError!]!
  }

  type AppPurchaseOneTimeCreatePayload {
    appPurchaseOneTime: AppPurchaseOneTime
    confirmationUrl: URL
    userErrors: [UserError!]!
  }

  type AppUsageRecordCreatePayload {
    appUsageRecord: AppUsageRecord
    userErrors: [UserError!]!
  }
`;
