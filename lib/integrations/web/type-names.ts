// Types of both hosts under the names that apps know from the platform's own packages.
import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { WebScopes } from './web-scopes.js';

/** The Admin API of one shop. */
export type AdminApiContext = AdminContext;
export type AdminGraphqlClient = AdminContext['graphql'];
/** The part of a context that asks for scopes. */
export interface ScopesContext {
  readonly scopes: WebScopes;
}
