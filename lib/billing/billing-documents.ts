// The Admin API's documents about what shops pay.

const SUBSCRIPTION = `
  fragment appSubscriptionFields on AppSubscription {
    id name test status trialDays createdAt currentPeriodEnd returnUrl
    lineItems { id plan { pricingDetails { ...PricingFields } } }
  }
  fragment PricingFields on AppPricingDetails {
    ... on AppRecurringPricing {
      price { amount currencyCode }
      interval
      discount {
        durationLimitInIntervals remainingDurationInIntervals
        priceAfterDiscount { amount currencyCode }
        value {
          ... on AppSubscriptionDiscountAmount { amount { amount currencyCode } }
          ... on AppSubscriptionDiscountPercentage { percentage }
        }
      }
    }
    ... on AppUsagePricing {
      interval
      balanceUsed { amount currencyCode }
      cappedAmount { amount currencyCode }
      terms
    }
  }`;

/**
 * Reads what a shop pays, the charges it was asked to approve last, and the first page of what it
 * has bought once.
 */
export const READ_STATE = `#graphql
  query readBillingState {
    currentAppInstallation {
      activeSubscriptions { ...appSubscriptionFields }
      allSubscriptions(first: 25, reverse: true) { nodes { id name test status } }
      oneTimePurchases(first: 50) {
        nodes { id name test status createdAt price { amount currencyCode } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
  ${SUBSCRIPTION}`;

/** Reads the further pages of what a shop has bought once. */
export const READ_PURCHASES = `#graphql
  query readOneTimePurchases($first: Int!, $after: String) {
    currentAppInstallation {
      oneTimePurchases(first: $first, after: $after) {
        nodes { id name test status createdAt price { amount currencyCode } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }`;

/** Asks a shop to subscribe. */
export const SUBSCRIBE = `#graphql
  mutation subscribe(
    $name: String!
    $returnUrl: URL!
    $test: Boolean
    $trialDays: Int
    $replacementBehavior: AppSubscriptionReplacementBehavior
    $lineItems: [AppSubscriptionLineItemInput!]!
  ) {
    appSubscriptionCreate(
      name: $name
      returnUrl: $returnUrl
      test: $test
      trialDays: $trialDays
      replacementBehavior: $replacementBehavior
      lineItems: $lineItems
    ) {
      confirmationUrl
      appSubscription { ...appSubscriptionFields }
      userErrors { field message }
    }
  }
  ${SUBSCRIPTION}`;

/** Asks a shop to pay once. */
export const PURCHASE = `#graphql
  mutation purchase($name: String!, $price: MoneyInput!, $returnUrl: URL!, $test: Boolean) {
    appPurchaseOneTimeCreate(name: $name, price: $price, returnUrl: $returnUrl, test: $test) {
      confirmationUrl
      appPurchaseOneTime { id name test status createdAt price { amount currencyCode } }
      userErrors { field message }
    }
  }`;

/** Ends a subscription. */
export const CANCEL = `#graphql
  mutation cancelSubscription($id: ID!, $prorate: Boolean) {
    appSubscriptionCancel(id: $id, prorate: $prorate) {
      appSubscription { ...appSubscriptionFields }
      userErrors { field message }
    }
  }
  ${SUBSCRIPTION}`;

/** Charges for use. */
export const RECORD_USAGE = `#graphql
  mutation recordUsage($subscriptionLineItemId: ID!, $description: String!, $price: MoneyInput!, $idempotencyKey: String) {
    appUsageRecordCreate(
      subscriptionLineItemId: $subscriptionLineItemId
      description: $description
      price: $price
      idempotencyKey: $idempotencyKey
    ) {
      appUsageRecord {
        id description idempotencyKey createdAt
        price { amount currencyCode }
        subscriptionLineItem {
          id
          plan {
            pricingDetails {
              ... on AppUsagePricing { interval balanceUsed { amount currencyCode } cappedAmount { amount currencyCode } terms }
            }
          }
        }
      }
      userErrors { field message }
    }
  }`;

/** Asks a shop to let more be charged for use. */
export const RAISE_CAP = `#graphql
  mutation raiseCap($id: ID!, $cappedAmount: MoneyInput!) {
    appSubscriptionLineItemUpdate(id: $id, cappedAmount: $cappedAmount) {
      confirmationUrl
      appSubscription { ...appSubscriptionFields }
      userErrors { field message }
    }
  }
  ${SUBSCRIPTION}`;
