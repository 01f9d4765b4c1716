import { shopOf } from '../../core/api-session.js';
import type { ApiSession } from '../../core/api-session.js';
import { MalformedReplyError } from '../../core/http/http.errors.js';
import { onlyValue } from '../../core/json.js';
import type { Clock } from '../../core/time/clock.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { AuthScopes } from '../../core/scopes.js';
import { OAUTH_INSTALL_PATH } from '../../core/vendor.js';
import type { AdminGraphqlClient } from '../../graphql-client/admin-graphql.client.js';
import type { UserError } from '../../graphql-client/graphql-client.errors.js';
import type { Installation } from '../../sessions/coordination/installation.store.js';
import type { Lock } from '../../sessions/coordination/lock.js';
import { Session, offlineSessionId } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { withLock } from '../../sessions/coordination/with-lock.js';
import { NoScopesError } from '../auth.errors.js';
import { scopesLock, tokenLock } from '../installations/installation-records.js';
import type { InstallationRecords } from '../installations/installation-records.js';

/** Reads what a shop has granted, and what the app is configured to ask for. */
const READ_SCOPES = `#graphql
  query readScopes {
    app {
      requestedAccessScopes { handle }
      optionalAccessScopes { handle }
      installation { accessScopes { handle } }
    }
  }`;

/** Gives optional scopes back. */
const REVOKE_SCOPES = `#graphql
  mutation AppRevokeAccessScopes($scopes: [String!]!) {
    appRevokeAccessScopes(scopes: $scopes) {
      revoked { handle }
      userErrors { field message code }
    }
  }`;

/** The session a call is made with. */
export interface ScopesCall {
  readonly session: ApiSession;
}

/** A call about scopes. */
export interface ScopesParams extends ScopesCall {
  readonly scopes: readonly string[];
}

/** The scopes of an app in a shop, as the platform lists them: implied ones are included. */
export interface ScopesDetail {
  readonly granted: string[];
  /** What a shop has to grant to install the app. */
  readonly required: string[];
  /** What the app may ask for later. */
  readonly optional: string[];
}

/** The scopes that were revoked. */
export interface ScopesRevoked {
  readonly revoked: string[];
}

/** What {@link ScopesService} works with. */
interface ScopesServiceDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly logger: PlatformLogger;
  readonly lock: Lock;
  readonly storage: SessionStorage;
  readonly records: InstallationRecords;
  readonly graphql: AdminGraphqlClient;
}

/** How the scopes of a shop have changed. */
interface ScopesChange {
  /** The record of its installation when that was found out. */
  readonly before: Installation | undefined;
  /** What the platform lists. @default what is stored */
  readonly granted?: readonly string[];
  /** What is no longer among them. */
  readonly revoked?: readonly string[];
}

type Handles = readonly { readonly handle: string }[];
/** What is asked for. A proxy in the platform's place may answer with less. */
interface Read {
  readonly app?: {
    readonly requestedAccessScopes?: Handles;
    readonly optionalAccessScopes?: Handles;
    readonly installation?: { readonly accessScopes?: Handles } | null;
  } | null;
}
type Revoked = Readonly<
  Record<
    string,
    { readonly revoked: Handles | null; readonly userErrors: readonly UserError[] } | null
  >
>;

/**
 * Queries, requests and revokes the scopes of an app in a shop. Each method rejects as the GraphQL
 * client does when the platform does not answer.
 */
export class ScopesService {
  constructor(private readonly dependencies: ScopesServiceDependencies) {}

  /**
   * What the shop has granted, and what the app is configured to ask for.
   * @throws {MalformedReplyError} when the reply lacks one of the lists
   */
  async query({ session }: ScopesCall): Promise<ScopesDetail> {
    const { data } = await this.dependencies.graphql
      .for(session)
      .request<Read, string>(READ_SCOPES);
    const { app } = data;
    return {
      granted: listedIn(app?.installation?.accessScopes, data),
      required: listedIn(app?.requestedAccessScopes, data),
      optional: listedIn(app?.optionalAccessScopes, data),
    };
  }

  /**
   * The address where the merchant can grant the scopes, which must be among the app's optional
   * ones. The page does not load in a frame.
   * @returns `undefined` when all of them are granted already
   */
  async request({ scopes, ...call }: ScopesParams): Promise<string | undefined> {
    const wanted = new AuthScopes(scopes);
    // Every shop has granted an empty list: that needs no call.
    if (
      wanted.toArray().length === 0 ||
      new AuthScopes((await this.query(call)).granted).has(wanted)
    )
      return undefined;
    const { config } = this.dependencies;
    const query = new URLSearchParams({
      client_id: config.apiKey,
      scope: config.scopes?.toString() ?? '',
      optional_scopes: wanted.toArray(true).join(AuthScopes.SCOPE_DELIMITER),
    });
    return `${config.shopOrigin(shopOf(call.session))}${OAUTH_INSTALL_PATH}?${query}`;
  }

