import { InvalidJwtError } from '../../core/core.errors.js';
import type { InvalidJwtReason } from '../../core/core.errors.js';
import { AcceptedTokens } from '../../core/crypto/secret-keys.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { isRecord } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import { shopNamedBy } from '../../core/shop-domain.js';
import type { Clock } from '../../core/time/clock.js';
import { APP_BRIDGE_HEADERS, PLATFORM_ISSUER, QUERY } from '../../core/vendor.js';
import { offlineSessionId, onlineSessionId } from '../../sessions/session.js';
import type { ExtensionTokenPayload, SessionTokenPayload } from './session-token.js';

const LEEWAY_SECONDS = 10;
const LONGEST = 8 * 1024;
/** The token of a post-purchase page has all of the purchase in it. */
const LONGEST_OF_EXTENSIONS = 64 * 1024;
/** How long the token of a post-purchase page counts, which says no end itself. */
const POST_PURCHASE_SECONDS = 24 * 60 * 60;
/** `{"alg":"HS256","typ":"JWT"}`, as the platform writes it: in any other form it is parsed. */
const USUAL_HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';

const isText = (value: unknown): boolean => typeof value === 'string';
/** The claims whose form is checked. A token of an extension need not have those of the `app`. */
const CLAIMS = [
  { name: 'iss', isValid: isText, neededBy: 'app' },
  { name: 'dest', isValid: isText, neededBy: 'all' },
  { name: 'aud', isValid: isText, neededBy: 'app' },
  { name: 'sub', isValid: isText, neededBy: 'app' },
  { name: 'exp', isValid: Number.isFinite, neededBy: 'all' },
  { name: 'nbf', isValid: Number.isFinite, neededBy: 'all' },
  { name: 'iat', isValid: Number.isFinite, neededBy: 'none' },
  { name: 'jti', isValid: isText, neededBy: 'none' },
  { name: 'sid', isValid: isText, neededBy: 'none' },
] as const;

type Json = Readonly<Record<string, unknown>>;

/**
 * The claims of the token of an extension. That of a post-purchase page names its shop in the
 * purchase, and says only when it was issued: what other tokens have is made of that.
 * @see https://shopify.dev/docs/api/checkout-extensions/post-purchase/jwt-specification
 */
function claimsOfExtension(payload: Json): Json {
  const { iss, iat, input_data: input } = payload;
  if (iss !== PLATFORM_ISSUER || !isRecord(input) || typeof iat !== 'number') return payload;
  const dest = isRecord(input['shop']) ? input['shop']['domain'] : undefined;
  return { dest, nbf: iat, exp: iat + POST_PURCHASE_SECONDS, ...payload };
}

/** A token that was verified, and the shop it was issued in. */
interface Accepted<Payload> {
  readonly payload: Payload;
  readonly shop: string;
}

/**
 * Verifies session tokens: HS256 and nothing else, with any of the app's secrets, ten seconds of
 * leeway.
 * @see https://shopify.dev/docs/apps/build/authentication-authorization/session-tokens
 */
