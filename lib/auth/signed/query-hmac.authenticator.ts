import { InvalidHmacError } from '../../core/core.errors.js';
import { verifyQueryHmac } from '../../core/crypto/query-hmac.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import { exactShop } from '../../core/shop-domain.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import type { Clock } from '../../core/time/clock.js';

/** Why a query is denied. */
type QueryHmacDenyReason = 'hmac_missing' | 'hmac_invalid' | 'timestamp_stale' | 'shop_invalid';

/** A request whose query the admin has signed. */
interface QueryHmacGranted {
  readonly kind: 'granted';
  /** Named by the query. */
  readonly shop: string;
}

/** The decision about such a request. */
type QueryHmacDecision = QueryHmacGranted | DeniedDecision<QueryHmacDenyReason>;

/** What a {@link QueryHmacAuthenticator} works with. */
interface QueryHmacAuthenticatorDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly telemetry: Telemetry;
}

/** Authenticates requests by the `hmac` of their query, as the admin signs it. */
export class QueryHmacAuthenticator {
  constructor(private readonly dependencies: QueryHmacAuthenticatorDependencies) {}

  /** Decides about a request: it names the shop that opens the app, and no user. */
  authenticate(request: InboundRequest): QueryHmacDecision {
    const { instruments } = this.dependencies.telemetry;
    return instruments
      ? instruments.decision('signed_query', () => this.#decide(request))
      : this.#decide(request);
  }

  #decide({ url }: InboundRequest): QueryHmacDecision {
    const { keys, clock } = this.dependencies;
    const { searchParams } = url;
    if (!searchParams.get('hmac')) return this.#refused('hmac_missing');
    try {
      if (!verifyQueryHmac(searchParams, keys, clock.now())) return this.#refused('hmac_invalid');
    } catch (error) {
      if (error instanceof InvalidHmacError) return this.#refused(error.reason);
      throw error;
    }
    const shop = exactShop(searchParams.get('shop'));
    return shop === undefined ? this.#refused('shop_invalid') : { kind: 'granted', shop };
  }

  #refused(reason: QueryHmacDenyReason): DeniedDecision<QueryHmacDenyReason> {
    this.dependencies.logger.info('A request with a signed query was refused', { reason });
    return denied(400, reason, MESSAGES[reason]);
  }
}

const MESSAGES: Readonly<Record<QueryHmacDenyReason, string>> = {
  hmac_missing:
    'The admin signs the query of this address, and this request is not signed: it has no "hmac".',
  hmac_invalid:
    "The signature matches neither the query nor any of the app's secrets, or a parameter that the admin adds once is missing or repeated.",
  timestamp_stale:
    'The query was signed more than 90 seconds from now. Open the app again from the admin.',
  shop_invalid: 'The "shop" in the query is not the domain of a shop.',
};
