import { randomBytes } from 'node:crypto';

/** A public token is for browsers, a private one for servers. */
export type StorefrontTokenKind = 'public' | 'private';

/** The tokens of one shop's storefront. */
export class StorefrontTokens {
  private readonly issued = new Map<
    string,
    { kind: StorefrontTokenKind; scopes: readonly string[] }
  >();

  issue(kind: StorefrontTokenKind, scopes: readonly string[]): string {
    const token = `${kind === 'private' ? 'shpsb_' : ''}${randomBytes(16).toString('hex')}`;
    this.issued.set(token, { kind, scopes });
    return token;
  }

  /** The scopes of a token, unless it is unknown or of the other kind. */
  scopesOf(kind: StorefrontTokenKind, token = ''): readonly string[] | undefined {
    const found = this.issued.get(token);
    return found?.kind === kind ? found.scopes : undefined;
  }
}
