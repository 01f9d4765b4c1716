import { checkProxyQuery } from '../../core/crypto/proxy-signature.js';
import type { ProxyRejection } from '../../core/crypto/proxy-signature.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { DeniedDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Telemetry } from '../../core/telemetry/telemetry.js';
import type { Clock } from '../../core/time/clock.js';
import type { Session } from '../../sessions/session.js';
import type { ShopClients } from '../clients/admin-context.js';
import type { ShopSessions } from '../signed/shop-sessions.js';

/** A request that a visitor of a shop has sent through the app proxy. */
interface AppProxyGranted {
  readonly kind: 'granted';
  readonly shop: string;
  /** The app's own; `undefined` when the shop lacks the app or has to open it again. */
  readonly session: Session | undefined;
  /** There with the session. */
  readonly clients: ShopClients | undefined;
}

/** The decision about such a request: reasons of a 400 are {@link ProxyRejection}s. */
type AppProxyDecision = AppProxyGranted | DeniedDecision;

/** What an {@link AppProxyAuthenticator} works with. */
interface AppProxyAuthenticatorDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly keys: SecretKeys;
  readonly shops: ShopSessions;
  readonly telemetry: Telemetry;
}

/**
 * Authenticates requests that come through the app proxy of a shop's storefront, of any method.
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies
 */
export class AppProxyAuthenticator {
  constructor(private readonly dependencies: AppProxyAuthenticatorDependencies) {}

  /**
   * Decides about a request by the signature of its query. A shop without a usable session is
   * granted as well: its storefront may show pages of the app that need none. Rejects when the
   * session storage does.
   */
  authenticate(request: InboundRequest): Promise<AppProxyDecision> {
    const { instruments } = this.dependencies.telemetry;
    return instruments
      ? instruments.authentication('app_proxy', () => this.#decide(request))
      : this.#decide(request);
  }

  async #decide(request: InboundRequest): Promise<AppProxyDecision> {
    const { keys, clock, logger, shops } = this.dependencies;
    const checked = checkProxyQuery(request, keys, clock.now());
    if (checked.kind === 'rejected') return this.#refused(checked.reason);
    const { shop } = checked;
    const found = await shops.of(shop);
    if (found.kind === 'denied') return found;
    if (found.kind === 'usable')
      return { kind: 'granted', shop, session: found.session, clients: found.clients };
    logger.info('A page of the app proxy is shown without a session', {
      shop,
      reason: found.reason,
    });
    return { kind: 'granted', shop, session: undefined, clients: undefined };
  }

  #refused(reason: ProxyRejection): DeniedDecision<ProxyRejection> {
    this.dependencies.logger.info('A request to the app proxy was refused', { reason });
    return denied(400, reason, MESSAGES[reason]);
  }
}

const MESSAGES: Readonly<Record<ProxyRejection, string>> = {
  signature_missing:
    'This address belongs to the app proxy of a shop: the platform signs what it forwards, and this request is not signed.',
  signature_invalid: "The signature matches neither the query nor any of the app's secrets.",
  signature_ambiguous: 'The signed query can be read as that of two shops or two customers.',
  parameter_repeated: 'A parameter that the platform adds once is there more than once.',
  parameter_invalid: 'A parameter that the platform adds has a value that it never has.',
  timestamp_invalid: 'The query has no timestamp that is a number of seconds.',
  timestamp_stale: 'The query was signed more than 90 seconds from now. Load the page again.',
  shop_missing: 'The query names no shop.',
  shop_invalid: 'The "shop" in the query is not the domain of a shop.',
};
