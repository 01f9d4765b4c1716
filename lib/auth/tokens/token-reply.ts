/** What the token endpoint answers. Lifetimes are in seconds; only online tokens name a user. */
export interface GrantedToken {
  readonly access_token: string;
  readonly scope: string;
  readonly expires_in?: number | null | undefined;
  readonly refresh_token?: string | null | undefined;
  readonly refresh_token_expires_in?: number | null | undefined;
  readonly associated_user_scope?: string | null | undefined;
  readonly associated_user?: { readonly id: number } | null | undefined;
}

/** A successful reply of the token endpoint, and when it was. */
export interface TokenReply extends GrantedToken {
  /**
   * By our clock. Lifetimes are counted from here, so that none is assumed to be longer than it
   * is.
   */
  readonly askedAt: Date;
  /** By the platform's clock, when its reply has a date, and no later than the grant. */
  readonly grantedAt: Date;
}

/** The grant a token comes from. */
export interface TokenOrigin {
  readonly shop: string;
  /** The `state` of the grant. @default '' */
  readonly state?: string | undefined;
  /**
   * Ids of online sessions are derived from the user in an embedded app, and random where a cookie
   * carries them.
   */
  readonly isEmbeddedApp: boolean;
}
