import type { StoreReply } from '../../http/store-request.js';

/**
 * The grant of a token request; `migration` exchanges a non-expiring offline token for an expiring
 * one.
 */
export type TokenGrant =
  'authorization_code' | 'token_exchange' | 'migration' | 'refresh_token' | 'client_credentials';

/** A request to the token endpoint. The object is live: the status is set with the response. */
export interface TokenRequest {
  /** As the request names it, valid or not. */
  readonly apiKey: string;
  readonly grant: TokenGrant;
  /** The kind of token that a token exchange requests; the other grants imply it. */
  readonly requested?: 'offline' | 'online';
  /**
   * HTTP status of the response; undefined while there is none, or when the connection was closed.
   */
  status?: number;
}

/**
 * Intercepts the responses of the token endpoint. Its result is sent; `'cut'` closes the connection
 * instead. `answer` does what the endpoint would have done, including rotating tokens: delay it,
 * delay its result, or do not call it.
 */
export type TokenRequestHook = (
  request: TokenRequest,
  answer: () => StoreReply,
) => StoreReply | 'cut' | Promise<StoreReply | 'cut'>;
