import { documentHeaders } from '../../auth/responses/document-headers.js';
import { checkedPlans } from '../../billing/billing-gate.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import { denied } from '../../core/decision.js';
import { addHeaders, nodeRequest, sendReply } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import { sanitizeShop } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';
import type { PlatformApi } from '../../platform/api/platform.api.js';
import type { WebhooksApi } from '../../platform/api/webhooks.api.js';
import { internalError } from '../../platform/host/platform-routes.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import { SessionNotFoundError } from '../../sessions/sessions.errors.js';
import type { WebhookHandlerMap } from '../../webhooks/handlers/handlers-by-topic.js';
import type { ExpressConfig, ExpressDependencies } from './express-config.js';
import { expressConfig } from './express-config.js';
import type {
  ExpressErrorHandler,
  ExpressHandler,
  ExpressRequest,
  ExpressResponse,
  RedirectOutOfApp,
  RedirectOutOfAppParams,
  RequirePlan,
  WebhooksPageOptions,
} from './express-handler.js';
import {
  ANSWERED,
  answering,
  createErrorHandler,
  handleErrors,
  isLastOfItsRoute,
  keep,
  sessionOf,
} from './express-response.js';
import type { Answer } from './express-response.js';
import { SignedRequestMiddleware } from './express-signed.js';

/**
 * The toolkit as Express middleware. Every factory may be called before the app has booted: the
 * middleware waits.
 *
 * In a Nest app, `app.get(ExpressIntegration)` gives the bundle of the app's own container; mount
 * it before `listen()`, afterwards Nest has put its 404 in front of it.
 */
export class ExpressIntegration<
  Resources extends ResourceSet = RegisteredResources,
> extends SignedRequestMiddleware {
  /** Paths and stores as configured, for wiring routes: `app.get(shopify.config.auth.path, …)`. */
  readonly config: ExpressConfig;
  /** The library below the middleware: utilities, sessions, clients, webhooks. */
  readonly api: PlatformApi<Resources>;

  readonly #app: ExpressDependencies;
  readonly #errorHandler: ExpressErrorHandler;

  constructor(dependencies: ExpressDependencies) {
    super(dependencies);
    this.#app = dependencies;
    this.#errorHandler = createErrorHandler(dependencies);
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
        keep(res, { session: outcome.session });
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
   * `modules` run as well. An array, as apps that come from the platform's own package spread it.
   */
  readonly processWebhooks = ({
    webhookHandlers = {},
  }: { webhookHandlers?: WebhookHandlerMap } = {}): ExpressHandler[] => {
    const { registry, config } = this.#app;
    registry.addHandlers(webhookHandlers, config);
    registry.receive();
    return [this.#answering(({ request }) => this.#app.webhooks.receive(request))];
  };

  /**
   * Lets requests with a valid session through, with the session at `res.locals.shopify.session`;
   * answers all others.
   */
  readonly validateAuthenticatedSession = (): ExpressHandler =>
    this.#answering(async ({ request, req, res }) => {
      const decision = await this.#app.auth.authenticateAdmin(request);
      if (decision.kind !== 'granted') return decision;
      handleErrors(req, this.#errorHandler);
      addHeaders(res, decision.headers);
      keep(res, { session: decision.session });
      return undefined;
    });

  /**
   * Lets requests through whose shop pays for one of the plans, after
   * `validateAuthenticatedSession()`; leads all others to the confirmation page, unless `onFailure`
   * answers them.
   * @throws {BillingError} when no plan is named, `plan` is not among them, or `onFailure` is none
   */
  readonly requirePlan = <
    Req extends ExpressRequest = ExpressRequest,
    Res extends ExpressResponse = ExpressResponse,
  >({
    onFailure,
    plans,
    ...options
  }: RequirePlan<Req, Res>): ExpressHandler<Req, Res> => {
    const accepted = checkedPlans({ plans, plan: options.plan, onFailure });
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
    const { auth, config, logger } = this.#app;
    const leave = this.#answering(async ({ request }) => auth.leaveApp(request, redirectUri, shop));
    await leave(req, res, (error?: unknown) => {
      logger.error('The app could not be left', { error });
      sendReply(res, replyTo(nodeRequest(req, config), internalError(), config));
    });
  };

  /**
   * Error middleware for requests on which the platform has rejected the access token: the page
   * loads again with another one, and App Bridge repeats a `fetch`. All other errors go on. The
   * toolkit's middleware adds it behind the app's routes by itself; mount it where an error handler
   * of the app would come first.
   */
  readonly errorHandler = (): ExpressErrorHandler => this.#errorHandler;

  /** The page that leaves the admin's frame, for a GET route at `config.exitIframePath`. */
  readonly exitIframe = (): ExpressHandler =>
    this.#ownRoute(async ({ request }) => this.#app.auth.exitIframe(request));

  /**
   * Answers every path of the toolkit (OAuth start and end, helper pages, webhooks, paths that
   * handlers name) and nothing else: the shortest way to start. Mount it at the root, not below a
   * path.
   */
  readonly routes = (): ExpressHandler => {
    this.#app.registry.receive();
    return async (req, res, next) => {
      try {
        const { config, routes } = this.#app;
        const answer = routes.handle(nodeRequest(req, config));
        const reply = answer && (await answer);
        if (reply) return sendReply(res, reply);
      } catch (error) {
        return next(error);
      }
      // Outside of the `try`: what the handlers after this one do wrong is not ours to catch.
      next();
    };
  };

  /**
   * A page for the people who run the app, for `app.all()` or `app.use()` at any path: the queue,
   * the last deliveries, and dead letters with replay.
   * @param authorize says who may see it; it may answer the request itself
   * @throws {MissingRequiredArgument} without `authorize`
   */
  readonly webhooksPage = ({ authorize }: WebhooksPageOptions): ExpressHandler => {
    if (typeof authorize !== 'function')
      throw new MissingRequiredArgument(
        'webhooksPage() needs authorize: a function that says whether a request may see the page.',
      );
    return this.#answering(async ({ request, req, res }) => {
      const isAllowed = await authorize(req, res);
      if (res.headersSent) return ANSWERED;
      return isAllowed === true
        ? this.#app.webhooksPage.answer(request, (req as { readonly body?: unknown }).body)
        : denied(403, 'forbidden', 'You may not see this page.');
    });
  };

  /**
   * Subscribes the shop to the topics the app has handlers for. Happens by itself after an install.
   * `prune` also deletes the app's other subscriptions in the shop.
   */
  readonly registerWebhooks: WebhooksApi['register'] = (params) =>
    this.#app.api.webhooks.register(params);

  /**
   * The offline session of a shop for work outside of a request, renewed when it is about to
   * expire; `undefined` when none is stored.
   * @throws {ReauthorizationRequiredError} when the platform no longer renews it
   */
  readonly ensureValidOfflineSession = (shop: string): Promise<Session | undefined> =>
    this.#app.api.session.forShop(shop).catch((error: unknown) => {
      if (error instanceof SessionNotFoundError) return undefined;
      throw error;
    });

  /** A route of the toolkit's own: a shutdown waits for it, and refuses it from then on. */
  #ownRoute<Req extends ExpressRequest, Res extends ExpressResponse>(
    answer: Answer<Req, Res>,
  ): ExpressHandler<Req, Res> {
    return this.#answering<Req, Res>((visit) => this.#app.inFlight.admit(() => answer(visit)));
  }

  #answering<Req extends ExpressRequest, Res extends ExpressResponse>(
    answer: Answer<Req, Res>,
  ): ExpressHandler<Req, Res> {
    return answering(this.#app, answer);
  }
}
