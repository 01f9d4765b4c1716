import * as v from 'valibot';

import { isAccessToken } from '../../core/api.session.js';
import type { PlatformConfig } from '../../core/config/platform.config.js';
import { errorFor, parsedBody } from '../../core/http/error-response.js';
import { HttpTransport } from '../../core/http/http.transport.js';
import { userAgent } from '../../core/http/user-agent.js';
import { OAUTH_TOKEN_PATH } from '../../core/vendor.js';
import { InvalidTokenReplyError } from '../auth.errors.js';

/** A merchant's browser waits for the answer. In milliseconds. */
const TIMEOUT = 10_000;

const COUNT = v.pipe(v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]), v.safeInteger(), v.minValue(0));
const REPLY = v.looseObject({
  access_token: v.custom<string>(isAccessToken),
  scope: v.optional(v.string(), ''),
  expires_in: v.nullish(COUNT),
  refresh_token: v.nullish(v.string()),
  refresh_token_expires_in: v.nullish(COUNT),
  associated_user_scope: v.nullish(v.string()),
  associated_user: v.nullish(v.looseObject({ id: COUNT })),
});

/** What the token endpoint grants. Times to live are in seconds; a user is named in online tokens only. */
export type TokenReply = v.InferOutput<typeof REPLY>;

/** Speaks to the token endpoint of a shop. */
export class TokenClient {
  constructor(
    private readonly config: PlatformConfig,
    private readonly transport: HttpTransport,
  ) {}

  /**
   * Trades an authorization code for an access token.
   * @throws {HttpRequestError} when there is no reply within ten seconds
   * @throws {HttpResponseError} when the reply is not a success
   * @throws {InvalidTokenReplyError} when the reply holds no token
   */
  exchangeCode(shop: string, code: string): Promise<TokenReply> {
    return this.#request(shop, { code, expiring: '0' });
  }

  async #request(shop: string, fields: Readonly<Record<string, string>>): Promise<TokenReply> {
    const [client_secret] = this.config.apiSecretKeys;
    const { response, text } = await this.transport.sendAndRead(this.config.shopOrigin(shop) + OAUTH_TOKEN_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': userAgent(this.config) },
      body: JSON.stringify({ client_id: this.config.apiKey, client_secret, ...fields }),
      // A redirect would carry the secret to wherever it points.
      redirect: 'error',
      timeout: TIMEOUT,
    });
    const body = parsedBody(text);
    if (!response.ok) throw errorFor({ response, attempts: 1 }, body);
    const reply = v.safeParse(REPLY, body);
    if (!reply.success)
      throw new InvalidTokenReplyError(`The token endpoint of ${shop} answered ${response.status} without a usable token.`);
    return reply.output;
  }
}
