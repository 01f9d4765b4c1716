import { parseScopes } from '../../base/access-scopes.js';
import type { AppRegistry } from '../../base/app-registry.js';
import type { Installations } from '../../state/apps/installations.js';
import type { ApiCall } from '../admin-api/admin-api-access.js';
import { scopesView } from './app.views.js';

interface RevokeError {
  field: string[];
  message: string;
  code: string;
}

/** The resolvers of the scope mutations for one caller. */
export function scopesRoot(
  installed: Installations,
  { token: { apiKey } }: ApiCall,
  apps: AppRegistry,
): Record<string, unknown> {
  return {
    appRevokeAccessScopes: ({ scopes }: { scopes: string[] }) => {
      const { scopes: granted, required } = installed.find(apiKey) ?? {};
      if (!granted || !required)
        return {
          revoked: null,
          userErrors: [refused('APP_NOT_INSTALLED', 'The app is not installed on this shop.')],
        };
      const { optionalScopes } = apps.require(apiKey);
      const kinds = new Set(
        scopes.map((scope) => kindOf(scope, { granted, required, optionalScopes })),
      );
      const kind = REFUSALS.find(([code]) => kinds.has(code));
      if (kind) return { revoked: null, userErrors: [refused(kind[0], kind[1])] };
      const revoked = granted.filter((scope) => scopes.includes(scope));
      // A required read scope may have been implied by an optional write scope.
      if (revoked.length > 0)
        installed.setScopes(apiKey, [
          ...granted.filter((scope) => !revoked.includes(scope)),
          ...required,
        ]);
      return { revoked: scopesView(revoked), userErrors: [] };
    },
  };
}

/** What forbids to revoke scopes, in the order in which the platform looks for it. */
const REFUSALS = [
  ['UNKNOWN_SCOPES', 'The requested list of scopes to revoke includes invalid handles.'],
  ['CANNOT_REVOKE_REQUIRED_SCOPES', 'Scopes that are declared as required cannot be revoked.'],
  ['CANNOT_REVOKE_IMPLIED_SCOPES', 'Scopes that are implied by other scopes cannot be revoked.'],
  ['CANNOT_REVOKE_UNDECLARED_SCOPES', 'Scopes that are not declared cannot be revoked.'],
] as const;

/** What forbids to revoke a scope; undefined for an optional one. */
function kindOf(
  scope: string,
  app: Readonly<Record<'granted' | 'required' | 'optionalScopes', readonly string[]>>,
): (typeof REFUSALS)[number][0] | undefined {
  if (!parseScopes(scope)) return 'UNKNOWN_SCOPES';
  if (app.required.includes(scope)) return 'CANNOT_REVOKE_REQUIRED_SCOPES';
  if (scope.includes('read_') && app.granted.includes(scope.replace('read_', 'write_')))
    return 'CANNOT_REVOKE_IMPLIED_SCOPES';
  return app.optionalScopes.includes(scope) ? undefined : 'CANNOT_REVOKE_UNDECLARED_SCOPES';
}

function refused(code: string, message: string): RevokeError {
  return { field: ['scopes'], message, code };
}
