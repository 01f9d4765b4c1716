/**
 * The variants of products in the Admin GraphQL schema, as far as they can be read and changed by
 * themselves.
 */
export const VARIANTS_SCHEMA = /* GraphQL */ `
  extend type QueryRoot {
    productVariant(id: ID!): ProductVariant
  }

  extend type Mutation {
    productVariantsBulkUpdate(
      allowPartialUpdates: Boolean = false
      productId: ID!
      variants: [ProductVariantsBulkInput!]!
    ): ProductVariantsBulkUpdatePayload
  }

  type ProductVariant implements LegacyInteroperability & Node {
    barcode: String
    createdAt: DateTime!
    displayName: String!
    id: ID!
    inventoryQuantity: Int
    legacyResourceId: UnsignedInt64!
    position: Int!
    price: Money!
    product: Product!
    sku: String
    title: String!
    updatedAt: DateTime!
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

  input InventoryItemInput {
    sku: String
  }

  input ProductVariantsBulkInput {
    barcode: String
    id: ID
    inventoryItem: InventoryItemInput
    price: Money
  }

  type ProductVariantsBulkUpdatePayload {
    product: Product
    productVariants: [ProductVariant!]
    userErrors: [ProductVariantsBulkUpdateUserError!]!
  }

  type ProductVariantsBulkUpdateUserError implements DisplayableError {
    code: ProductVariantsBulkUpdateUserErrorCode
    field: [String!]
    message: String!
  }

  enum ProductVariantsBulkUpdateUserErrorCode {
    GREATER_THAN_OR_EQUAL_TO
    INVALID_VALUE
    PRODUCT_DOES_NOT_EXIST
    PRODUCT_VARIANT_DOES_NOT_EXIST
    PRODUCT_VARIANT_ID_MISSING
  }
`;
