import { isBase64Digest, isDelivered } from '../../core/crypto/secret-keys.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { isRecord, parseJson } from '../../core/json.js';
import type { Untyped } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import { exactShop } from '../../core/shop-domain.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import { FLOW_SHOP_FIELD, WEBHOOK_HEADERS, WEBHOOK_HEADER_TITLES } from '../../core/vendor.js';
import type { Session } from '../../sessions/session.js';
import type { ShopClients } from '../clients/admin-context.js';
import type { ShopSessions } from './shop-sessions.js';
import type { SignedSource } from './signed-source.js';

/** A body that the platform has signed, as it was sent. */
interface SignedBody {
  readonly kind: 'read';
  readonly bytes: Buffer;
}

/** A request that the platform has signed, and the shop that it is for. */
export interface SignedRequest {
  readonly kind: 'read';
  readonly bytes: Buffer;
  readonly payload: Readonly<Record<string, Untyped>>;
  /** Canonical. */
  readonly shop: string;
}

/** Why a signed request is denied. */
type SignedDenyReason =
  | 'method_not_allowed'
  | 'missing_body'
  | 'missing_hmac'
  | 'invalid_hmac'
  | 'invalid_payload'
  | 'invalid_shop'
  | 'session_missing'
  | 'session_expired';

/** A request of the platform, and the shop it is for. */
export interface SignedGranted {
  readonly kind: 'granted';
  readonly session: Session;
  /** The body. */
  readonly payload: Readonly<Record<string, Untyped>>;
  /** The body, as it was sent. */
  readonly bytes: Buffer;
  readonly clients: ShopClients;
}

/** The decision about a signed request: the reasons of denials are {@link SignedDenyReason}s. */
export type SignedDecision = SignedGranted | DeniedDecision;

/** What a {@link SignedRequestAuthenticator} works with. */
interface SignedRequestAuthenticatorDependencies {
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly shops: ShopSessions;
  readonly telemetry: Telemetry;
}

/** Authenticates requests whose body the platform has signed and that are no webhooks. */
export class SignedRequestAuthenticator {
  constructor(private readonly dependencies: SignedRequestAuthenticatorDependencies) {}

  /**
   * An action of an automation; its shop is named in the body, which is signed.
   * @see https://shopify.dev/docs/apps/build/flow/actions
   */
  flow(request: InboundRequest): Promise<SignedDecision> {
    return this.#authenticate('flow', request);
  }

  /**
   * A request to an app that fulfills orders; its shop is named in a header.
   * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
   */
  fulfillmentService(request: InboundRequest): Promise<SignedDecision> {
    return this.#authenticate('fulfillment_service', request);
  }

  /**
   * Verifies such a request and reads which shop it is for: that of an action from its body, that
   * of a fulfillment service from a header. Whether the shop has the app is not looked at.
   */
  async read(
    source: SignedSource,
    request: InboundRequest,
  ): Promise<SignedRequest | DeniedDecision> {
    if (request.method !== 'POST')
      return refused(405, 'method_not_allowed', 'These requests are sent with POST.', 'POST');
    const body = await this.#signedBody(request);
    if (body.kind === 'denied') return this.#noted(source, body);
    const { bytes } = body;
    const payload = payloadIn(bytes);
    if (!payload)
      return this.#noted(source, refused(400, 'invalid_payload', 'The body is no JSON object.'));
    const shop = exactShop(
      source === 'flow' ? payload[FLOW_SHOP_FIELD] : request.header(WEBHOOK_HEADERS.domain),
    );
    if (shop === undefined) return this.#noted(source, NO_SHOP[source]);
    return { kind: 'read', bytes, payload, shop };
  }

  /** Any other request with a signed body. The signature covers no header, so it names no shop. */
  body(request: InboundRequest): Promise<SignedBody | DeniedDecision> {
    const { instruments } = this.dependencies.telemetry;
    return instruments
      ? instruments.authentication('signed_body', () => this.#body(request))
      : this.#body(request);
  }

  async #body(request: InboundRequest): Promise<SignedBody | DeniedDecision> {
    const body = await this.#signedBody(request);
    return body.kind === 'denied' ? this.#noted('other', body) : body;
  }

  #authenticate(source: SignedSource, request: InboundRequest): Promise<SignedDecision> {
    const { instruments } = this.dependencies.telemetry;
    return instruments
      ? instruments.authentication(source, () => this.#decide(source, request))
      : this.#decide(source, request);
  }

  async #decide(source: SignedSource, request: InboundRequest): Promise<SignedDecision> {
    const read = await this.read(source, request);
    if (read.kind === 'denied') return read;
    const { bytes, payload, shop } = read;
    const found = await this.dependencies.shops.of(shop);
    if (found.kind === 'denied') return found;
    if (found.kind === 'unusable')
      return this.#noted(source, refused(400, found.reason, NO_SESSION), shop);
    const { session, clients } = found;
    return { kind: 'granted', session, payload, bytes, clients };
  }

  async #signedBody(request: InboundRequest): Promise<SignedBody | DeniedDecision> {
    const hmac = request.header(WEBHOOK_HEADERS.hmac);
    if (!hmac)
      return refused(
        400,
        'missing_hmac',
        `The request is not signed: it has no ${WEBHOOK_HEADER_TITLES.hmac}.`,
      );
    // Before the body is read: a request without a signature must not make us buffer one.
    if (!isBase64Digest(hmac)) return NOT_SIGNED_BY_US;
    let bytes: Buffer;
    try {
      bytes = await request.rawBody(true);
    } catch (error) {
      return denialOfBody(error);
    }
    if (bytes.length === 0) return refused(400, 'missing_body', 'The request has no body.');
    return this.dependencies.keys.verify(bytes, hmac, 'base64') && isDelivered(bytes)
      ? { kind: 'read', bytes }
      : NOT_SIGNED_BY_US;
  }

  #noted(source: SignedSource | 'other', decision: DeniedDecision, shop?: string): DeniedDecision {
    const { reason, status } = decision;
    const { logger } = this.dependencies;
    const fields = { source, reason, ...(shop !== undefined && { shop }) };
    if (status >= 500) logger.error('A signed request was refused', fields);
    else logger.warn('A signed request was refused', fields);
    return decision;
  }
}

function refused(
  status: number,
  reason: SignedDenyReason,
  message: string,
  allow?: string,
): DeniedDecision<SignedDenyReason> {
  return denied(status, reason, message, allow === undefined ? undefined : [['allow', allow]]);
}

const NOT_SIGNED_BY_US = refused(
  400,
  'invalid_hmac',
  "The signature matches neither the body nor any of the app's secrets.",
);
const NO_SHOP: Readonly<Record<SignedSource, DeniedDecision>> = {
  flow: refused(400, 'invalid_shop', `The body names no shop: "${FLOW_SHOP_FIELD}" is its domain.`),
  fulfillment_service: refused(
    400,
    'invalid_shop',
    `The request names no shop: ${WEBHOOK_HEADER_TITLES.domain} is its domain.`,
  ),
};
const NO_SESSION = 'The shop has to open the app first: there is no session of it to work with.';

function payloadIn(bytes: Buffer): Readonly<Record<string, Untyped>> | undefined {
  try {
    const payload = parseJson(bytes.toString('utf8'));
    return isRecord(payload) ? payload : undefined;
  } catch {
    // The decision says so: the parser's own message would quote the body.
    return undefined;
  }
}