export class SessionTokenVerifier {
  readonly #accepted = new AcceptedTokens<ExtensionTokenPayload>();

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
    return this.#accept(token, checkAudience).payload;
  }

  /** Answers what the token says, and the shop it was issued in. @throws as {@link verify} */
  verified(text: string): VerifiedSessionToken {
    const { payload, shop } = this.#accept(text, true);
    return { kind: 'verified', text, shop, payload };
  }

  /**
   * The same for the token of an extension, which may name another audience. @throws as
   * {@link verify}
   */
  verifiedOfExtension(text: string): {
    readonly payload: ExtensionTokenPayload;
    readonly shop: string;
  } {
    return this.#accept(text, false);
  }

  #accept(token: string, checkAudience: true): Accepted<SessionTokenPayload>;
  #accept(token: string, checkAudience: boolean): Accepted<ExtensionTokenPayload>;
  #accept(token: string, checkAudience: boolean): Accepted<ExtensionTokenPayload> {
    // The header that it was taken from may be missing.
    if (typeof token !== 'string') throw refused('malformed', 'it is no text');
    const known = this.#accepted.find(token);
    if (known && (known.hasAudience || !checkAudience)) {
      this.#assertTime(known.payload);
      return known;
    }
    const longest = checkAudience ? LONGEST : LONGEST_OF_EXTENSIONS;
    const { payload: signed, isCurrent } = this.#signedPayload(token, longest);
    const payload = checkAudience ? signed : claimsOfExtension(signed);
    assertClaims(payload, checkAudience);
    this.#assertTime(payload);
    if (checkAudience && payload.aud !== this.config.apiKey)
      throw refused('audience', 'it was issued for another app');
    const shop = shopNamedBy(payload.dest);
    if (shop === null) throw refused('claims', 'it names no shop');
    const isOfPlatform = !checkAudience && payload.iss === PLATFORM_ISSUER;
    if (payload.iss !== undefined && !isOfPlatform && shopNamedBy(payload.iss) !== shop)
      throw refused('shop_mismatch', 'issuer and destination are different shops');
    // With a previous secret, each use is noted.
    if (isCurrent) this.#accepted.add(token, { payload, shop, hasAudience: checkAudience });
    return { payload, shop };
  }

  #assertTime({ exp, nbf }: ExtensionTokenPayload): void {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    if (exp <= now - LEEWAY_SECONDS) throw refused('expired', 'it has expired');
    if (nbf > now + LEEWAY_SECONDS)
      throw refused('not_yet_valid', 'it is not valid yet, by the clock of this machine');
  }

  #signedPayload(
    token: string,
    longest: number,
  ): { readonly payload: Json; readonly isCurrent: boolean } {
    const [header, payload, signature, ...rest] = token.length > longest ? [] : token.split('.');
    if (!header || !payload || !signature || rest.length > 0)
      throw refused('malformed', 'it is not a compact signed token');
    if (header !== USUAL_HEADER) assertAlgorithm(json(header));
    const signed = token.slice(0, -signature.length - 1);
    const secret = this.keys.secretOf(signed, signature, 'base64url');
    if (secret === undefined)
      throw refused('signature', "its signature was made with none of the app's secrets");
    return { payload: json(payload), isCurrent: secret === 'current' };
  }
}

function assertAlgorithm({ alg, crit }: Json): void {
  if (alg !== 'HS256' || crit !== undefined)
    throw refused('algorithm', 'only HS256 without extensions is accepted');
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function json(part: string): Json {
  const bytes = Buffer.from(part, 'base64url');
  // Node's decoder skips what it does not know: only the canonical spelling may pass.
  if (bytes.toString('base64url') !== part) throw refused('malformed', 'it is not base64url');
  try {
    const value: unknown = JSON.parse(UTF_8.decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Told below: the parser's own message would quote the token.
  }
  throw refused('malformed', 'it does not hold a JSON object');
}

function assertClaims(
  payload: Json,
  checkAudience: boolean,
): asserts payload is Json & ExtensionTokenPayload {
  const wrong = CLAIMS.filter(({ name, isValid, neededBy }) => {
    const value = payload[name];
    const isNeeded = neededBy === 'all' || (neededBy === 'app' && checkAudience);
    if (value === undefined) return isNeeded;
    return !isValid(value) || (isNeeded && value === '');
  });
  if (wrong.length === 0) return;
  const names = wrong.map(({ name }) => name).join(', ');
  throw refused('claims', `missing or of the wrong type: ${names}`);
}

function refused(reason: InvalidJwtReason, why: string): InvalidJwtError {
  return new InvalidJwtError(`The session token was refused: ${why}.`, reason);
}

/** A session token whose signature and claims have been verified. */
export interface VerifiedSessionToken {
  readonly kind: 'verified';
  readonly text: string;
  /** The shop it was issued in. */
  readonly shop: string;
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
interface SessionTokenContext {
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
  const header = request.header('authorization') ?? '';
  const scheme = /^bearer +/i.exec(header)?.[0];
  if (scheme === undefined) return undefined;
  const token = header.slice(scheme.length).trimEnd();
  return token === '' || /\s/.test(token) ? undefined : token;
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
    return sessionTokens.verified(text);
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
  { shop, payload }: VerifiedSessionToken,
  { isOnline }: { readonly isOnline: boolean },
): string {
  return isOnline ? onlineSessionId(shop, payload.sub) : offlineSessionId(shop);
}

/** App Bridge repeats the request with a fresh token when it sees the header. */
function tokenDenied(
  reason: SessionTokenDenyReason,
  message: string,
  retryWithNewToken = true,
): SessionTokenDenied {
  const headers = [[APP_BRIDGE_HEADERS.retryInvalidSession, '1']] as const;
  return { ...denied(401, reason, message, headers), retryWithNewToken };
}
