/**
 * The part of the Storefront GraphQL schema that the simulated store serves, the same in every
 * version that is still published. `npm run test:contract` compares it with the real ones.
 */
export const STOREFRONT_SCHEMA = /* GraphQL */ `
  directive @defer(if: Boolean = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT

  schema {
    query: QueryRoot
  }

  scalar DateTime
  scalar Decimal
  scalar HTML
  scalar URL

  interface Node {
    id: ID!
  }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
  }

  type QueryRoot {
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    product(handle: String, id: ID): Product
    products(
      after: String
      before: String
      first: Int
      last: Int
      query: String
      reverse: Boolean = false
      sortKey: ProductSortKeys = ID
    ): ProductConnection!
    shop: Shop!
  }

  type Shop implements Node {
    description: String
    id: ID!
    moneyFormat: String!
    name: String!
    primaryDomain: Domain!
  }

  type Domain {
    host: String!
    sslEnabled: Boolean!
    url: URL!
  }

  enum CurrencyCode {
    EUR
  }

  type MoneyV2 {
    amount: Decimal!
    currencyCode: CurrencyCode!
  }

  type ProductPriceRange {
    maxVariantPrice: MoneyV2!
    minVariantPrice: MoneyV2!
  }

  enum ProductSortKeys {
    CREATED_AT
    ID
    PRODUCT_TYPE
    TITLE
    UPDATED_AT
    VENDOR
  }

  type Product implements Node {
    availableForSale: Boolean!
    createdAt: DateTime!
    description(truncateAt: Int): String!
    descriptionHtml: HTML!
    handle: String!
    id: ID!
    priceRange: ProductPriceRange!
    productType: String!
    publishedAt: DateTime!
    tags: [String!]!
    title: String!
    updatedAt: DateTime!
    variants(
      after: String
      before: String
      first: Int
      last: Int
      reverse: Boolean = false
    ): ProductVariantConnection!
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

  type ProductVariant implements Node {
    availableForSale: Boolean!
    barcode: String
    id: ID!
    price: MoneyV2!
    product: Product!
    sku: String
    title: String!
  }

  type ProductVariantConnection {
    edges: [ProductVariantEdge!]!
    nodes: [ProductVariant!]!
    pageInfo: PageInfo!
  }

  type ProductVariantEdge {
    cursor: String!
    node: ProductVariant!
  }
`;
