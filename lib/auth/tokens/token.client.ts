import * as v from 'valibot';

import { isAccessToken } from '../../core/api-session.js';
import { errorFor } from '../../core/http/failed-reply.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import {
  HttpInternalError,
  HttpRequestError,
  HttpResponseError,
  HttpTimeoutError,
} from '../../core/http/http.errors.js';
import { parsedBody } from '../../core/json.js';
import { HttpTransport } from '../../core/http/http-transport.js';
import { textWithin } from '../../core/http/reply-body.js';
import { userAgent } from '../../core/http/api-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import { redactedText } from '../../core/redaction.js';
import {
  GRANT_TYPES,
  ID_TOKEN_TYPE,
  OAUTH_TOKEN_PATH,
  RequestedTokenType,
} from '../../core/vendor.js';
import { InvalidTokenReplyError } from '../auth.errors.js';
import type { GrantedToken, TokenReply } from './token-reply.js';

/** One attempt to get a reply; in milliseconds. */
interface Attempt {
  readonly pause: number;
  readonly timeout: number;
}

/** A merchant's browser may be waiting for the reply. */
const FIRST: Attempt = { pause: 0, timeout: 10_000 };
/**
 * For a repeatable request whose reply was lost. With the first attempt they take 26.5 s at most:
 * other processes wait 30 s for the shop's lock.
 */
const REPEATS: readonly Attempt[] = [250, 500, 750].map((pause) => ({ pause, timeout: 5_000 }));
/**
 * The lifetime of a token whose reply does not say it, in seconds: what the platform gives an
 * expiring offline token.
 */
const ASSUMED_LIFETIME = 3600;
/**
 * How far the clocks may differ and still count as synchronous, in milliseconds: the platform's
 * time comes from a header that counts whole seconds.
 */
const CLOCK_TOLERANCE_MS = 2000;

/** Bytes: far more than a token, or the page of a gateway, has. What is longer is not read on. */
const LONGEST_REPLY = 1024 * 1024;

const COUNT = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]),
  v.safeInteger(),
  v.minValue(0),
);
const REPLY: v.GenericSchema<unknown, GrantedToken> = v.looseObject({
  access_token: v.custom<string>(isAccessToken),
  scope: v.optional(v.string(), ''),
  expires_in: v.nullish(COUNT),
  refresh_token: v.nullish(v.string()),
  refresh_token_expires_in: v.nullish(COUNT),
  associated_user_scope: v.nullish(v.string()),
  associated_user: v.nullish(v.looseObject({ id: COUNT })),
});

/** Which kind of offline token is wanted. */
export interface ExchangeOptions {
  /** @default the app's `expiringOfflineAccessTokens` */
  readonly expiring?: boolean | undefined;
}

type Fields = Readonly<Record<string, string>>;

interface TokenRequest {
  readonly fields: Fields;
  /**
   * Whether it is sent again when its reply was lost, and the platform may have processed it:
   * never, unless the reply timed out, or always.
   */
  readonly repeatable: 'never' | 'unless timed out' | 'always';
  /** The token expires, whether the reply says so or not. */
  readonly expires: boolean;
}

/**
 * Requests tokens from the token endpoint of a shop. Each method rejects with
 * {@link HttpRequestError} when there is no reply within ten seconds, {@link HttpResponseError}
 * when the reply is not a success, {@link InvalidTokenReplyError} when it holds no token. A
 * repeatable request is sent up to four times within 27 seconds while its reply is missing,
 * incomplete or a failure of the platform.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens
 */
export class TokenClient {
  constructor(
    private readonly config: PlatformConfig,
    private readonly transport: HttpTransport,
    private readonly logger: PlatformLogger,
    private readonly telemetry?: Telemetry,
  ) {}

