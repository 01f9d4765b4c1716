import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import { UserErrorsError } from '../../graphql-client/graphql-client.errors.js';
import type { UserError } from '../../graphql-client/graphql-client.errors.js';
import { NoScopesError } from '../auth.errors.js';
import type { ScopesCall, ScopesDetail, ScopesRevoked, ScopesService } from './scopes.service.js';

/** The scopes of the app in the shop of one request. */
export class SessionScopes {
  /** @param leave makes what a host throws to send the whole window to an address */
  constructor(
    private readonly scopes: ScopesService,
    private readonly call: ScopesCall,
    private readonly leave: (url: string) => unknown,
  ) {}

  /** What the shop has granted, and what the app is configured to ask for. */
  query(): Promise<ScopesDetail> {
    return this.scopes.query(this.call);
  }

  /**
   * Resolves when all of `scopes` are granted.
   * @throws what leads the merchant to where they can be granted, when one is not
   */
  async request(scopes: readonly string[]): Promise<void> {
    const url = await this.scopes.request({ ...this.call, scopes });
    if (url !== undefined) throw this.leave(url);
  }

  /**
   * Revokes optional scopes.
   * @throws {NoScopesError} for an empty list
   * @throws {UserErrorsError} when the platform refuses
   */
  revoke(scopes: readonly string[]): Promise<ScopesRevoked> {
    return this.scopes.revoke({ ...this.call, scopes });
  }
}

/** Scopes that were not revoked: none was named, or the platform refused with user errors. */
interface RevocationDenied extends DeniedDecision<'no_scopes' | 'scopes_not_revoked'> {
  readonly userErrors: readonly UserError[];
}

/** The denial for an error of {@link SessionScopes.revoke}; `undefined` for any other error. */
export function deniedForRevocationError(error: unknown): RevocationDenied | undefined {
  if (error instanceof NoScopesError)
    return { ...denied(400, 'no_scopes', 'No scopes provided'), userErrors: [] };
  if (error instanceof UserErrorsError)
    return {
      ...denied(422, 'scopes_not_revoked', error.message),
      userErrors: error.userErrors,
    };
  return undefined;
}
