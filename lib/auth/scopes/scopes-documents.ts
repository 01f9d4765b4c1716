// The Admin API's documents about access scopes.

/** Reads what a shop has granted, and what the app is configured to ask for. */
export const READ_SCOPES = `#graphql
  query readScopes {
    currentAppInstallation {
      accessScopes { handle }
      app {
        requestedAccessScopes { handle }
        optionalAccessScopes { handle }
      }
    }
  }`;

/** Gives optional scopes back. */
export const REVOKE_SCOPES = `#graphql
  mutation revokeScopes($scopes: [String!]!) {
    outcome: appRevokeAccessScopes(scopes: $scopes) {
      revoked { handle }
      userErrors { field message code }
    }
  }`;
