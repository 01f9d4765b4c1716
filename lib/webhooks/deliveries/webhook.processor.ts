import type { AdminContext, ShopClients } from '../../auth/clients/admin-context.js';
import type { ApiClients } from '../../auth/clients/shop-clients.js';
import type { TokenManager } from '../../auth/tokens/token-manager.js';
import { isAccessToken } from '../../core/api-session.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { ShuttingDownError } from '../../core/core.errors.js';
import type { Untyped } from '../../core/json.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { StorefrontClient } from '../../graphql-client/storefront-graphql.client.js';
import { Session, offlineSessionId } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import { SessionEncryptionError } from '../../sessions/sessions.errors.js';
import { logFieldsOf } from '../handlers/webhook.dispatcher.js';
import type { WebhookDispatcher, WebhookTimeLimit } from '../handlers/webhook.dispatcher.js';
import type { Admission } from '../handlers/webhook.registry.js';
import type {
  AcceptedDelivery,
  DeliveryOutcome,
  FailedDelivery,
  HandlingProgress,
  UnavailableDelivery,
  WebhookQueue,
} from '../queue/webhook.queue.js';
import { WebhookHandlersFailedError } from '../webhooks.errors.js';
import { clientsOnCall } from './clients-on-call.js';
import type { ClaimResult, WebhookClaims } from './webhook-claims.js';
import { parsePayload } from './webhook-delivery.js';
import type { AbandonableDelivery, VerifiedDelivery, WebhookDelivery } from './webhook-delivery.js';

/** What a {@link WebhookProcessor} depends on. */
interface WebhookProcessorDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly claims: WebhookClaims;
  readonly shops: ShopContextLoader;
  readonly dispatcher: WebhookDispatcher;
  readonly timeLimit: WebhookTimeLimit;
}

/** A delivery that is ready for a route of the app. */
export interface OpenedDelivery {
  readonly kind: 'opened';
  readonly delivery: WebhookDelivery;
}

/** Takes verified deliveries to their end, wherever the queue has them run. */
export class WebhookProcessor {
  constructor(private readonly dependencies: WebhookProcessorDependencies) {}

  /**
   * Claims a delivery, runs its handlers, and marks it as done or gives it back for another
   * attempt. A duplicate of a delivery that is done runs nothing; one of a delivery that is being
   * handled waits for its outcome. Never rejects.
   */
  async process(verified: VerifiedDelivery): Promise<DeliveryOutcome> {
    const { config, claims, logger } = this.dependencies;
    const { shop, webhookId } = verified.facts;
    let claim: ClaimResult;
    try {
      claim = await claims.take({ app: config.apiKey, shop, webhookId });
    } catch (error) {
      logger.error('A delivery could not be claimed', { ...logFieldsOf(verified.facts), error });
      return { kind: 'unavailable', reason: 'inbox_unavailable' };
    }
    if (claim.kind === 'done') return { kind: 'accepted', reason: 'duplicate' };
    if (claim.kind === 'busy') return { kind: 'unavailable', reason: 'delivery_in_progress' };
    const handled = [...claim.handled];
    const outcome = await this.handle(verified, { handled });
    if (outcome.kind === 'accepted') await claim.complete();
    else await claim.release(handled);
    return outcome;
  }

  /**
   * Prepares a delivery for a route of the app, which handles it: nothing is claimed and no handler
   * runs, but the built-in handler of the topic has run. The delivery keeps the session it was
   * opened with, and has API clients whenever it has one: without a valid access token, their calls
   * fail.
   * @param queue takes the delivery over instead, for all handlers; what it does not accept is not
   * opened
   * @throws what the session storage throws
   */
  async open(
    verified: VerifiedDelivery,
    queue?: Pick<WebhookQueue, 'enqueue'>,
  ): Promise<OpenedDelivery | DeliveryOutcome> {
    try {
      const { dispatcher, shops } = this.dependencies;
      const { session, clients } = await this.#shopOf(verified);
      const shop = session ? { session, clients: clients ?? shops.clientsOnCall(session) } : {};
      const delivery = new OpenDelivery(verified, shop);
      const rejected = this.#rejection(await dispatcher.admit(delivery), delivery);
      if (rejected) return rejected;
      const outcome = await (queue ? queue.enqueue(verified) : dispatcher.runBuiltIn(delivery));
      const isTaken =
        !outcome || (outcome.kind === 'accepted' && outcome.reason !== 'not_believed');
      return isTaken ? { kind: 'opened', delivery } : outcome;
    } catch (error) {
      if (error instanceof ShuttingDownError) return SHUTTING_DOWN;
      // The dispatcher has logged it.
      if (error instanceof WebhookHandlersFailedError) return FAILED;
      throw error;
    }
  }

