import type { AuthService } from '../../auth/auth.service.js';
import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { BillingService } from '../../billing/billing.service.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { Untyped } from '../../core/json.js';
import type { AdminContext } from '../../auth/clients/shop-clients.js';
import { SessionScopes } from '../../auth/scopes/session-scopes.js';
import { sessionTokenOf } from '../../auth/credentials/session-token.reader.js';
import { SessionBilling } from '../../billing/session-billing.js';
import type { SessionTokenPayload } from '../../core/crypto/session-token.verifier.js';
import type { Decision } from '../../core/decision.js';
import {
  CSP,
  frameAncestors,
  withFrameAncestors,
} from '../../core/http/content-security-policy.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { replyTo } from '../../core/http/reply.js';
import { webRequest, webResponse } from '../../core/http/web-http.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { PlatformClients } from '../../platform/api/platform-clients.js';
import type { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import type { PlatformRoutes } from '../../platform/host/platform-routes.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { WebhookDelivery } from '../../webhooks/deliveries/webhook-delivery.js';
import type {
  RegisterResult,
  WebhookRegistrar,
} from '../../webhooks/subscriptions/webhook.registrar.js';
import { createBilling } from './remix-billing.js';
import type { RemixBilling } from './remix-billing.js';
import { preflight, withCors } from './remix-cors.js';
import { loginOutcome } from './remix-login.js';
import type { LoginError } from './remix-login.js';
import { createRedirect } from './remix-redirect.js';
import type { RedirectFunction } from './remix-redirect.js';
import { createScopes } from './remix-scopes.js';
import type { RemixScopes } from './remix-scopes.js';

/** What a loader or an action of the app works with. */
export interface RemixAdminContext<Resources extends ResourceSet = RegisteredResources> {
  readonly admin: AdminContext<Resources>;
  readonly session: Session;
  /** What the request's session token says; embedded apps only. */
  readonly sessionToken?: SessionTokenPayload | undefined;
  readonly redirect: RedirectFunction;
  /** What the shop pays. */
  readonly billing: RemixBilling;
  /** What the shop has granted. */
  readonly scopes: RemixScopes;
  /** Makes a response readable for pages of other origins, such as extensions of the admin. */
  readonly cors: (response: Response) => Response;
}

/** The Admin API of a shop on the app's own behalf. */
export interface UnauthenticatedAdminContext<Resources extends ResourceSet = RegisteredResources> {
  readonly session: Session;
  readonly admin: AdminContext<Resources>;
}

/** What a {@link RemixIntegration} works with. */
export interface RemixDependencies {
  readonly config: PlatformConfig;
  readonly storage: SessionStorage;
  readonly api: PlatformApi;
  readonly auth: AuthService;
  readonly billing: BillingService;
  readonly billingGate: BillingGate;
  readonly scopes: ScopesService;
  readonly clients: PlatformClients;
  readonly webhooks: WebhookReceiver;
  readonly registrar: WebhookRegistrar;
  readonly routes: PlatformRoutes;
  readonly discovery: HandlerDiscovery;
}

/**
 * The toolkit for hosts that speak web `Request` and `Response`: Remix, React Router and any other.
 * What a request may not do is *thrown* as a `Response`. Members can be taken off the object:
 * `export const { authenticate } = app`.
 *
 * In a Nest app, `app.get(RemixIntegration)` gives the object over the app's own container.
 */
export class RemixIntegration<Resources extends ResourceSet = RegisteredResources> {
  readonly api: PlatformApi<Resources>;
  readonly sessionStorage: SessionStorage;
  readonly #app: RemixDependencies;

  constructor(dependencies: RemixDependencies) {
    this.#app = dependencies;
    this.api = dependencies.api as PlatformApi<Resources>;
    this.sessionStorage = dependencies.storage;
  }

  readonly authenticate = {
    /**
     * Lets a request of the admin through. Below the auth prefix it runs OAuth and serves the
     * helper pages instead.
     * @throws {Response} when the request has to go elsewhere or is refused
     */
    admin: async (request: Request): Promise<RemixAdminContext<Resources>> => {
      const { config } = this.#app;
      const early = preflight(request, config);
      if (early) throw early;
      const cors = (response: Response): Response => withCors(request, response, config);
      const inbound = webRequest(request, config);
      const { auth, billingGate, routes, discovery } = this.#app;
      await discovery.done();
      const path = config.paths.match(inbound.url.pathname);
      const reply =
        path === undefined || path === 'webhooks' ? undefined : await routes.handle(inbound);
      if (reply) throw cors(webResponse(reply));
      const decision = await auth.authenticateAdmin(inbound);
      if (decision.kind !== 'granted') throw cors(this.#responseTo(inbound, decision));
      const { admin, session, sessionToken } = decision;
      const answer = (refusal: Decision): Response =>
        cors(this.#responseTo(inbound, refusal, session.shop));
      const call = { session, sessionToken: sessionTokenOf(inbound) };
      const billing = new SessionBilling(this.#app.billing, call);
      const leave = (url: string): Response => answer(auth.leaveApp(inbound, url, session.shop));
      return {
        admin: admin as AdminContext<Resources>,
        session,
        sessionToken,
        redirect: createRedirect(config, inbound, leave),
        billing: createBilling({ billingGate, billing, request: inbound, session, answer, leave }),
        scopes: createScopes(new SessionScopes(this.#app.scopes, call, leave), cors),
        cors,
      };
    },

    /**
     * Verifies a delivery; handling it is up to the action, and so is telling repetitions apart by
     * `webhookId`. Handlers in `modules` run with {@link RemixIntegration.handle}. By the time it
     * answers with an uninstallation, the app was told of it and the shop's sessions are deleted:
     * `session` is still the one the shop had, and none when the delivery is repeated.
     * @throws {Response} when the delivery must not be believed, or the app failed to be told of an
     * uninstallation. For an uninstallation of a shop that has the app its status is 200: the
     * platform need not try again.
     */
    webhook: async <Payload = Untyped>(request: Request): Promise<WebhookDelivery<Payload>> => {
      const inbound = webRequest(request, this.#app.config);
      await this.#app.discovery.done();
      const decision = await this.#app.webhooks.verifyAndOpen(inbound);
      if (decision.kind !== 'opened') throw this.#responseTo(inbound, decision);
      return decision.delivery as WebhookDelivery<Payload>;
    },
  };

  readonly unauthenticated = {
    /**
     * The Admin API of a shop without a request of that shop, for background jobs.
     * @throws {SessionNotFoundError} when the shop has not installed the app
     * @throws {InvalidShopError}
     */
    admin: (shop: string): Promise<UnauthenticatedAdminContext<Resources>> =>
      this.#app.clients.forShop(shop),
  };

  /**
   * Takes what a merchant typed into the app's login form, and starts OAuth.
   * @returns what is wrong with it, for the form to show
   * @throws {Response} the redirect, when all is well; 413 for a form of more than 64 kB, 408 for
   * one that has no end within 10 s, 503 for one whose bytes were dropped, so that all bodies stay
   * within `webhooks.bodyMemoryLimit`
   */
  readonly login = async (request: Request): Promise<LoginError> => {
    const outcome = await loginOutcome(request, this.#app.config);
    if (outcome instanceof URL)
      throw new Response(null, { status: 302, headers: { location: outcome.href } });
    if ('kind' in outcome) throw this.#responseTo(webRequest(request, this.#app.config), outcome);
    return outcome;
  };

  /**
   * Subscribes the shop to the topics the app has handlers for. Happens by itself after an install.
   */
  readonly registerWebhooks = async ({
    session,
  }: {
    session: Session;
  }): Promise<Record<string, RegisterResult[]>> => {
    await this.#app.discovery.done();
    return this.#app.registrar.register(session);
  };

  /**
   * Lets the admin frame the document and has the browser fetch App Bridge early. What else a
   * policy says stays. Never waits.
   */
  readonly addDocumentResponseHeaders = (request: Request, headers: Headers): void => {
    const { config } = this.#app;
    const shop = sanitizeShop(new URL(request.url).searchParams.get(QUERY.shop));
    if (shop !== null)
      headers.set('link', `<${config.appBridgeUrl(shop)}>; rel="preload"; as="script";`);
    if (shop !== null || !config.isEmbeddedApp) {
      headers.set(CSP, withFrameAncestors(headers.get(CSP), frameAncestors(config, shop)));
    }
  };

  /**
   * Answers every path of the toolkit, webhooks with their handlers included; `undefined` when the
   * path belongs to the app.
   */
  readonly handle = async (request: Request): Promise<Response | undefined> => {
    const inbound = webRequest(request, this.#app.config);
    const reply = await this.#app.routes.handle(inbound);
    return reply && webResponse(reply);
  };

  #responseTo(request: InboundRequest, decision: Decision, shop?: string): Response {
    return webResponse(replyTo(request, decision, this.#app.config, shop));
  }
}
