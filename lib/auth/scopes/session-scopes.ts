import type { ScopesCall, ScopesDetail, ScopesRevoked, ScopesService } from './scopes.service.js';

/** What the app may do in the shop of one request. */
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
   * Resolves when all of `scopes` are granted. @throws what leads the merchant to where they can be
   * granted, when one is not
   */
  async request(scopes: readonly string[]): Promise<void> {
    const url = await this.scopes.request({ ...this.call, scopes });
    if (url !== undefined) throw this.leave(url);
  }

  /**
   * Gives optional scopes back. @throws {NoScopesError} for an empty list @throws {UserErrorsError}
   * when the platform refuses
   */
  revoke(scopes: readonly string[]): Promise<ScopesRevoked> {
    return this.scopes.revoke({ ...this.call, scopes });
  }
}