  /** Trades an authorization code, which is valid once, for an access token. */
  exchangeCode(shop: string, code: string, options?: ExchangeOptions): Promise<TokenReply> {
    return this.#request(shop, {
      fields: { code, expiring: this.#flag(options?.expiring) },
      repeatable: 'never',
      expires: false,
    });
  }

  /**
   * Exchanges a verified session token for an access token, of the app itself (`offline`) or of the
   * user.
   */
  exchangeToken(
    shop: string,
    sessionToken: string,
    kind: 'offline' | 'online',
    { expiring }: ExchangeOptions = {},
  ): Promise<TokenReply> {
    const fields = {
      grant_type: GRANT_TYPES.tokenExchange,
      subject_token: sessionToken,
      subject_token_type: ID_TOKEN_TYPE,
      requested_token_type:
        kind === 'online'
          ? RequestedTokenType.OnlineAccessToken
          : RequestedTokenType.OfflineAccessToken,
      expiring: this.#flag(expiring),
    };
    // The browser that waits for it has the session token, and can send the request again.
    return this.#request(shop, {
      fields,
      repeatable: 'unless timed out',
      expires: kind === 'online',
    });
  }

  /**
   * Trades a refresh token for a new pair of tokens. The old one stays usable until the new ones
   * are in use.
   */
  refresh(shop: string, refreshToken: string): Promise<TokenReply> {
    const fields = { refresh_token: refreshToken, grant_type: GRANT_TYPES.refreshToken };
    return this.#request(shop, { fields, repeatable: 'always', expires: true });
  }

  /**
   * Requests a token with the app's own secret, for shops of the organization that owns the app.
   */
  clientCredentials(shop: string): Promise<TokenReply> {
    return this.#request(shop, {
      fields: { grant_type: GRANT_TYPES.clientCredentials },
      repeatable: 'always',
      expires: true,
    });
  }

  /**
   * Trades an offline token that never expires for one that does. There is no way back: the old one
   * is retired.
   */
  migrate(shop: string, accessToken: string): Promise<TokenReply> {
    const fields = {
      grant_type: GRANT_TYPES.tokenExchange,
      subject_token: accessToken,
      subject_token_type: RequestedTokenType.OfflineAccessToken,
      requested_token_type: RequestedTokenType.OfflineAccessToken,
      expiring: '1',
    };
    return this.#request(shop, { fields, repeatable: 'always', expires: true });
  }

  #flag(expiring: boolean = this.config.expiringOfflineAccessTokens): string {
    return expiring ? '1' : '0';
  }

  #request(shop: string, request: TokenRequest): Promise<TokenReply> {
    const instruments = this.telemetry?.instruments;
    if (!instruments) return this.#send(shop, request);
    const url = this.config.shopOrigin(shop) + OAUTH_TOKEN_PATH;
    const measured = { shop, url, grant: request.fields['grant_type'] ?? 'authorization_code' };
    return instruments.tokenRequest(measured, () => this.#send(shop, request));
  }

  async #send(shop: string, request: TokenRequest): Promise<TokenReply> {
    for (let attempt = FIRST, repeats = 0; ; repeats++) {
      try {
        return await this.#attempt(shop, request, attempt);
      } catch (error) {
        const next = REPEATS[repeats];
        if (!next || !mayRepeat(request, error)) throw error;
        attempt = next;
      }
      await this.transport.clock.sleep(attempt.pause);
    }
  }

  async #attempt(
    shop: string,
    { fields, expires }: TokenRequest,
    { timeout }: Attempt,
  ): Promise<TokenReply> {
    const [client_secret = ''] = this.config.apiSecretKeys;
    const askedAt = this.transport.clock.now();
    const { response, text } = await this.transport.receive(
      this.config.shopOrigin(shop) + OAUTH_TOKEN_PATH,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': userAgent(this.config),
        },
        body: JSON.stringify({ client_id: this.config.apiKey, client_secret, ...fields }),
        // A redirect would send the secret to wherever it points.
        redirect: 'error',
        timeout,
      },
      async (response) => ({ response, text: (await textWithin(response, LONGEST_REPLY)) ?? '' }),
    );
    if (!response.ok) {
      const body = parsedBody(withoutSecrets(text, { client_secret, ...fields }));
      throw errorFor({ response, attempts: 1 }, body);
    }
    const reply = v.safeParse(REPLY, parsedBody(text));
    if (!reply.success)
      throw new InvalidTokenReplyError(
        `The token endpoint of ${shop} answered ${response.status} without a usable token.`,
      );
    const lifetime = this.#lifetimeOf(reply.output, shop, expires);
    return { ...reply.output, ...lifetime, askedAt, grantedAt: this.#grantedAt(askedAt, response) };
  }

  /**
   * Only a first grant may lack a lifetime: with any other reply a mistake of the platform would
   * make a token that never expires.
   */
  #lifetimeOf(
    { expires_in, refresh_token, associated_user }: GrantedToken,
    shop: string,
    expires: boolean,
  ): object {
    const hasNoLifetime = (expires_in ?? undefined) === undefined;
    if (!hasNoLifetime || !(expires || refresh_token || associated_user)) return {};
    this.logger.warn(
      'The platform granted a token without saying how long it lives: an hour is assumed',
      { shop },
    );
    return { expires_in: ASSUMED_LIFETIME };
  }

  #grantedAt(askedAt: Date, { headers }: Response): Date {
    const ahead = Date.parse(headers.get('date') ?? '') - this.transport.clock.now().getTime();
    return Math.abs(ahead) > CLOCK_TOLERANCE_MS ? new Date(askedAt.getTime() + ahead) : askedAt;
  }
}

/**
 * True when the platform may have processed the request, and its reply was lost. What it refuses it
 * would refuse again.
 */
function mayRepeat({ repeatable }: TokenRequest, error: unknown): boolean {
  if (
    repeatable === 'never' ||
    (repeatable === 'unless timed out' && error instanceof HttpTimeoutError)
  )
    return false;
  return (
    error instanceof HttpRequestError ||
    error instanceof HttpInternalError ||
    error instanceof InvalidTokenReplyError
  );
}

const SECRET_FIELDS = ['client_secret', 'code', 'subject_token', 'refresh_token'];

/** An endpoint that rejects a value may quote it. */
function withoutSecrets(text: string, fields: Fields): string {
  return redactedText(
    text,
    SECRET_FIELDS.map((name) => fields[name] ?? '').filter((value) => value.length > 0),
  );
}

/** The statuses of a token endpoint's error response. */
const ERROR_STATUSES: ReadonlySet<number | undefined> = new Set([400, 401]);

/**
 * The `error` code with which the token endpoint has refused a request (RFC 6749, 5.2), such as
 * `invalid_grant`; `undefined` for any other error.
 */
export function oauthErrorCode(error: unknown): string | undefined {
  if (!(error instanceof HttpResponseError) || !ERROR_STATUSES.has(error.status)) return undefined;
  const { error: code } = (error.response.body ?? {}) as { readonly error?: unknown };
  return typeof code === 'string' ? code : undefined;
}
