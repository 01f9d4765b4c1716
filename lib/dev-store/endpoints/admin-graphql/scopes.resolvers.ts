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

/** The resolvers of the scope mutations for one call. */
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
      const problemOf = (scope: string): RevokeError | undefined => {
        if (!parseScopes(scope)) return refused('UNKNOWN_SCOPES', `The scope ${scope} is unknown.`);
        if (required.includes(scope))
          return refused(
            'CANNOT_REVOKE_REQUIRED_SCOPES',
            `The scope ${scope} is required and cannot be revoked.`,
          );
        const isImplied =
          scope.includes('read_') && granted.includes(scope.replace('read_', 'write_'));
        if (isImplied)
          return refused(
            'CANNOT_REVOKE_IMPLIED_SCOPES',
            `The scope ${scope} is implied by another and cannot be revoked.`,
          );
        if (optionalScopes.includes(scope)) return undefined;
        return refused(
          'CANNOT_REVOKE_UNDECLARED_SCOPES',
          `The scope ${scope} is not declared as optional and cannot be revoked.`,
        );
      };
      const userErrors = scopes.map(problemOf).filter((problem) => problem !== undefined);
      if (userErrors.length > 0) return { revoked: null, userErrors };
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

function refused(code: string, message: string): RevokeError {
  return { field: ['scopes'], message, code };
}
