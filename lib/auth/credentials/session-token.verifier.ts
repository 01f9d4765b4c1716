import { InvalidJwtError } from '../../core/core.errors.js';
import type { InvalidJwtReason } from '../../core/core.errors.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { shopNamedBy } from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';
import { HEADERS, QUERY } from '../../core/vendor.js';
import { offlineSessionId, onlineSessionId } from '../../sessions/session.js';

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
  Pick<SessionTokenPayload, 'dest' | 'exp' | 'nbf'>;

const LEEWAY_SECONDS = 10;
const LONGEST = 8 * 1024;
const TEXTS = ['iss', 'dest', 'aud', 'sub', 'jti', 'sid'];
const TIMES = ['exp', 'nbf', 'iat'];

type Json = Readonly<Record<string, unknown>>;

/**
 * Verifies session tokens: HS256 and nothing else, with any of the app's secrets, ten seconds of
 * leeway.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/session-tokens
 */
export class SessionTokenVerifier {
  constructor(
    private readonly keys: SecretKeys,
    private readonly config: { readonly apiKey: string },
    private readonly clock: Clock,
  ) {}

  /**
   * Answers what the token says.
   * @param options.checkAudience `false` for tokens of extensions @default true
   * @throws {InvalidJwtError} with a machine-readable `reason`; no message contains the token
   */
  verify(token: string, options?: { checkAudience?: true | undefined }): SessionTokenPayload;
  verify(token: string, options: { checkAudience?: boolean | undefined }): ExtensionTokenPayload;
  verify(
    token: string,
    { checkAudience = true }: { checkAudience?: boolean | undefined } = {},
  ): ExtensionTokenPayload {
    const payload = this.#signedPayload(token);
    assertClaims(
      payload,
      checkAudience ? ['iss', 'dest', 'aud', 'sub', 'exp', 'nbf'] : ['dest', 'exp', 'nbf'],
    );
    const now = Math.floor(this.clock.now().getTime() / 1000);
    if (payload.exp <= now - LEEWAY_SECONDS) throw refused('expired', 'it has expired');
    if (payload.nbf > now + LEEWAY_SECONDS)
      throw refused('not_yet_valid', 'it is not valid yet; is the clock of this machine right?');
    if (checkAudience && payload.aud !== this.config.apiKey)
      throw refused('audience', 'it was issued for another app');
    const shop = shopNamedBy(payload.dest);
    if (shop === null) throw refused('claims', 'it names no shop');
    if (payload.iss !== undefined && shopNamedBy(payload.iss) !== shop)
      throw refused('shop_mismatch', 'issuer and destination are different shops');
    return payload;
  }

  #signedPayload(token: string): Json {
    const [header, payload, signature, ...rest] = token.length > LONGEST ? [] : token.split('.');
    if (!header || !payload || !signature || rest.length > 0)
      throw refused('malformed', 'it is not a compact signed token');
    const { alg, crit } = json(header);
    if (alg !== 'HS256' || crit !== undefined)
      throw refused('algorithm', 'only HS256 without extensions is accepted');
    if (!this.keys.verify(`${header}.${payload}`, signature, 'base64url'))
      throw refused('signature', "its signature was made with none of the app's secrets");
    return json(payload);
  }
}

function json(part: string): Json {
  const bytes = Buffer.from(part, 'base64url');
  // Node's decoder skips what it does not know: only the canonical spelling may pass.
  if (bytes.toString('base64url') !== part) throw refused('malformed', 'it is not base64url');
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Told below: the parser's own message would quote the token.
  }
  throw refused('malformed', 'it does not hold a JSON object');
}

function assertClaims(
  payload: Json,
  required: readonly string[],
): asserts payload is Json & ExtensionTokenPayload {
  const wrong = [
    ...required.filter((name) => payload[name] === undefined || payload[name] === ''),
    ...TEXTS.filter((name) => payload[name] !== undefined && typeof payload[name] !== 'string'),
    ...TIMES.filter((name) => payload[name] !== undefined && !Number.isFinite(payload[name])),
  ];
  if (wrong.length > 0)
    throw refused('claims', `missing or of the wrong type: ${[...new Set(wrong)].join(', ')}`);
}

function refused(reason: InvalidJwtReason, why: string): InvalidJwtError {
  return new InvalidJwtError(`The session token was refused: ${why}.`, reason);
}

/** A session token whose signature and claims have been verified. */
export interface VerifiedSessionToken {
  readonly kind: 'verified';
  readonly text: string;
  readonly payload: SessionTokenPayload;
}

/** Why a request is denied for its session token. */
export type SessionTokenDenyReason =
  'session_token_missing' | 'session_token_invalid' | 'session_token_refused';

/** A request whose session token is missing or not accepted. */
export interface SessionTokenDenied extends DeniedDecision<SessionTokenDenyReason> {
  /** False when a fresh session token would be refused as well. */
  readonly retryWithNewToken: boolean;
}

/** What a session token is verified with. */
export interface SessionTokenContext {
  readonly sessionTokens: SessionTokenVerifier;
  readonly logger: PlatformLogger;
}

/**
 * These say that the token was made for another app or with another secret: no fresh token, and no
 * later time, changes that.
 */
const PERMANENT: ReadonlySet<InvalidJwtReason> = new Set(['signature', 'audience', 'algorithm']);

/** The token of an `Authorization: Bearer` header; the scheme may be written in any case. */
export function bearerToken(request: InboundRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1];
}

/**
 * The session token of a request: from the header, as App Bridge sends it, or from the URL that the
 * admin opens.
 */
export function sessionTokenOf(request: InboundRequest): string | undefined {
  return bearerToken(request) ?? (request.url.searchParams.get(QUERY.idToken) || undefined);
}

/** Verifies the session token of a request, or decides that the request is denied. */
export function checkSessionToken(
  text: string | undefined,
  { sessionTokens, logger }: SessionTokenContext,
): VerifiedSessionToken | SessionTokenDenied {
  if (text === undefined)
    return tokenDenied(
      'session_token_missing',
      'This request needs a session token: in its Authorization header, or in its address as the admin opens it.',
    );
  try {
    return { kind: 'verified', text, payload: sessionTokens.verify(text) };
  } catch (error) {
    if (!(error instanceof InvalidJwtError)) throw error;
    const { reason, message } = error;
    logger.info('A session token was refused', { reason });
    return tokenDenied('session_token_invalid', message, !PERMANENT.has(reason));
  }
}

/** For a request whose session token the platform itself does not accept. */
export function sessionTokenRejected(): SessionTokenDenied {
  return tokenDenied(
    'session_token_refused',
    'The platform did not accept the session token of this request.',
  );
}

/** The id of the session that a user's session token stands for. */
export function sessionIdFor(
  payload: SessionTokenPayload,
  { isOnline }: { readonly isOnline: boolean },
): string {
  const shop = shopOf(payload);
  return isOnline ? onlineSessionId(shop, payload.sub) : offlineSessionId(shop);
}

/** The shop a verified session token was issued in. */
export function shopOf({ dest }: Pick<SessionTokenPayload, 'dest'>): string {
  const shop = shopNamedBy(dest);
  if (shop === null) throw new InvalidJwtError('The session token names no shop.', 'claims');
  return shop;
}

/** App Bridge repeats the request with a fresh token when it sees the header. */
function tokenDenied(
  reason: SessionTokenDenyReason,
  message: string,
  retryWithNewToken = true,
): SessionTokenDenied {
  const headers = [[HEADERS.retryInvalidSession, '1']] as const;
  return { ...denied(401, reason, message, headers), retryWithNewToken };
}
