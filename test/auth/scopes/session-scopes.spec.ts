import { describe, expect, it } from '@jest/globals';

import { NoScopesError } from '../../../lib/auth/auth.errors.js';
import { deniedForRevocationError } from '../../../lib/auth/scopes/session-scopes.js';
import { UserErrorsError } from '../../../lib/graphql-client/graphql-client.errors.js';

describe('a revocation of scopes', () => {
  it('is denied when no scope is named', () => {
    expect(deniedForRevocationError(new NoScopesError())).toMatchObject({
      kind: 'denied',
      status: 400,
      reason: 'no_scopes',
    });
  });

  it('is denied with the user errors of the platform', () => {
    const userErrors = [{ field: ['scopes'], message: 'read_orders is required' }];
    expect(deniedForRevocationError(new UserErrorsError(userErrors, {}))).toMatchObject({
      kind: 'denied',
      status: 422,
      reason: 'scopes_not_revoked',
      message: 'read_orders is required',
      userErrors,
    });
  });

  it('fails with any other error', () => {
    expect(deniedForRevocationError(new Error('no connection'))).toBeUndefined();
  });
});
