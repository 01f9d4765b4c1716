import { TtlCache } from '../../core/cache/ttl-cache.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { Clock } from '../../core/time/clock.js';
import type { InstallationCheck, Presence } from '../lifecycle/installation-check.js';
import type { OAuthStart } from '../oauth/oauth-start.js';
import type { AuthResponse } from '../responses/auth-responses.js';
import type { AuthUrls } from '../responses/auth-urls.js';
import type { AccessTokenStore } from '../tokens/access-token-store.js';

/** How long visits of a shop are remembered, in milliseconds. */
const REMEMBERED_FOR = 60_000;
/** How often the platform is asked about a shop meanwhile: anybody can load a page of the app. */
const MOST_QUESTIONS = 10;
/** The number of shops that are remembered. */
const CAPACITY = 10_000;

/** What is known of the last visits of a shop. */
interface Visits {
  /** The browser was sent into the admin, and the platform was not asked since. */
  readonly isSent: boolean;
  /** How often the platform was asked. */
  readonly questions: number;
}

/** What {@link TopLevelVisits} are made with. */
interface TopLevelVisitsDependencies {
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly urls: AuthUrls;
  readonly start: OAuthStart;
  readonly installation: Pick<InstallationCheck, 'of'>;
  readonly store: Pick<AccessTokenStore, 'offline' | 'end'>;
}

/**
 * Page loads of an embedded app in a window of their own, of shops with a stored session. They
 * belong in the admin, which sends them back when the shop no longer has the app.
 */
export class TopLevelVisits {
  readonly #shops: TtlCache<Visits>;

  constructor(private readonly dependencies: TopLevelVisitsDependencies) {
    const { clock } = dependencies;
    this.#shops = new TtlCache({ clock, lifetime: REMEMBERED_FOR, capacity: CAPACITY });
  }

  /**
   * Redirects to the requested page inside the admin. A shop that comes a second time within a
   * minute may have uninstalled the app unnoticed: the platform is asked whether it has it, and if
   * not, the shop is redirected to the consent page.
   */
  async enterAdmin(request: InboundRequest, shop: string): Promise<AuthResponse> {
    const { urls, start } = this.dependencies;
    const { isSent, questions } = this.#shops.get(shop) ?? { isSent: false, questions: 0 };
    const asks = isSent && questions < MOST_QUESTIONS;
    // Counted before the answer: visits that come meanwhile are not asked about.
    this.#shops.set(shop, { isSent: !asks, questions: asks ? questions + 1 : questions });
    if (asks && (await this.#presence(shop)) === 'uninstalled')
      return start.begin(request, { shop });
    return urls.embeddedApp(request, shop, { keepPage: true });
  }

  /** Asks the platform, and removes the tokens of a shop that no longer has the app. */
  async #presence(shop: string): Promise<Presence> {
    const { installation, store, logger } = this.dependencies;
    const asked = await store.offline(shop);
    const presence = await installation.of(shop);
    if (presence !== 'uninstalled') return presence;
    logger.info('The stored access to a shop is no longer valid: it is asked for consent', {
      shop,
    });
    // Not what was stored meanwhile. The app is not told to ask for consent: this visit does.
    if (asked?.accessToken) await store.end(asked, asked.accessToken, false);
    return presence;
  }
}
