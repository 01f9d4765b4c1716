/** An access token that a shop has issued. */
export interface AccessToken {
  readonly token: string;
  readonly apiKey: string;
  readonly mode: 'offline' | 'online';
  readonly scopes: readonly string[];
  /** Undefined for a non-expiring offline token. */
  readonly expiresAt?: Date;
  /** Of a delegated token: the token that it was made with, and ends with. */
  readonly parent?: string;
}

/** An expiring offline token and its refresh token. */
export interface TokenPair {
  readonly access: AccessToken;
  readonly refreshToken: string;
  readonly refreshExpiresAt: Date;
}
