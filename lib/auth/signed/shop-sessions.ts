import type { Session } from '../../sessions/session.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import type { NoTokenDenied, SessionCheck } from '../admin/session-check.js';
import { ReauthorizationRequiredError, SessionExpiredError } from '../auth.errors.js';
import type { ApiClients } from '../clients/shop-clients.js';
import type { ShopClients } from '../clients/admin-context.js';
import type { TokenManager } from '../tokens/token-manager.js';

/** A shop that has the app, and what can be done in it with the app's own token. */
interface UsableShop {
  readonly kind: 'usable';
  readonly session: Session;
  readonly clients: ShopClients;
}

/** A shop without a session that could be used: it lacks the app, or has to open it again. */
interface UnusableShop {
  readonly kind: 'unusable';
  readonly reason: 'session_missing' | 'session_expired';
}

/** What {@link ShopSessions} work with. */
interface ShopSessionsDependencies {
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
  readonly check: SessionCheck;
}

/** The app's own sessions for requests that the platform has signed and that bring none. */
export class ShopSessions {
  constructor(private readonly dependencies: ShopSessionsDependencies) {}

  /**
   * The session of a shop, renewed when that is necessary. Denied when it cannot be renewed at
   * present. Rejects when the session storage does.
   * @param shop canonical
   */
  async of(shop: string): Promise<UsableShop | UnusableShop | NoTokenDenied> {
    const { tokens, clients, check } = this.dependencies;
    try {
      const session = await tokens.session(shop);
      return { kind: 'usable', session, clients: clients.for(session) };
    } catch (error) {
      if (error instanceof SessionNotFoundError)
        return { kind: 'unusable', reason: 'session_missing' };
      if (error instanceof ReauthorizationRequiredError || error instanceof SessionExpiredError)
        return { kind: 'unusable', reason: 'session_expired' };
      return check.deniedFor(shop, error);
    }
  }
}
