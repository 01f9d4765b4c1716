import { describe, expect, it } from '@jest/globals';
import * as graphql from 'graphql';
import { maxCostMessage, QueryCost } from '../../../lib/dev-store/graphql/graphql-cost.js';

/** A schema in the shape of the platform's: the cost follows from types and names alone. */
const SCHEMA = graphql.buildSchema(/* GraphQL */ `
  schema {
    query: QueryRoot
    mutation: Mutation
  }
  interface Node {
    id: ID!
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type Count {
    count: Int!
  }
  type MoneyV2 {
    amount: String!
    currencyCode: String!
  }
  type MoneyBag {
    shopMoney: MoneyV2!
  }
  enum Status {
    ACTIVE
    DRAFT
  }
  type Shop implements Node {
    id: ID!
    name: String!
    status: Status
    billingAddress: MailingAddress
    domains: [Domain!]!
  }
  type Domain {
    host: String!
    market: Market
  }
  type Market {
    name: String!
  }
  type MailingAddress implements Node {
    id: ID!
    city: String
  }
  type MailingAddressConnection {
    edges: [MailingAddressEdge!]!
    nodes: [MailingAddress!]!
    pageInfo: PageInfo!
  }
  type MailingAddressEdge {
    cursor: String!
    node: MailingAddress!
  }
  type InventoryItem implements Node {
    id: ID!
    tracked: Boolean
    unitCost: MoneyV2
    measurement: InventoryItemMeasurement
  }
  type InventoryItemMeasurement {
    weight: Float
  }
  type Variant implements Node {
    id: ID!
    price: MoneyV2
    inventoryItem: InventoryItem
    product: Product!
  }
  type VariantConnection {
    edges: [VariantEdge!]!
    nodes: [Variant!]!
    pageInfo: PageInfo!
    filters: [Filter!]!
  }
  type VariantEdge {
    cursor: String!
    node: Variant!
  }
  type Filter {
    label: String!
  }
  type Seo {
    title: String
  }
  type Product implements Node {
    id: ID!
    title: String!
    seo: Seo
    priceRange: MoneyBag
    variantsCount: Count
    variants(first: Int, last: Int, after: String): VariantConnection!
    media(first: Int = 10): MediaConnection!
  }
  interface Media {
    alt: String
    preview: Preview
  }
  type Preview {
    url: String
  }
  type MediaImage implements Media & Node {
    id: ID!
    alt: String
    preview: Preview
    image: Image
  }
  type Image {
    url: String
    thumbnail: Image
  }
  type Video implements Media & Node {
    id: ID!
    alt: String
    preview: Preview
    sources: [Source!]!
  }
  type Source {
    url: String
  }
  type MediaConnection {
    edges: [MediaEdge!]!
    nodes: [Media!]!
    pageInfo: PageInfo!
  }
  type MediaEdge {
    cursor: String!
    node: Media!
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
  type Customer implements Node {
    id: ID!
    defaultAddress: MailingAddress
    phone: Phone
    addresses(first: Int): MailingAddressConnection!
  }
  type Phone {
    number: String
  }
  type CustomerConnection {
    edges: [CustomerEdge!]!
    nodes: [Customer!]!
    pageInfo: PageInfo!
  }
  type CustomerEdge {
    cursor: String!
    node: Customer!
  }
  union WebhookSubscriptionEndpoint = WebhookHttpEndpoint | WebhookPubSubEndpoint
  type WebhookHttpEndpoint {
    callbackUrl: String!
  }
  type WebhookPubSubEndpoint {
    pubSubTopic: String!
  }
  type WebhookSubscription implements Node {
    id: ID!
    topic: String!
    endpoint: WebhookSubscriptionEndpoint!
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
  union Discount = BasicDiscount | FreeShipping
  type BasicDiscount {
    title: String!
    combinesWith: Combinations
    codes(first: Int): CodeConnection!
  }
  type Combinations {
    order: Boolean
  }
  type FreeShipping {
    title: String!
  }
  type CodeConnection {
    nodes: [Code!]!
    pageInfo: PageInfo!
  }
  type Code {
    code: String!
  }
  type DiscountNode implements Node {
    id: ID!
    discount: Discount!
  }
  type DiscountNodeConnection {
    edges: [DiscountNodeEdge!]!
    nodes: [DiscountNode!]!
    pageInfo: PageInfo!
  }
  type DiscountNodeEdge {
    cursor: String!
    node: DiscountNode!
  }
  type Collection implements Node {
    id: ID!
    image: Image
    productsCount: Count
    seo: Seo
    ruleSet: CollectionRuleSet
    products(first: Int): ProductConnection!
  }
  type CollectionRuleSet {
    rules: [CollectionRule!]!
  }
  type CollectionRule {
    column: String!
  }
  type QueryRoot {
    collection(id: ID!): Collection
    shop: Shop!
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    product(id: ID): Product
    products(first: Int, last: Int, after: String): ProductConnection
    productsCount: Count
    customers(first: Int): CustomerConnection!
    webhookSubscriptions(first: Int, last: Int, after: String): WebhookSubscriptionConnection!
    discountNodes(first: Int): DiscountNodeConnection!
    discountNodesCount: Count
    version: String
  }
  type UserError {
    field: [String!]
    message: String!
  }
  type ProductPayload {
    product: Product
    shop: Shop!
    userErrors: [UserError!]!
  }
  type DiscountPayload {
    discountNode: DiscountNode
    userErrors: [UserError!]!
  }
  type Mutation {
    productCreate(title: String): ProductPayload
    discountCreate: DiscountPayload
  }
`);

