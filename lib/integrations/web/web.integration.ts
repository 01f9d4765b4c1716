import { attachRequest } from '../../core/session-request.js';
import type { RequestContexts } from '../../platform/host/request-context.js';
import type { AuthService } from '../../auth/auth.service.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import { corsHeaders, preflight } from '../../auth/admin/admin-cors.js';
import { loginDecision } from '../../auth/login/login.js';
import type { LoginError } from '../../auth/login/login.js';
import { documentHeaders } from '../../auth/responses/document-headers.js';
import type { Decision } from '../../core/decision.js';
import { CSP, withFrameAncestors } from '../../core/http/content-security-policy.js';
import { webRequest, webResponse } from '../../core/http/web-http.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { WebhooksApi } from '../../platform/api/webhooks.api.js';
import type { PlatformClients } from '../../platform/api/platform-clients.js';
import type { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import type { PlatformRoutes } from '../../platform/host/platform-routes.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { ContextOf } from './app-members.js';
import type { RouteConventions } from './route-conventions.js';
import { createContext } from './web-context.js';
import { readLogin } from './web-login.js';
import { posMember, publicMembers } from './web-public.js';
import type { PublicDependencies } from './web-public.js';
import { respondToRoute } from './web-refusal.js';
import { responseTo, withCors, withHeaders } from './web-response.js';
import { signedMembers } from './web-signed.js';
import type { SignedDependencies } from './web-signed.js';
import { unauthenticatedMembers } from './web-unauthenticated.js';
import { authorizeOf, webhooksPageOf } from './web-webhooks-page.js';
import type { WebhooksPageDependencies, WebhooksPageOptions } from './web-webhooks-page.js';
import type { AuthenticateWebhook, WebhookContext } from './webhook-context.js';

/** What a {@link WebIntegration} works with. */
export interface WebDependencies
  extends PublicDependencies, SignedDependencies, WebhooksPageDependencies {
  /** Those of the host. */
  readonly conventions: RouteConventions;
  readonly config: PlatformConfig;
  readonly storage: SessionStorage;
  readonly api: PlatformApi;
  readonly auth: AuthService;
  readonly billingGate: BillingGate;
  readonly contexts: RequestContexts;
  readonly clients: PlatformClients;
  readonly webhooks: WebhookReceiver;
  readonly routes: PlatformRoutes;
  readonly discovery: HandlerDiscovery;
}

/**
 * The toolkit for hosts that speak web `Request` and `Response`. What a request may not do is
 * *thrown* as a `Response`. Members can be taken off the object: `export const { authenticate } =
 * app`.
 */
export class WebIntegration<
  Resources extends ResourceSet = RegisteredResources,
  Embedded extends boolean = boolean,
  Storage extends SessionStorage = SessionStorage,
> {
  readonly api: PlatformApi<Resources>;
  readonly sessionStorage: Storage;
  readonly #app: WebDependencies;
  /**
   * The app, once its modules have started: the services that its routes work with, and handlers of
   * events. @throws {BootError} when a module cannot be started
   */
  readonly #started = async (): Promise<WebDependencies> => {
    const { discovery } = this.#app;
    if (discovery.pending) await discovery.pending;
    return this.#app;
  };

  constructor(dependencies: WebDependencies) {
    this.#app = dependencies;
    this.api = dependencies.api as PlatformApi<Resources>;
    this.sessionStorage = dependencies.storage as Storage;
    // Its shop does not install it.
    if (dependencies.config.isCustomStoreApp) Reflect.deleteProperty(this, 'login');
    const { authenticate } = this;
    Object.assign(
      dependencies.conventions.pos === 'public' ? authenticate.public : authenticate,
      posMember(this.#started),
    );
  }

  readonly authenticate = {
    /**
     * Lets a request of the admin through. Below the auth prefix it runs OAuth and serves the
     * helper pages instead.
     * @throws {Response} when the request has to go elsewhere or is refused
     */
    admin: async (request: Request): Promise<ContextOf<Resources, Embedded>> => {
      const { config, conventions, auth, billingGate, contexts, routes } = this.#app;
      const inbound = webRequest(request, config);
      const early = preflight(inbound, config);
      if (early) throw withHeaders(new Response(null, { status: early.status }), early.headers);
      const cors = (response: Response): Response =>
        withCors(response, corsHeaders(inbound, config));
      await this.#started();
      const path = config.paths.match(inbound.path);
      const reply =
        path === undefined || path === 'webhooks' ? undefined : await routes.handle(inbound);
      if (reply) throw cors(webResponse(reply));
      const decision = await auth.authenticateAdmin(inbound);
      if (decision.kind !== 'granted') throw cors(respondToRoute(inbound, decision, config));
      const answer = (denied: Decision): Response =>
        cors(respondToRoute(inbound, denied, config, decision.session.shop));
      attachRequest(decision.session, {
        whenRefused: () => {
          const refused = auth.tokenRefused(inbound, decision.session.shop, { mayRepeat: false });
          return refused && answer(refused);
        },
      });
      const { shop } = decision.session;
      const context = contexts.for(inbound, decision, {
        respond: answer,
        whenBillingRefused: () => {
          const mustReauthorize = conventions.billingRefused === 'reauthorize';
          const refused = auth.tokenRefused(inbound, shop, { mustReauthorize });
          return refused && answer(refused);
        },
      });
      const visit = { config, auth, billingGate, request: inbound, context, answer, cors };
      return createContext<Resources>(visit) as ContextOf<Resources, Embedded>;
    },

    /**
     * Verifies a delivery. The action handles it, and recognises repeated deliveries by
     * `webhookId`. Handlers in `modules` run with {@link WebIntegration.handle}, or, with
     * `webhooks.enqueueFromRoutes`, get each delivery once before this returns. When it returns an
     * uninstallation, `onUninstall` has run and the shop's sessions are deleted, unless that is
     * left to the queue: `session` is still the one the shop had, and undefined when the delivery
     * is repeated.
     * @throws {Response} when the delivery is not authentic, `onUninstall` failed, or the delivery
     * was to be enqueued and could not be. For an uninstallation of a shop that has the app its
     * status is 200: the platform need not try again.
     */
    webhook: (async <T>(request: Request): Promise<WebhookContext<T, Resources>> => {
      const { config, webhooks } = await this.#started();
      const inbound = webRequest(request, config);
      const decision = await webhooks.verifyAndOpen(inbound);
      if (decision.kind !== 'opened') throw responseTo(inbound, decision, config);
      return decision.delivery as WebhookContext<T, Resources>;
    }) as AuthenticateWebhook<Resources>,

    /** Requests of visitors and of extensions outside of the admin. */
    public: publicMembers<Resources>(this.#started),

    ...signedMembers<Resources>(this.#started),
  };

  /** Work in a shop without a request of that shop. */
  readonly unauthenticated = unauthenticatedMembers<Resources>(this.#started);

  /**
   * Takes what a merchant typed into the app's login form: an embedded app is installed from the
   * admin, any other by OAuth.
   * @returns what is wrong with it, for the form to show
   * @throws {Response} the redirect, when all is well; 413 for a form of more than 64 kB, 408 for
   * one that has no end within 10 s, 503 for one whose bytes were dropped, so that all bodies stay
   * within `webhooks.bodyMemoryLimit`. Absent in an app of `AppDistribution.PlatformAdmin`, which
   * its shop does not install.
   */
  readonly login = async (request: Request): Promise<LoginError> => {
    const { config } = this.#app;
    const inbound = webRequest(request, config);
    const form = await readLogin(request, config.clock);
    const decision = form.kind === 'form' ? loginDecision(form, config) : form;
    if (decision.kind === 'form') return decision.error;
    throw responseTo(inbound, decision, config);
  };

  /**
   * Subscribes the shop to the topics the app has handlers for. Happens by itself after an install.
   * `prune` also deletes the app's other subscriptions in the shop.
   */
  readonly registerWebhooks: WebhooksApi['register'] = (params) =>
    this.#app.api.webhooks.register(params);

  /**
   * Lets the admin frame the document and has the browser fetch App Bridge early. What else a
   * policy says stays. Never waits.
   */
  readonly addDocumentResponseHeaders = (request: Request, headers: Headers): void => {
    const { config } = this.#app;
    const shop = sanitizeShop(new URL(request.url).searchParams.get(QUERY.shop));
    for (const [name, value] of documentHeaders(config, shop, {
      preload: true,
      withoutShop: 'keep',
    }))
      headers.set(name, name === CSP ? withFrameAncestors(headers.get(CSP), value) : value);
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

  /**
   * A page for the people who run the app: the queue, the last deliveries, and dead letters with
   * replay. To be returned by the loader and the action of a route without a component.
   * @throws {MissingRequiredArgument} without `authorize`
   * @throws {WebhookQueueError} when the queue cannot be reached
   * @throws {Response} that `authorize` throws
   * @example
   * export const loader = ({ request }) => app.webhooksPage(request, { authorize: isStaff });
   * export const action = loader;
   */
  readonly webhooksPage = async (
    request: Request,
    options: WebhooksPageOptions,
  ): Promise<Response> => {
    const authorize = authorizeOf(options);
    return webhooksPageOf(await this.#started(), request, authorize);
  };
}
