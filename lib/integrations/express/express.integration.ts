import type { AuthService } from '../../auth/auth.service.js';
import { documentHeaders } from '../../auth/responses/document-headers.js';
import type { InFlight } from '../../core/concurrency/in-flight.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { WebhookReceiver } from '../../webhooks/deliveries/webhook.receiver.js';
import type { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { checkedPlans } from '../../billing/billing-gate.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { Decision } from '../../core/decision.js';
import type { InboundRequest, Reply } from '../../core/http/inbound-request.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import { internalError } from '../../platform/host/platform-routes.js';
import type { PlatformRoutes } from '../../platform/host/platform-routes.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import type {
  RegisterResult,
  WebhookRegistrar,
} from '../../webhooks/subscriptions/webhook.registrar.js';
import type { WebhookHandlerMap } from '../../webhooks/handlers/webhook-handler-map.js';
import type { ExpressConfig } from './express-config.js';
import { expressConfig } from './express-config.js';
import type {
  ExpressHandler,
  ExpressRequest,
  ExpressResponse,
  RedirectOutOfApp,
  RedirectOutOfAppParams,
  RequirePlan,
} from './express-handler.js';
import { addHeaders, isLastOfItsRoute, remember, sessionOf } from './express-response.js';

/** What an {@link ExpressIntegration} works with. */
export interface ExpressDependencies {
  readonly config: PlatformConfig;
  readonly logger: PlatformLogger;
  readonly storage: SessionStorage;
  readonly api: PlatformApi;
  readonly auth: AuthService;
  readonly billingGate: BillingGate;
  readonly webhooks: WebhookReceiver;
  readonly registry: WebhookRegistry;
  readonly registrar: WebhookRegistrar;
  readonly routes: PlatformRoutes;
  readonly inFlight: InFlight;
  readonly discovery: HandlerDiscovery;
}

/** The app's own code has answered the request. */
const ANSWERED = Symbol('answered');

/** Answers the request with a decision, or lets it go on to the next handler with `undefined`. */
type Answer<Req, Res> = (visit: {
  readonly request: InboundRequest;
  readonly req: Req;
  readonly res: Res;
}) => Promise<Decision | typeof ANSWERED | undefined>;

/**
 * The toolkit as Express middleware. Every factory may be called before the app has booted: the
 * middleware waits.
 *
 * In a Nest app, `app.get(ExpressIntegration)` gives the bundle of the app's own container; mount
 * it before `listen()`, afterwards Nest has put its 404 in front of it.
 */
export class ExpressIntegration<Resources extends ResourceSet = RegisteredResources> {
  /** Paths and stores as configured, for wiring routes: `app.get(shopify.config.auth.path, …)`. */
  readonly config: ExpressConfig;
  /** The library below the middleware: utilities, sessions, clients, webhooks. */
  readonly api: PlatformApi<Resources>;

  readonly #app: ExpressDependencies;

  constructor(dependencies: ExpressDependencies) {
    this.#app = dependencies;
    this.config = expressConfig(dependencies);
    this.api = dependencies.api as PlatformApi<Resources>;
  }

