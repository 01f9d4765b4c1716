import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import type { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import type {
  ExtensionAuthenticator,
  ExtensionOptions,
  ExtensionSurface,
} from '../../auth/public/extension.authenticator.js';
import { liquidPage } from '../../auth/public/liquid.js';
import type {
  SignedDecision,
  SignedRequestAuthenticator,
} from '../../auth/signed/signed-request.authenticator.js';
import { addHeaders } from '../../core/http/node-http.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { ExpressHandler, ExpressResponse } from './express-handler.js';
import type { ExpressAppProxy } from './express-locals.js';
import { ANSWERED, answering, keep } from './express-response.js';
import type { AnsweringDependencies } from './express-response.js';

/** What a {@link SignedRequestMiddleware} works with. */
interface SignedMiddlewareDependencies extends AnsweringDependencies {
  readonly appProxy: AppProxyAuthenticator;
  readonly extensions: ExtensionAuthenticator;
  readonly signed: SignedRequestAuthenticator;
}

/**
 * Middleware for requests that do not come from the admin: of visitors, of extensions, and of the
 * platform itself. What they find out is at `res.locals.shopify`.
 */
export class SignedRequestMiddleware {
  readonly #app: SignedMiddlewareDependencies;

  constructor(dependencies: SignedMiddlewareDependencies) {
    this.#app = dependencies;
  }

  /**
   * Lets requests through that a visitor of a shop has sent through the app proxy, with
   * `res.locals.shopify.appProxy`; answers all others with 400. For any method.
   */
  readonly validateAppProxy = (): ExpressHandler =>
    answering(this.#app, async ({ request, res }) => {
      const decision = await this.#app.appProxy.authenticate(request);
      if (decision.kind === 'denied') return decision;
      const { shop, session, clients } = decision;
      const liquid: ExpressAppProxy['liquid'] = (body, init) => sendLiquid(res, body, init);
      const appProxy = clients
        ? withLazyClients({ shop, session, liquid }, clients, ['admin', 'storefront'])
        : { shop, session, liquid, admin: undefined, storefront: undefined };
      keep(res, { appProxy, ...(session && { session }) });
      return undefined;
    });

  /**
   * Lets actions of automations through that the platform has signed, with
   * `res.locals.shopify.flow`; answers all others with 400, or 405 when they are no POST. Reads the
   * body, also behind a body parser.
   */
  readonly validateFlow = (): ExpressHandler =>
    this.#validateSigned('flow', (request) => this.#app.signed.flow(request));

  /**
   * The same for requests to an app that fulfills orders, with
   * `res.locals.shopify.fulfillmentService`.
   */
  readonly validateFulfillmentService = (): ExpressHandler =>
    this.#validateSigned('fulfillmentService', (request) =>
      this.#app.signed.fulfillmentService(request),
    );

  /**
   * Lets requests of extensions of the checkout through, with what their session token says at
   * `res.locals.shopify.sessionToken`; answers all others with 401, and preflight requests, so
   * mount it for all methods. The extension can read every response.
   */
  readonly validateCheckout = (options?: ExtensionOptions): ExpressHandler =>
    this.#validateExtension('checkout', options);

  /** The same as {@link validateCheckout} for extensions of customer accounts. */
  readonly validateCustomerAccount = (options?: ExtensionOptions): ExpressHandler =>
    this.#validateExtension('customer_account', options);

  /** The same as {@link validateCheckout} for extensions of the point of sale. */
  readonly validatePos = (options?: ExtensionOptions): ExpressHandler =>
    this.#validateExtension('pos', options);

  #validateSigned(
    name: 'flow' | 'fulfillmentService',
    decide: (request: InboundRequest) => Promise<SignedDecision>,
  ): ExpressHandler {
    return answering(this.#app, async ({ request, res }) => {
      const decision = await decide(request);
      if (decision.kind === 'denied') return decision;
      const { session, payload, clients } = decision;
      keep(res, { session, [name]: withLazyClients({ session, payload }, clients, ['admin']) });
      return undefined;
    });
  }

  #validateExtension(surface: ExtensionSurface, options?: ExtensionOptions): ExpressHandler {
    return answering(this.#app, async ({ request, res }) => {
      const decision = this.#app.extensions.authenticate(request, surface, options);
      if (decision.kind === 'denied') return decision;
      addHeaders(res, decision.headers);
      if (decision.kind === 'preflight') {
        res.statusCode = decision.status;
        res.end();
        return ANSWERED;
      }
      keep(res, { sessionToken: decision.sessionToken });
      return undefined;
    });
  }
}

function sendLiquid(res: ExpressResponse, ...given: Parameters<typeof liquidPage>): void {
  const { status, statusText, headers, body } = liquidPage(...given);
  res.statusCode = status;
  if (statusText !== '') res.statusMessage = statusText;
  addHeaders(res, headers);
  res.end(body);
}