function costOf(query: string, variables: Record<string, unknown> = {}): QueryCost {
  const document = graphql.parse(query);
  expect(graphql.validate(SCHEMA, document)).toEqual([]);
  const operation = graphql.getOperationAST(document);
  if (!operation) throw new Error('The document has one operation');
  const { coerced = {} } = graphql.getVariableValues(
    SCHEMA,
    operation.variableDefinitions ?? [],
    variables,
  );
  return new QueryCost({ graphql, schema: SCHEMA, document, operation, variables: coerced });
}

const SUBSCRIPTIONS = (args: string): string =>
  `{ webhookSubscriptions(${args}) {
    edges { node { id topic endpoint {
      __typename ... on WebhookHttpEndpoint { callbackUrl } ... on WebhookPubSubEndpoint { pubSubTopic }
    } } }
    pageInfo { endCursor hasNextPage }
  } }`;
const WINDOWS = `query ($first: Int, $last: Int) { webhookSubscriptions(first: $first, last: $last) {
  nodes { id endpoint { ... on WebhookHttpEndpoint { callbackUrl } } }
  edges { cursor node { id topic } }
  pageInfo { endCursor }
} }`;

describe('The requested cost', () => {
  // What the platform answered, for documents of this shape.
  it.each([
    // the registration of the official library
    [SUBSCRIPTIONS('first: 250'), {}, 13],
    [
      `{ a: collection(id: 1) { ...C } b: collection(id: 2) { ...C } }
      fragment C on Collection {
        image { url } productsCount { count } seo { title } ruleSet { rules { column } }
        products(first: 3) { edges { node { id } } pageInfo { endCursor } }
      }`,
      {},
      16,
    ],
    [
      '{ product(id: 1) { variants(first: 250) { nodes { inventoryItem { id tracked } } } } }',
      {},
      25,
    ],
    [WINDOWS, { first: 3 }, 6],
    [WINDOWS, { first: 2 }, 4],
    [WINDOWS, { last: 1 }, 4],
    ['{ webhookSubscriptions { nodes { id } } }', {}, 2],
    ['{ webhookSubscriptions(first: 1, last: 1) { nodes { id } } }', {}, 3],
    ['{ products(first: 5) { nodes { id } } productsCount { count } }', {}, 15],
    [
      '{ a: productsCount { count } b: productsCount { count } c: productsCount { count } }',
      {},
      30,
    ],
    ['{ products(first: 10) { nodes { id } } again: products(first: 1) { nodes { id } } }', {}, 9],
    [
      '{ customers(first: 5) { edges { node { phone { number } defaultAddress { city } } } } }',
      {},
      8,
    ],
    ['mutation { productCreate { product { variants(first: 5) { nodes { id } } } } }', {}, 15],
    [
      'mutation { productCreate { product { title } shop { name } userErrors { message } } }',
      {},
      10,
    ],
    ['mutation { discountCreate { discountNode { id discount { __typename } } } }', {}, 11],
    [
      'mutation ($no: Boolean!) { productCreate @include(if: true) @skip(if: $no) { product { id } } }',
      { no: true },
      1,
    ],
    [
      `{ discountNodes(first: 10) { nodes { discount {
        ... on BasicDiscount { title } ... on FreeShipping { title }
      } } } discountNodesCount { count } }`,
      {},
      20,
    ],
    [
      `query ($n: Int!) { discountNodes(first: $n) {
        nodes { id discount { ... on BasicDiscount { combinesWith { order } codes(first: 2) { nodes { code } } } } }
        edges { node { id discount { ... on BasicDiscount { combinesWith { order } codes(first: 2) { nodes { code } } } } } }
      } discountNodesCount { count } }`,
      { n: 2 },
      24,
    ],
  ])('of %s with %j is the recorded one, %i', (query, variables, cost) => {
    expect(costOf(query, variables).requested()).toBe(cost);
  });

  // Worked out by hand: 2 + max(1, ⌊2 ln n⌋) × what an item costs.
  it.each([
    ['{ shop { name status } }', {}, 1],
    ['{ shop { name } version }', {}, 1],
    ['{ version }', {}, 1],
    ['{ __typename }', {}, 1],
    ['{ a: shop { id } b: shop { id } }', {}, 2],
    ['{ shop { id } shop { name } }', {}, 1],
    ['{ shop { billingAddress { city } } }', {}, 1],
    ['{ shop { domains { host market { name } } } }', {}, 3],
    ['{ product { title seo { title } } }', {}, 2],
    ['{ product { priceRange { shopMoney { amount } } } }', {}, 1],
    ['{ product { variantsCount { count } } }', {}, 2],
    ['{ node(id: 1) { id } }', {}, 1],
    ['{ node(id: 1) { ... on Product { seo { title } } } }', {}, 2],
    // the dearest of the possible types, not the sum
    [
      '{ node(id: 1) { ... on Product { seo { title } } ... on Shop { domains { market { name } } } } }',
      {},
      3,
    ],
    [
      '{ node(id: 1) { ... on Media { preview { url } } ... on MediaImage { image { url } } } }',
      {},
      3,
    ],
    ['{ nodes(ids: [1, 2, 3]) { id } }', {}, 1],
    // ⌊2 ln n⌋ of 1, 2, 3, 4, 5, 7, 10, 50, 100 and 250 is 0, 1, 2, 2, 3, 3, 4, 7, 9 and 11
    ['{ products(first: 1) { nodes { id } } }', {}, 3],
    ['{ products(first: 2) { nodes { id } } }', {}, 3],
    ['{ products(first: 3) { nodes { id } } }', {}, 4],
    ['{ products(first: 4) { nodes { id } } }', {}, 4],
    ['{ products(first: 7) { nodes { id } } }', {}, 5],
    ['{ products(last: 10) { nodes { id } } }', {}, 6],
    ['{ products(first: 50) { edges { node { id } } } }', {}, 9],
    ['{ products(first: 100) { edges { cursor } } }', {}, 2],
    ['{ products(first: 250) { pageInfo { endCursor } } }', {}, 2],
    ['{ products(first: 100) { edges { node { id title } } pageInfo { endCursor } } }', {}, 11],
    ['query ($n: Int = 50) { products(first: $n) { nodes { id } } }', {}, 9],
    ['query ($n: Int = 50) { products(first: $n) { nodes { id } } }', { n: 3 }, 4],
    // the default of the argument, 10
    ['{ product { media { nodes { alt } } } }', {}, 7],
    ['{ product { media { nodes { alt preview { url } } } } }', {}, 11],
    [
      '{ product { media(first: 3) { nodes { ... on MediaImage { image { url } } ... on Video { sources { url } } } } } }',
      {},
      7,
    ],
    ['{ product { variants(first: 5) { nodes { id } filters { label } } } }', {}, 7],
    ['{ product { variants(first: 5) { nodes { price { amount } } } } }', {}, 6],
    [
      '{ product { variants(first: 5) { nodes { inventoryItem { unitCost { amount } measurement { weight } } } } } }',
      {},
      9,
    ],
    // an address as an item is an object, as a field a value
    ['{ customers(first: 3) { nodes { addresses(first: 3) { nodes { city } } } } }', {}, 12],
    [
      '{ customers(first: 3) { nodes { addresses(first: 3) { edges { node { city } } } } } }',
      {},
      12,
    ],
    // 2 + 7 × (1 + 2 + 3 × 1)
    [
      '{ products(first: 50) { nodes { id variants(first: 5) { edges { node { id } } } } } }',
      {},
      44,
    ],
    // 2 + 11 × (1 + 2 + 11 × (1 + 1))
    [
      '{ products(first: 250) { nodes { variants(first: 250) { nodes { inventoryItem { id } } } } } }',
      {},
      277,
    ],
    [
      '{ products(first: 5) { ...Page } } fragment Page on ProductConnection { nodes { ...P ...P } } fragment P on Product { seo { title } }',
      {},
      8,
    ],
    [
      'mutation { a: productCreate { product { id } } b: productCreate { product { id } } }',
      {},
      20,
    ],
    [
      'mutation { productCreate { product { seo { title } variants(first: 1) { nodes { id } } } } }',
      {},
      14,
    ],
  ])('of %s with %j is %i', (query, variables, cost) => {
    expect(costOf(query, variables).requested()).toBe(cost);
  });

  it('is found at once, however often fragments repeat each other', () => {
    const fragments = Array.from(
      { length: 200 },
      (_, i) =>
        `fragment F${i} on Image { ${i < 199 ? `a: thumbnail { ...F${i + 1} } b: thumbnail { ...F${i + 1} }` : 'url'} }`,
    );
    const query = `{ node(id: 1) { ... on MediaImage { image { ...F0 } } } } ${fragments.join(' ')}`;
    expect(costOf(query).requested()).toBeGreaterThan(2 ** 199);
  });
});

