// The GraphQL documents of bulk operations. An operation is read as a node, which every version
// supports.

/** Starts an export. */
export const RUN_QUERY = `#graphql
  mutation startBulkQuery($query: String!, $groupObjects: Boolean!) {
    bulkOperationRunQuery(query: $query, groupObjects: $groupObjects) {
      bulkOperation { id }
      userErrors { field message code }
    }
  }`;

/** Starts an import of an uploaded file. */
export const RUN_MUTATION = `#graphql
  mutation startBulkMutation($mutation: String!, $stagedUploadPath: String!) {
    bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $stagedUploadPath) {
      bulkOperation { id }
      userErrors { field message code }
    }
  }`;

/** Requests a target for the upload of a file of variables. */
export const STAGE_UPLOAD = `#graphql
  mutation stageBulkVariables($input: [StagedUploadInput!]!) {
    stagedUploadsCreate(input: $input) {
      stagedTargets { url parameters { name value } }
      userErrors { field message }
    }
  }`;

/** Reads the state of an operation. */
export const READ = `#graphql
  query readBulkOperation($id: ID!) {
    node(id: $id) {
      ... on BulkOperation {
        id type status errorCode objectCount rootObjectCount fileSize url partialDataUrl createdAt completedAt
      }
    }
  }`;

/** Cancels an operation. */
export const CANCEL = `#graphql
  mutation cancelBulkOperation($id: ID!) {
    bulkOperationCancel(id: $id) {
      bulkOperation { id status }
      userErrors { field message }
    }
  }`;