  /** Runs the handlers of a delivery that the caller has claimed. Never rejects. */
  async handle(verified: VerifiedDelivery, progress: HandlingProgress): Promise<DeliveryOutcome> {
    const { dispatcher, logger } = this.dependencies;
    const { facts, path } = verified;
    try {
      const delivery = dispatcher.usesShop(facts.topic)
        ? new OpenDelivery(verified, await this.#shopOf(verified))
        : new OpenDelivery(verified, NO_SHOP);
      const admission = dispatcher.admit(delivery);
      const rejected = admission !== 'admitted' && this.#rejection(await admission, delivery);
      if (rejected) return rejected;
      await dispatcher.dispatch(delivery, { path, ...progress });
    } catch (error) {
      if (error instanceof ShuttingDownError) {
        const message = 'A delivery was given back unhandled, since the app is shutting down';
        logger.warn(message, logFieldsOf(facts));
        return SHUTTING_DOWN;
      }
      // The dispatcher has logged each handler that failed.
      if (error instanceof WebhookHandlersFailedError)
        return { kind: 'failed', handlers: error.failures.map(({ handler }) => handler) };
      logger.error('A delivery could not be handed to its handlers', {
        ...logFieldsOf(facts),
        error,
      });
      return FAILED;
    }
    if (logger.mayDebug) logger.debug('A delivery was handled', logFieldsOf(facts));
    return { kind: 'accepted', reason: 'handled' };
  }

  /** The outcome of a delivery that the app must not see; `undefined` for every other. */
  #rejection(
    admission: Admission,
    delivery: WebhookDelivery,
  ): AcceptedDelivery | UnavailableDelivery | undefined {
    if (admission === 'admitted') return undefined;
    if (admission === 'refused') return { kind: 'accepted', reason: 'not_believed' };
    const reason = 'platform_unreachable';
    this.dependencies.logger.warn('A delivery was refused', { reason, ...logFieldsOf(delivery) });
    return { kind: 'unavailable', reason };
  }

  #shopOf({ facts }: VerifiedDelivery): Promise<ShopContext> {
    const { shops, timeLimit } = this.dependencies;
    return timeLimit.run('opening of the shop', logFieldsOf(facts), () =>
      shops.load(facts.shop, facts.topic),
    );
  }
}

/** What a delivery has whose handlers do not use the shop. */
const NO_SHOP: ShopContext = {};

const FAILED: FailedDelivery = { kind: 'failed' };
const SHUTTING_DOWN: UnavailableDelivery = { kind: 'unavailable', reason: 'shutting_down' };

/**
 * What handlers receive. Text, payload and API clients are made when they are read. A class, as an
 * object literal with getters would keep its request from dying young (see `nodeRequest`).
 */
class OpenDelivery implements AbandonableDelivery {
  declare readonly webhookType: WebhookDelivery['webhookType'];
  declare readonly topic: string;
  declare readonly shop: string;
  declare readonly webhookId: string;
  declare readonly apiVersion: string;
  declare readonly context?: Untyped;
  readonly session: Session | undefined;
  readonly #body: Buffer;
  readonly #makeClients: (() => ShopClients) | undefined;
  #clients: ShopClients | undefined;
  #text: string | undefined;
  #parsed: { readonly payload: unknown } | undefined;
  #abort: AbortController | undefined;

