import { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import type { GraphqlRequest } from '../../graphql-client/graphql.client.js';
import { AdminRestClient } from '../../rest-client/admin-rest.client.js';
import type { RestClient } from '../../rest-client/rest.client.js';
import type { Session } from '../../sessions/session.js';

/** The Admin API of one shop, with the token of one session. */
export interface AdminContext {
  readonly session: Session;
  /** `graphql(query, { variables })`. @throws {GraphqlQueryError} when the reply holds errors */
  readonly graphql: GraphqlRequest;
  readonly rest: RestClient;
}

/**
 * Binds the API clients to a session.
 * @throws {MissingRequiredArgument} when the session has no access token
 */
export function createAdminContext(session: Session, graphql: AdminGraphqlClient, rest: AdminRestClient): AdminContext {
  const client = graphql.for(session);
  return { session, graphql: client.request.bind(client), rest: rest.for(session) };
}
