import { SUBSCRIBABLE_TOPICS, topicConstant } from '../../base/webhook-topics.js';
import { BILLING_SCHEMA } from '../billing/billing.schema.js';
import { bulkSchema } from '../bulk/bulk.schema.js';
import { VARIANTS_SCHEMA } from '../products/variants.schema.js';

/**
 * The part of the Admin GraphQL schema that the simulated store serves, a strict subset of the
 * platform's own in every version that is still published. `npm run test:contract` compares it with
 * the real ones.
 */
const BASE = /* GraphQL */ `
  schema {
    query: QueryRoot
    mutation: Mutation
  }

  scalar ARN
  scalar DateTime
  scalar HTML
  scalar Money
  scalar UnsignedInt64
  scalar URL

  interface Node {
    id: ID!
  }

  interface LegacyInteroperability {
    legacyResourceId: UnsignedInt64!
  }

  interface DisplayableError {
    field: [String!]
    message: String!
  }

  type UserError implements DisplayableError {
    field: [String!]
    message: String!
  }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
  }

  enum CountPrecision {
    AT_LEAST
    EXACT
  }

  type Count {
    count: Int!
    precision: CountPrecision!
  }

  type QueryRoot {
    app(id: ID): App
    currentAppInstallation: AppInstallation!
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    product(id: ID!): Product
    products(
      after: String
      before: String
      first: Int
      last: Int
      query: String
      reverse: Boolean = false
      sortKey: ProductSortKeys = ID
    ): ProductConnection!
    productsCount(limit: Int = 10000, query: String): Count
    shop: Shop!
    webhookSubscription(id: ID!): WebhookSubscription
    webhookSubscriptions(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
      topics: [WebhookSubscriptionTopic!]
      uri: String
    ): WebhookSubscriptionConnection!
    webhookSubscriptionsCount(limit: Int = 10000): Count
  }

  type Mutation {
    appRevokeAccessScopes(scopes: [String!]!): AppRevokeAccessScopesPayload
    eventBridgeWebhookSubscriptionCreate(
      topic: WebhookSubscriptionTopic!
      webhookSubscription: EventBridgeWebhookSubscriptionInput!
    ): EventBridgeWebhookSubscriptionCreatePayload
    eventBridgeWebhookSubscriptionUpdate(
      id: ID!
      webhookSubscription: EventBridgeWebhookSubscriptionInput!
    ): EventBridgeWebhookSubscriptionUpdatePayload
    productCreate(input: ProductInput, product: ProductCreateInput): ProductCreatePayload
    productDelete(input: ProductDeleteInput!, synchronous: Boolean = true): ProductDeletePayload
    productUpdate(input: ProductInput, product: ProductUpdateInput): ProductUpdatePayload
    pubSubWebhookSubscriptionCreate(
      topic: WebhookSubscriptionTopic!
      webhookSubscription: PubSubWebhookSubscriptionInput!
    ): PubSubWebhookSubscriptionCreatePayload
    pubSubWebhookSubscriptionUpdate(
      id: ID!
      webhookSubscription: PubSubWebhookSubscriptionInput!
    ): PubSubWebhookSubscriptionUpdatePayload
    webhookSubscriptionCreate(
      topic: WebhookSubscriptionTopic!
      webhookSubscription: WebhookSubscriptionInput!
    ): WebhookSubscriptionCreatePayload
    webhookSubscriptionDelete(id: ID!): WebhookSubscriptionDeletePayload
    webhookSubscriptionUpdate(
      id: ID!
      webhookSubscription: WebhookSubscriptionInput!
    ): WebhookSubscriptionUpdatePayload
  }

  type Shop implements Node {
    contactEmail: String!
    createdAt: DateTime!
    currencyCode: CurrencyCode!
    email: String!
    ianaTimezone: String!
    id: ID!
    myshopifyDomain: String!
    name: String!
    plan: ShopPlan!
    primaryDomain: Domain!
    shopOwnerName: String!
    url: URL!
  }

  type ShopPlan {
    partnerDevelopment: Boolean!
    publicDisplayName: String!
    shopifyPlus: Boolean!
  }

  type Domain implements Node {
    host: String!
    id: ID!
    sslEnabled: Boolean!
    url: URL!
  }

  type App implements Node {
    apiKey: String!
    embedded: Boolean!
    id: ID!
    installation: AppInstallation
    optionalAccessScopes: [AccessScope!]!
    requestedAccessScopes: [AccessScope!]!
    title: String!
  }

  type AppInstallation implements Node {
    accessScopes: [AccessScope!]!
    app: App!
    id: ID!
    launchUrl: URL!
  }

  type AccessScope {
    description: String!
    handle: String!
  }

  type AppRevokeAccessScopesPayload {
    revoked: [AccessScope!]
    userErrors: [AppRevokeAccessScopesAppRevokeScopeError!]!
  }

  type AppRevokeAccessScopesAppRevokeScopeError implements DisplayableError {
    code: AppRevokeAccessScopesAppRevokeScopeErrorCode
    field: [String!]
    message: String!
  }

  enum AppRevokeAccessScopesAppRevokeScopeErrorCode {
    APP_NOT_INSTALLED
    CANNOT_REVOKE_IMPLIED_SCOPES
    CANNOT_REVOKE_REQUIRED_SCOPES
    CANNOT_REVOKE_UNDECLARED_SCOPES
    UNKNOWN_SCOPES
  }

  enum ProductStatus {
    ACTIVE
    ARCHIVED
    DRAFT
    UNLISTED
  }

  enum ProductSortKeys {
    CREATED_AT
    ID
    PRODUCT_TYPE
    TITLE
    UPDATED_AT
    VENDOR
  }

  type Product implements LegacyInteroperability & Node {
    createdAt: DateTime!
    description(truncateAt: Int): String!
    descriptionHtml: HTML!
    handle: String!
    hasOnlyDefaultVariant: Boolean!
    id: ID!
    legacyResourceId: UnsignedInt64!
    productType: String!
    publishedAt: DateTime
    status: ProductStatus!
    tags: [String!]!
    title: String!
    totalInventory: Int!
    updatedAt: DateTime!
    variants(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
    ): ProductVariantConnection!
    variantsCount: Count
    vendor: String!
  }

  type ProductConnection {
    edges: [ProductEdge!]!
    nodes: [Product!]!
    pageInfo: PageInfo!
  }

  type ProductEdge {
    cursor: String!
    node: Product!
  }

  input ProductCreateInput {
    descriptionHtml: String
    handle: String
    productType: String
    status: ProductStatus
    tags: [String!]
    title: String
    vendor: String
  }

  input ProductUpdateInput {
    descriptionHtml: String
    handle: String
    id: ID
    productType: String
    status: ProductStatus
    tags: [String!]
    title: String
    vendor: String
  }

  input ProductInput {
    descriptionHtml: String
    handle: String
    id: ID
    productType: String
    status: ProductStatus
    tags: [String!]
    title: String
    vendor: String
  }

  input ProductDeleteInput {
    id: ID!
  }

  type ProductCreatePayload {
    product: Product
    shop: Shop!
    userErrors: [UserError!]!
  }

  type ProductUpdatePayload {
    product: Product
    userErrors: [UserError!]!
  }

  type ProductDeletePayload {
    deletedProductId: ID
    shop: Shop!
    userErrors: [UserError!]!
  }

  enum WebhookSubscriptionFormat {
    JSON
    XML
  }

  type ApiVersion {
    displayName: String!
    handle: String!
    supported: Boolean!
  }

  union WebhookSubscriptionEndpoint =
    | WebhookEventBridgeEndpoint
    | WebhookHttpEndpoint
    | WebhookPubSubEndpoint

  type WebhookEventBridgeEndpoint {
    arn: ARN!
  }

  type WebhookHttpEndpoint {
    callbackUrl: URL!
  }

  type WebhookPubSubEndpoint {
    pubSubProject: String!
    pubSubTopic: String!
  }

  type WebhookSubscription implements LegacyInteroperability & Node {
    apiVersion: ApiVersion!
    callbackUrl: URL!
    createdAt: DateTime!
    endpoint: WebhookSubscriptionEndpoint!
    filter: String
    format: WebhookSubscriptionFormat!
    id: ID!
    includeFields: [String!]!
    legacyResourceId: UnsignedInt64!
    metafieldNamespaces: [String!]!
    metafields: [WebhookSubscriptionMetafieldIdentifier!]!
    topic: WebhookSubscriptionTopic!
    updatedAt: DateTime!
    uri: String!
  }

  type WebhookSubscriptionMetafieldIdentifier {
    key: String!
    namespace: String!
  }

  type WebhookSubscriptionConnection {
    edges: [WebhookSubscriptionEdge!]!
    nodes: [WebhookSubscription!]!
    pageInfo: PageInfo!
  }

  type WebhookSubscriptionEdge {
    cursor: String!
    node: WebhookSubscription!
  }

  input HasMetafieldsMetafieldIdentifierInput {
    key: String!
    namespace: String
  }

  input WebhookSubscriptionInput {
    callbackUrl: URL
    filter: String
    format: WebhookSubscriptionFormat
    includeFields: [String!]
    metafieldNamespaces: [String!]
    metafields: [HasMetafieldsMetafieldIdentifierInput!]
    uri: String
  }

  input EventBridgeWebhookSubscriptionInput {
    arn: ARN
    filter: String
    format: WebhookSubscriptionFormat
    includeFields: [String!]
    metafieldNamespaces: [String!]
  }

  input PubSubWebhookSubscriptionInput {
    filter: String
    format: WebhookSubscriptionFormat
    includeFields: [String!]
    metafieldNamespaces: [String!]
    pubSubProject: String!
    pubSubTopic: String!
  }

  type WebhookSubscriptionCreatePayload {
    userErrors: [UserError!]!
    webhookSubscription: WebhookSubscription
  }

  type WebhookSubscriptionUpdatePayload {
    userErrors: [UserError!]!
    webhookSubscription: WebhookSubscription
  }

  type WebhookSubscriptionDeletePayload {
    deletedWebhookSubscriptionId: ID
    userErrors: [UserError!]!
  }

  type EventBridgeWebhookSubscriptionCreatePayload {
    userErrors: [UserError!]!
    webhookSubscription: WebhookSubscription
  }

  type EventBridgeWebhookSubscriptionUpdatePayload {
    userErrors: [UserError!]!
    webhookSubscription: WebhookSubscription
  }

  type PubSubWebhookSubscriptionCreatePayload {
    userErrors: [PubSubWebhookSubscriptionCreateUserError!]!
    webhookSubscription: WebhookSubscription
  }

  type PubSubWebhookSubscriptionCreateUserError implements DisplayableError {
    field: [String!]
    message: String!
  }

  type PubSubWebhookSubscriptionUpdatePayload {
    userErrors: [PubSubWebhookSubscriptionUpdateUserError!]!
    webhookSubscription: WebhookSubscription
  }

  type PubSubWebhookSubscriptionUpdateUserError implements DisplayableError {
    field: [String!]
    message: String!
  }
`;

/** 2026-04 added the names of subscriptions. */
const SINCE_2026_04 = /* GraphQL */ `
  extend type WebhookSubscription {
    name: String
  }
  extend input WebhookSubscriptionInput {
    name: String
  }
  extend input EventBridgeWebhookSubscriptionInput {
    name: String
  }
  extend input PubSubWebhookSubscriptionInput {
    name: String
  }
`;

/** The schema definition for an API version, such as `2026-07` or `unstable`. */
export function adminSchema(version: string): string {
  const topics = `enum WebhookSubscriptionTopic { ${SUBSCRIBABLE_TOPICS.map(topicConstant).join(' ')} }`;
  // Versions have the same length, so text order is time order; `unstable` sorts after every year.
  return [
    BASE,
    topics,
    VARIANTS_SCHEMA,
    BILLING_SCHEMA,
    bulkSchema(version),
    version >= '2026-04' ? SINCE_2026_04 : '',
  ].join('\n');
}