  constructor(verified: Omit<VerifiedDelivery, 'path'>, { session, clients }: ShopContext) {
    Object.assign(this, verified.facts);
    if (verified.context !== undefined) this.context = verified.context;
    this.session = session;
    this.#body = verified.body;
    this.#makeClients = clients;
  }

  get admin(): AdminContext | undefined {
    return this.#shopClients()?.admin;
  }

  get storefront(): StorefrontClient | undefined {
    return this.#shopClients()?.storefront;
  }

  get rawBody(): string {
    return (this.#text ??= this.#body.toString('utf8'));
  }

  get payload(): Untyped {
    return (this.#parsed ??= { payload: parsePayload(this.rawBody, this.topic) }).payload;
  }

  get signal(): AbortSignal {
    return (this.#abort ??= new AbortController()).signal;
  }

  abandon(reason: Error): WebhookDelivery {
    (this.#abort ??= new AbortController()).abort(reason);
    const { session } = this;
    return new OpenDelivery(
      { facts: this, body: this.#body },
      { session, clients: this.#makeClients },
    );
  }

  #shopClients(): ShopClients | undefined {
    return (this.#clients ??= this.#makeClients?.());
  }
}

const UNINSTALLED = 'APP_UNINSTALLED';

/** What a handler can use of the shop a delivery came from. */
interface ShopContext {
  /** `undefined` when the app is not installed. */
  readonly session?: Session | undefined;
  /** Creates the API clients; `undefined` when there is no session with a valid access token. */
  readonly clients?: (() => ShopClients) | undefined;
}

/** What a {@link ShopContextLoader} depends on. */
interface ShopContextLoaderDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly tokens: TokenManager;
  readonly clients: ApiClients;
}

/** Loads the offline session of the shop a delivery came from, with a valid access token. */
export class ShopContextLoader {
  constructor(private readonly dependencies: ShopContextLoaderDependencies) {}

  /**
   * Reads the session storage once, unless the access token has to be renewed; a session of another
   * shop counts as none. When the renewal fails, the context has no clients: a delivery must not
   * fail because of a token that its handlers may not need.
   * @throws what the session storage throws
   */
  async load(shop: string, topic: string): Promise<ShopContext> {
    const { config, tokens, storage } = this.dependencies;
    if (config.isCustomStoreApp) return this.#contextOf(await tokens.session(shop));
    let session: Session | undefined;
    try {
      session = await storage.loadSession(offlineSessionId(shop));
    } catch (error) {
      this.#goOnWithout(shop, error);
    }
    if (session?.shop !== shop) return {};
    // A storage may hand the same object to requests.
    session = new Session(session);
    if (!isAccessToken(session.accessToken)) return { session };
    // The tokens of a shop that has uninstalled the app are revoked: renewing them would only log a
    // warning.
    const fresh = topic === UNINSTALLED ? session : await this.#renewed(session);
    return fresh ? this.#contextOf(fresh) : { session };
  }

  /** Creates the API clients of a session that has no valid access token. */
  clientsOnCall(session: Session): () => ShopClients {
    return () => clientsOnCall(session, () => this.dependencies.clients.for(session));
  }

  #contextOf(session: Session): ShopContext {
    return { session, clients: () => this.dependencies.clients.for(session) };
  }

  /** A session that can no longer be decrypted must not keep its shop from uninstalling the app. */
  #goOnWithout(shop: string, error: unknown): void {
    if (!(error instanceof SessionEncryptionError)) throw error;
    this.dependencies.logger.error(
      'A delivery is handled without the session of its shop, which cannot be decrypted',
      { shop, error },
    );
  }

  #renewed(session: Session): Promise<Session | undefined> {
    const { tokens, logger } = this.dependencies;
    return tokens.ensureFresh(session).catch((error: unknown) => {
      logger.warn('A delivery is handled without the Admin API: its token could not be renewed', {
        shop: session.shop,
        error,
      });
      return undefined;
    });
  }
}