  /**
   * Revokes optional scopes, also in the stored sessions and record of the shop.
   * @throws {NoScopesError} when the list is empty
   * @throws {UserErrorsError} when the platform refuses, such as for a scope that is not optional
   */
  async revoke({ scopes, session }: ScopesParams): Promise<ScopesRevoked> {
    if (scopes.length === 0) throw new NoScopesError();
    const { config, records, logger } = this.dependencies;
    const shop = shopOf(session);
    const before = config.isCustomStoreApp ? undefined : await records.of(shop);
    const client = this.dependencies.graphql.for(session);
    const { data } = await client.request<Revoked, string>(REVOKE_SCOPES, {
      variables: { scopes },
      userErrors: 'throw',
    });
    const revoked = namesOf(onlyValue(data)?.revoked ?? []);
    if (revoked.length === 0) return { revoked };
    try {
      await this.#synchronize(shop, async () => ({ before, revoked }));
    } catch (error) {
      // They are revoked all the same; the platform's webhook starts another attempt.
      logger.warn('The remaining scopes of a shop could not be stored', { shop, error });
    }
    return { revoked };
  }

  /**
   * Queries what the shop has granted and stores it, with its sessions and the record of its
   * installation. When it has changed, `scopes_changed` is delivered with the next request of the
   * shop. To be called when a delivery of `APP_SCOPES_UPDATE` reaches a route of the app's own.
   * @throws {LockTimeoutError} when other processes hold the shop's locks for too long
   */
  async sync(call: ScopesCall): Promise<void> {
    const shop = shopOf(call.session);
    await this.#synchronize(shop, async () => {
      const before = await this.dependencies.records.of(shop);
      return { before, granted: (await this.query(call)).granted };
    });
  }

  /** @param learn finds out what has changed */
  async #synchronize(shop: string, learn: () => Promise<ScopesChange>): Promise<void> {
    const { config, clock, lock, records } = this.dependencies;
    if (config.isCustomStoreApp) return;
    // One at a time, so that what was read last is stored last. Not under the token lock: the call
    // may have to renew a token.
    await withLock({ lock, clock }, scopesLock(config.apiKey, shop), async () => {
      const { before, ...change } = await learn();
      await withLock({ lock, clock }, tokenLock(config.apiKey, shop), async () => {
        const { grantedAt } = (await records.of(shop)) ?? {};
        // A token that was granted meanwhile came with its scopes.
        if (grantedAt?.getTime() === before?.grantedAt.getTime()) await this.#store(shop, change);
      });
    });
  }

  /** The record is first: a crash in between must not hide the change from the app. */
  async #store(
    shop: string,
    { granted, revoked = [] }: Omit<ScopesChange, 'before'>,
  ): Promise<void> {
    const { storage, records, logger } = this.dependencies;
    const sessions = (await storage.findSessionsByShop(shop)).filter(
      (session) => session.shop === shop,
    );
    const offline = sessions.find(({ id }) => id === offlineSessionId(shop));
    // Uninstalled meanwhile: no session may come back.
    if (!offline) return;
    const scope = new AuthScopes(granted ?? offline.scope).without(revoked).toString();
    await records.scoped(shop, { scope, previousScope: offline.scope ?? '' });
    const outdated = sessions.filter((session) => !new AuthScopes(session.scope).equals(scope));
    for (const session of outdated) {
      if (storage.replaceSession) {
        await storage.replaceSession(new Session({ ...session, scope }), session);
        continue;
      }
      // A class of the app may list its table as it stands there, such as with sealed tokens, and
      // load what can be stored again.
      const stored = await storage.loadSession(session.id);
      if (stored) await storage.storeSession(new Session({ ...stored, scope }));
    }
    if (outdated.length > 0)
      logger.info('A shop has granted other scopes than before', { shop, scope });
  }
}

/** A list that is missing is no empty one: it would be stored as what the shop has granted. */
function listedIn(scopes: Handles | undefined, data: Read): string[] {
  if (Array.isArray(scopes) && scopes.every((scope) => typeof scope?.handle === 'string'))
    return namesOf(scopes);
  throw new MalformedReplyError(
    'Received an unusable reply: the platform did not list the scopes of the app.',
    { code: 200, statusText: 'OK', body: { data }, headers: {} },
  );
}

function namesOf(scopes: Handles): string[] {
  return scopes.map(({ handle }) => handle);
}
