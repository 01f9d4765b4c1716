import type { Untyped } from '../../core/json.js';

/** What a session token of the admin says. */
export interface SessionTokenPayload {
  /** The shop's admin, such as `https://dev-shop.myshopify.com/admin`. */
  readonly iss: string;
  /** The shop, such as `https://dev-shop.myshopify.com`. */
  readonly dest: string;
  /** The app's client id. */
  readonly aud: string;
  /** Id of the user. */
  readonly sub: string;
  /** Seconds since the epoch. */
  readonly exp: number;
  /** Seconds since the epoch. */
  readonly nbf: number;
  /** Seconds since the epoch. */
  readonly iat?: number | undefined;
  readonly jti?: string | undefined;
  /** Id of the user's session in the admin. */
  readonly sid?: string | undefined;
}

/** What the token of an extension says: it may name no audience, issuer or user. */
export type ExtensionTokenPayload = Partial<SessionTokenPayload> &
  Pick<SessionTokenPayload, 'dest' | 'exp' | 'nbf'> & {
    /** The purchase that a post-purchase page is shown for. Only its token has this. */
    readonly input_data?: Untyped;
  };
