import type { StoreReply } from '../../http/store-request.js';

/**
 * What a token is asked for with; `migration` trades a non-expiring offline token for an expiring
 * one.
 */
export type TokenGrant =
  'authorization_code' | 'token_exchange' | 'migration' | 'refresh_token' | 'client_credentials';

/** A request that the token endpoint got. The object is live: the status comes with the answer. */
export interface TokenRequest {
  /** As the request names it, right or wrong. */
  readonly apiKey: string;
  readonly grant: TokenGrant;
  /** The kind of token a token exchange asks for; the other grants imply it. */
  readonly requested?: 'offline' | 'online';
  /** HTTP status of the answer; undefined while there is none, or when the connection was cut. */
  status?: number;
}

/**
 * Stands between the token endpoint and its answers. What it returns is sent; `'cut'` ends the
 * connection instead. `answer` does what the endpoint would have done, tokens rotated and all: wait
 * before it or after it, or leave it out.
 */
export type TokenRequestHook = (
  request: TokenRequest,
  answer: () => StoreReply,
) => StoreReply | 'cut' | Promise<StoreReply | 'cut'>;