describe('The actual cost', () => {
  const items = (length: number, item: object = { id: 1 }): object[] => Array(length).fill(item);

  // What the platform answered, for documents and responses of this shape.
  it.each([
    ['{ product { variants(first: 250) { nodes { id } } } }', { product: null }, 1],
    ['{ products(first: 10) { nodes { id } } }', { products: { nodes: items(3) } }, 4],
    ['{ products(first: 10) { nodes { id } } }', { products: { nodes: items(2) } }, 3],
    ['{ products(first: 5) { nodes { id } } }', { products: { nodes: [] } }, 5],
    ['{ products(first: 2) { edges { node { id } } } }', { products: { edges: [] } }, 2],
    [
      '{ discountNodes(first: 2) { nodes { discount { __typename } } edges { node { id } } } }',
      { discountNodes: { nodes: [], edges: [] } },
      3,
    ],
    ['{ products(first: 1) { nodes { id } } }', { products: null }, 2],
    ['{ webhookSubscriptions(first: 1, last: 1) { nodes { id } } }', null, 2],
    [
      'mutation { productCreate { product { variants(first: 5) { nodes { id } } } } }',
      { productCreate: { product: { variants: { nodes: items(1) } } } },
      13,
    ],
  ])('of %s that returned %j is the recorded one, %i', (query, data, cost) => {
    expect(costOf(query).actual(data)).toBe(cost);
  });

  it.each([
    ['{ shop { id } }', { shop: { id: 1 } }, 1],
    ['mutation { productCreate { product { seo { title } } } }', { productCreate: null }, 10],
    ['{ product { seo { title } } }', { product: { seo: null } }, 2],
    // the items of one page cost what the dearest does
    [
      '{ products(first: 50) { nodes { seo { title } variants(first: 50) { nodes { id } } } } }',
      {
        products: {
          nodes: [
            { seo: null, variants: { nodes: items(1) } },
            { seo: {}, variants: { nodes: items(5) } },
          ],
        },
      },
      9,
    ],
    [
      '{ nodes(ids: [1, 2]) { ... on Product { seo { title } } ... on Shop { domains { market { name } } } } }',
      { nodes: [{ seo: {} }, null] },
      2,
    ],
  ])('of %s that returned %j is %i', (query, data, cost) => {
    expect(costOf(query).actual(data)).toBe(cost);
  });

  it('is never above the requested one, and that of empty fields when only errors came back', () => {
    const cost = costOf('{ products(first: 2) { nodes { id seo { title } } } shop { id } }');
    expect(cost.actual({ products: { nodes: items(250) }, shop: {} })).toBe(cost.requested());
    expect(cost.actual(null)).toBe(3);
  });
});

it('A query above the highest cost is told of bulk operations', () => {
  expect(maxCostMessage(2003).split('\n')).toEqual([
    'Query cost is 2003, which exceeds the single query max cost limit (1000).',
    '',
    'See https://shopify.dev/concepts/about-apis/rate-limits for more information on how the',
    'cost of a query is calculated.',
    '',
    'To query larger amounts of data with fewer limits, bulk operations should be used instead.',
    'See https://shopify.dev/tutorials/perform-bulk-operations-with-admin-api for usage details.',
    '',
  ]);
});
