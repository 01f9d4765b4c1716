// The Admin API's documents about bulk operations. A single operation is read as a node, which
// every version can do.

/** Starts an export. */
export const RUN_QUERY = `#graphql
  mutation startBulkQuery($query: String!, $groupObjects: Boolean!) {
    outcome: bulkOperationRunQuery(query: $query, groupObjects: $groupObjects) {
      bulkOperation { id }
      userErrors { field message code }
    }
  }`;

/** Starts an import of an uploaded file. */
export const RUN_MUTATION = `#graphql
  mutation startBulkMutation($mutation: String!, $stagedUploadPath: String!) {
    outcome: bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $stagedUploadPath) {
      bulkOperation { id }
      userErrors { field message code }
    }
  }`;

/** Asks where a file of variables may be uploaded. */
export const STAGE_UPLOAD = `#graphql
  mutation stageBulkVariables($input: [StagedUploadInput!]!) {
    outcome: stagedUploadsCreate(input: $input) {
      stagedTargets { url parameters { name value } }
      userErrors { field message }
    }
  }`;

/** Reads how far an operation is. */
export const READ = `#graphql
  query readBulkOperation($id: ID!) {
    node(id: $id) {
      ... on BulkOperation {
        id type status errorCode objectCount rootObjectCount fileSize url partialDataUrl createdAt completedAt
      }
    }
  }`;

/** Stops an operation. */
export const CANCEL = `#graphql
  mutation cancelBulkOperation($id: ID!) {
    outcome: bulkOperationCancel(id: $id) {
      bulkOperation { id status }
      userErrors { field message }
    }
  }`;