  readonly auth = {
    /**
     * Starts OAuth for the shop in the query. `isOnline` asks for the token of a user instead of
     * the app's own.
     */
    begin: (options: { isOnline?: boolean } = {}): ExpressHandler =>
      this.#ownRoute(({ request }) => this.#app.auth.begin(request, options)),

    /**
     * Completes OAuth, stores the session and puts it at `res.locals.shopify.session`. Handlers
     * after it in the same route take over, usually ending with `redirectToShopifyOrAppRoot()`; as
     * the last handler of its route it redirects there by itself.
     */
    callback: (): ExpressHandler => {
      const callback: ExpressHandler = this.#ownRoute(async ({ request, req, res }) => {
        const outcome = await this.#app.auth.callback(request);
        if (outcome.kind !== 'granted') return outcome;
        addHeaders(res, outcome.headers);
        remember(res, outcome.session);
        return isLastOfItsRoute(callback, req)
          ? this.#app.auth.landing(request, outcome.session)
          : undefined;
      });
      return callback;
    },
  };

  /**
   * Verifies deliveries over their raw bytes, whatever body parser stands before or after, and runs
   * the handlers of their topic. The handlers are added to the app's; those of the options and of
   * `modules` run as well.
   */
  readonly processWebhooks = ({
    webhookHandlers = {},
  }: { webhookHandlers?: WebhookHandlerMap } = {}): ExpressHandler => {
    this.#app.registry.addHandlers(webhookHandlers);
    return this.#answering(({ request }) => this.#app.webhooks.receive(request));
  };

  /**
   * Lets requests with a valid session through, with the session at `res.locals.shopify.session`;
   * answers all others.
   */
  readonly validateAuthenticatedSession = (): ExpressHandler =>
    this.#answering(async ({ request, res }) => {
      const decision = await this.#app.auth.authenticateAdmin(request);
      if (decision.kind !== 'granted') return decision;
      addHeaders(res, decision.headers);
      remember(res, decision.session);
      return undefined;
    });

  /**
   * Lets requests through whose shop pays for one of the plans, after
   * `validateAuthenticatedSession()`; leads all others to the confirmation page, unless `onFailure`
   * answers them.
   * @throws {BillingError} when no plan is named, or `plan` is not among them
   */
  readonly requirePlan = <
    Req extends ExpressRequest = ExpressRequest,
    Res extends ExpressResponse = ExpressResponse,
  >({
    onFailure,
    plans,
    ...options
  }: RequirePlan<Req, Res>): ExpressHandler<Req, Res> => {
    const accepted = checkedPlans(plans, options.plan);
    return this.#answering(async ({ request, req, res }) => {
      const session = sessionOf(res);
      if (!session)
        throw new MissingRequiredArgument(
          'requirePlan() needs a session: put validateAuthenticatedSession() before it.',
        );
      const decision = await this.#app.billingGate.require<void>(request, session, {
        ...options,
        plans: accepted,
        onFailure:
          typeof onFailure === 'function'
            ? async (error) => void (await onFailure(error, req, res))
            : onFailure,
      });
      if (decision.kind === 'answered') return ANSWERED;
      return decision.kind === 'granted' ? undefined : decision;
    });
  };

  /**
   * For pages: lets the request through when the shop has installed the app, else starts OAuth or
   * enters the admin.
   */
  readonly ensureInstalledOnShop = (): ExpressHandler =>
    this.#answering(async ({ request, res }) => {
      const decision = await this.#app.auth.ensureInstalled(request);
      if (decision.kind !== 'granted') return decision;
      addHeaders(res, decision.headers);
      return undefined;
    });

  /**
   * Lets the shop and the admin, and nobody else, frame the page; what else a
   * `Content-Security-Policy` says stays. Never waits.
   */
  readonly cspHeaders = (): ExpressHandler => (req, res, next) => {
    const shop =
      sanitizeShop(nodeRequest(req, this.#app.config).url.searchParams.get(QUERY.shop)) ??
      sessionOf(res)?.shop ??
      null;
    addHeaders(res, documentHeaders(this.#app.config, shop));
    next();
  };

  /**
   * Ends a request after `auth.callback()`: to the app inside the admin when it is embedded, else
   * to `/`.
   */
  readonly redirectToPlatformOrAppRoot = (): ExpressHandler =>
    this.#answering(async ({ request, res }) => {
      const session = sessionOf(res);
      if (session) return this.#app.auth.landing(request, session);
      throw new MissingRequiredArgument(
        'redirectToShopifyOrAppRoot() needs a session: put auth.callback() before it in the route.',
      );
    });

  /** {@link redirectToPlatformOrAppRoot} under the name that the ecosystem knows. */
  readonly redirectToShopifyOrAppRoot = this.redirectToPlatformOrAppRoot;

  /**
   * Answers a request by leaving the admin's frame for `url`: through the exit-iframe page, or with
   * the headers App Bridge acts on when the request is a fetch. Need not be awaited: it never
   * rejects.
   */
  readonly redirectOutOfApp: RedirectOutOfApp = async (
    first: ExpressRequest | RedirectOutOfAppParams,
    response?: ExpressResponse,
    url?: string,
  ) => {
    const { req, res, redirectUri, shop }: RedirectOutOfAppParams =
      'redirectUri' in first ? first : { req: first, res: response!, redirectUri: url! };
    const leave = this.#answering(async ({ request }) =>
      this.#app.auth.leaveApp(request, redirectUri, shop),
    );
    await leave(req, res, (error?: unknown) => {
      this.#app.logger.error('The app could not be left', { error });
      const { config } = this.#app;
      sendReply(res, replyTo(nodeRequest(req, config), internalError(), config));
    });
  };

  /** The page that leaves the admin's frame, for a GET route at `config.exitIframePath`. */
  readonly exitIframe = (): ExpressHandler =>
    this.#ownRoute(async ({ request }) => this.#app.auth.exitIframe(request));

  /**
   * Answers every path of the toolkit (OAuth start and end, helper pages, webhooks, paths that
   * handlers name) and nothing else: the shortest way to start. Mount it at the root, not below a
   * path.
   */
  readonly routes = (): ExpressHandler =>
    this.#replying((request) => this.#app.routes.handle(request));

  /**
   * Subscribes the shop to the topics the app has handlers for. Happens by itself after an install.
   */
  readonly registerWebhooks = async ({
    session,
  }: {
    session: Session;
  }): Promise<Record<string, RegisterResult[]>> => {
    await this.#app.discovery.pending;
    return this.#app.registrar.register(session);
  };

  /** A route of the toolkit's own: a shutdown waits for it, and refuses it from then on. */
  #ownRoute<Req extends ExpressRequest, Res extends ExpressResponse>(
    answer: Answer<Req, Res>,
  ): ExpressHandler<Req, Res> {
    return this.#answering<Req, Res>((visit) => this.#app.inFlight.admit(() => answer(visit)));
  }

  #answering<Req extends ExpressRequest, Res extends ExpressResponse>(
    answer: Answer<Req, Res>,
  ): ExpressHandler<Req, Res> {
    return this.#replying(async (request, req: Req, res: Res) => {
      await this.#app.discovery.pending;
      const decision = await answer({ req, res, request });
      return decision === ANSWERED
        ? decision
        : decision && replyTo(request, decision, this.#app.config, sessionOf(res)?.shop);
    });
  }

  #replying<Req extends ExpressRequest, Res extends ExpressResponse>(
    reply: (
      request: InboundRequest,
      req: Req,
      res: Res,
    ) => Promise<Reply | typeof ANSWERED | undefined> | undefined,
  ): ExpressHandler<Req, Res> {
    return async (req, res, next) => {
      try {
        const answer = await reply(nodeRequest(req, this.#app.config), req, res);
        if (answer === ANSWERED) return;
        if (answer) return sendReply(res, answer);
      } catch (error) {
        return next(error);
      }
      // Outside of the `try`: what the handlers after this one do wrong is not ours to catch.
      next();
    };
  }
}
