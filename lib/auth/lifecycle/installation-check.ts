import { isAccessToken } from '../../core/api-session.js';
import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { ApiError, AuthenticationError } from '../../core/http/http.errors.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import { GraphqlQueryError } from '../../graphql-client/graphql-client.errors.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionEncryptionError, SessionNotFoundError } from '../../sessions/sessions.errors.js';
import { ReauthorizationRequiredError } from '../auth.errors.js';
import type { TokenManager } from '../tokens/token-manager.js';
import { customAppSession, lastToExpireFirst } from '../../sessions/session.js';

/** Whether a shop has the app; `unknown` when the platform did not answer. */
export type Presence = 'installed' | 'uninstalled' | 'unknown';

const SHOP_QUERY = `#graphql
  query shopHasTheApp {
    shop {
      id
    }
  }
`;

/**
 * The statuses with which a shop that is frozen (402), denies access (403) or is locked (423)
 * answers a valid token. Not 404: a shop that is gone answers with it, but so does a wrong
 * address.
 */
const ANSWERS_TO_APPS: ReadonlySet<number | undefined> = new Set([402, 403, 423]);

/**
 * How many users' sessions are tried at most: a single user may have lost access for other reasons.
 */
const MAX_USERS = 5;

/** What an {@link InstallationCheck} works with. */
interface InstallationCheckDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  /** Sends once, neither paced nor repeated, and renews no token by itself. */
  readonly graphql: AdminGraphqlClient;
}

/**
 * Asks the platform whether a shop has the app, with the tokens that are stored. A refused token
 * triggers no hook and deletes nothing; a token that was renewed for the check is stored.
 */
export class InstallationCheck {
  constructor(private readonly dependencies: InstallationCheckDependencies) {}

  /**
   * A token that has expired is renewed first. The shop has uninstalled the app when a token is
   * refused that cannot be renewed, and when there is no token to ask with: then no stored session
   * could be used any more.
   * @throws when the session storage fails
   */
  async of(shop: string): Promise<Presence> {
    const answers = await Promise.all(
      (await this.#sessionsToAskWith(shop)).map((session) => this.#ask(session)),
    );
    if (answers.includes('installed')) return 'installed';
    return answers.includes('unknown') ? 'unknown' : 'uninstalled';
  }

  /** The app's own session, else those of users. */
  async #sessionsToAskWith(shop: string): Promise<Session[]> {
    const { config, storage } = this.dependencies;
    if (config.isCustomStoreApp) return [customAppSession(shop)];
    const stored = await (storage.sealed ?? storage).findSessionsByShop(shop);
    const ofApp = await this.#opened(stored.filter(({ isOnline }) => !isOnline));
    if (ofApp.length > 0) return ofApp;
    const ofUsers = stored.filter(({ isOnline }) => isOnline).sort(lastToExpireFirst);
    return this.#opened(ofUsers.slice(0, MAX_USERS));
  }

  /** Decrypts sessions and drops those without a token the platform can be asked with. */
  async #opened(sealed: readonly Session[]): Promise<Session[]> {
    const sessions = await Promise.all(sealed.map((session) => this.#open(session)));
    return sessions
      .filter((session) => session !== undefined)
      .filter((session) => this.#canAskWith(session));
  }

  #canAskWith(session: Session): boolean {
    const { tokens, clock } = this.dependencies;
    return (
      isAccessToken(session.accessToken) &&
      (tokens.isRenewable(session) || !session.isExpired(0, clock.now()))
    );
  }

  /**
   * `undefined` when a session cannot be decrypted: a lost key must not keep its shop from
   * uninstalling the app.
   */
  async #open({ id, shop }: Session): Promise<Session | undefined> {
    const { storage, logger } = this.dependencies;
    try {
      const session = await storage.loadSession(id);
      return session?.shop === shop ? session : undefined;
    } catch (error) {
      if (!(error instanceof SessionEncryptionError)) throw error;
      logger.error('The platform cannot be asked with a session that cannot be decrypted', {
        shop,
        error,
      });
      return undefined;
    }
  }

  async #ask(session: Session): Promise<Presence> {
    const { tokens, logger } = this.dependencies;
    try {
      const current =
        tokens.isRenewable(session) && tokens.isDue(session)
          ? await tokens.refresh(session)
          : session;
      if (await this.#isAccepted(current)) return 'installed';
      const successor = await this.#successor(current);
      return successor && (await this.#isAccepted(successor)) ? 'installed' : 'uninstalled';
    } catch (error) {
      // Whoever deleted the session meanwhile has handled the uninstallation, or does so now.
      if (error instanceof ReauthorizationRequiredError || error instanceof SessionNotFoundError)
        return 'uninstalled';
      logger.warn('The platform did not say whether a shop has the app', {
        shop: session.shop,
        error,
      });
      return 'unknown';
    }
  }

  /**
   * The session that has replaced one whose token was refused: this process or another one may have
   * renewed it early.
   */
  async #successor(refused: Session): Promise<Session | undefined> {
    const { config, tokens } = this.dependencies;
    if (config.isCustomStoreApp) return undefined;
    if (tokens.isRenewable(refused)) return tokens.refresh(refused);
    const stored = await this.#open(refused);
    return stored && stored.accessToken !== refused.accessToken && this.#canAskWith(stored)
      ? stored
      : undefined;
  }

  /** @throws {ApiError} when the answer says nothing about the token */
  async #isAccepted(session: Session): Promise<boolean> {
    try {
      await this.dependencies.graphql.request(session, SHOP_QUERY);
      return true;
    } catch (error) {
      if (error instanceof AuthenticationError) return false;
      if (
        error instanceof GraphqlQueryError ||
        (error instanceof ApiError && ANSWERS_TO_APPS.has(error.status))
      )
        return true;
      throw error;
    }
  }
}
