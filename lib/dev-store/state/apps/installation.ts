/** An app in a shop. */
export interface Installation {
  readonly apiKey: string;
  readonly scopes: readonly string[];
  /** The scopes it cannot revoke. */
  readonly required: readonly string[];
  readonly installedAt: Date;
}
