/** Bulk operations and staged uploads, as in every version that is still published. */
const EVERY_VERSION = /* GraphQL */ `
  extend type QueryRoot {
    currentBulkOperation(type: BulkOperationType = QUERY): BulkOperation
  }

  extend type Mutation {
    bulkOperationCancel(id: ID!): BulkOperationCancelPayload
    stagedUploadsCreate(input: [StagedUploadInput!]!): StagedUploadsCreatePayload
  }

  type BulkOperation implements Node {
    completedAt: DateTime
    createdAt: DateTime!
    errorCode: BulkOperationErrorCode
    fileSize: UnsignedInt64
    id: ID!
    objectCount: UnsignedInt64!
    partialDataUrl: URL
    query: String!
    rootObjectCount: UnsignedInt64!
    status: BulkOperationStatus!
    type: BulkOperationType!
    url: URL
  }

  enum BulkOperationStatus {
    CANCELED
    CANCELING
    COMPLETED
    CREATED
    EXPIRED
    FAILED
    RUNNING
  }

  enum BulkOperationType {
    MUTATION
    QUERY
  }

  enum BulkOperationErrorCode {
    ACCESS_DENIED
    INTERNAL_SERVER_ERROR
    TIMEOUT
  }

  type BulkOperationRunQueryPayload {
    bulkOperation: BulkOperation
    userErrors: [BulkOperationUserError!]!
  }

  type BulkOperationUserError implements DisplayableError {
    code: BulkOperationUserErrorCode
    field: [String!]
    message: String!
  }

  enum BulkOperationUserErrorCode {
    INVALID
    LIMIT_REACHED
    OPERATION_IN_PROGRESS
  }

  type BulkOperationRunMutationPayload {
    bulkOperation: BulkOperation
    userErrors: [BulkMutationUserError!]!
  }

  type BulkMutationUserError implements DisplayableError {
    code: BulkMutationErrorCode
    field: [String!]
    message: String!
  }

  enum BulkMutationErrorCode {
    INTERNAL_FILE_SERVER_ERROR
    INVALID_MUTATION
    INVALID_STAGED_UPLOAD_FILE
    LIMIT_REACHED
    NO_SUCH_FILE
    OPERATION_IN_PROGRESS
  }

  type BulkOperationCancelPayload {
    bulkOperation: BulkOperation
    userErrors: [UserError!]!
  }

  input StagedUploadInput {
    fileSize: UnsignedInt64
    filename: String!
    httpMethod: StagedUploadHttpMethodType = PUT
    mimeType: String!
    resource: StagedUploadTargetGenerateUploadResource!
  }

  enum StagedUploadHttpMethodType {
    POST
    PUT
  }

  enum StagedUploadTargetGenerateUploadResource {
    BULK_MUTATION_VARIABLES
  }

  type StagedUploadsCreatePayload {
    stagedTargets: [StagedMediaUploadTarget!]
    userErrors: [UserError!]!
  }

  type StagedMediaUploadTarget {
    parameters: [StagedUploadParameter!]!
    resourceUrl: URL
    url: URL
  }

  type StagedUploadParameter {
    name: String!
    value: String!
  }
`;

const BEFORE_2026_01 = /* GraphQL */ `
  extend type Mutation {
    bulkOperationRunMutation(
      clientIdentifier: String
      groupObjects: Boolean! = true
      mutation: String!
      stagedUploadPath: String!
    ): BulkOperationRunMutationPayload
    bulkOperationRunQuery(
      groupObjects: Boolean! = true
      query: String!
    ): BulkOperationRunQueryPayload
  }
`;

/**
 * 2026-01 added several operations at a time, which can be queried; grouping is an argument from
 * then on.
 */
const SINCE_2026_01 = /* GraphQL */ `
  extend type QueryRoot {
    bulkOperation(id: ID!): BulkOperation
    bulkOperations(
      after: String
      before: String
      first: Int
      last: Int
      query: String
      reverse: Boolean = false
      sortKey: BulkOperationsSortKeys = CREATED_AT
    ): BulkOperationConnection!
  }

  extend type Mutation {
    bulkOperationRunMutation(
      clientIdentifier: String
      groupObjects: Boolean = true
      mutation: String!
      stagedUploadPath: String!
    ): BulkOperationRunMutationPayload
    bulkOperationRunQuery(
      groupObjects: Boolean! = false
      query: String!
    ): BulkOperationRunQueryPayload
  }

  enum BulkOperationsSortKeys {
    COMPLETED_AT
    CREATED_AT
  }

  type BulkOperationConnection {
    edges: [BulkOperationEdge!]!
    nodes: [BulkOperation!]!
    pageInfo: PageInfo!
  }

  type BulkOperationEdge {
    cursor: String!
    node: BulkOperation!
  }
`;

/** The schema definition of bulk operations in an API version; it extends that of the Admin API. */
export function bulkSchema(version: string): string {
  return EVERY_VERSION + (version >= '2026-01' ? SINCE_2026_01 : BEFORE_2026_01);
}
