import { refusedRequestOf, requestOf } from '../../core/session-request.js';
import type { AuthService } from '../../auth/auth.service.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision } from '../../core/decision.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import type { HandlerDiscovery } from '../../platform/host/handler-discovery.js';
import type { Session } from '../../sessions/session.js';
import type {
  ExpressErrorHandler,
  ExpressHandler,
  ExpressRequest,
  ExpressResponse,
} from './express-handler.js';
import type { PlatformLocals } from './express-locals.js';

/** The app's own code has answered the request. */
export const ANSWERED = Symbol('answered');

/** Answers the request with a decision, or lets it go on to the next handler with `undefined`. */
export type Answer<Req, Res> = (visit: {
  readonly request: InboundRequest;
  readonly req: Req;
  readonly res: Res;
}) => Promise<Decision | typeof ANSWERED | undefined>;

/** Keeps what was found out for the handlers that come after, at `res.locals.shopify`. */
export function keep(res: ExpressResponse, found: Partial<PlatformLocals>): void {
  res.locals.shopify = { ...res.locals.shopify, ...found };
}

/** The session that a handler before has kept. */
export function sessionOf(res: ExpressResponse): Session | undefined {
  // Middleware of a Nest app on Fastify gets the response of Node's, which has none.
  const locals = res.locals as Partial<ExpressResponse['locals']> | undefined;
  return locals?.shopify?.session;
}

/** True when no handler of the same route would come after `handler`. */
export function isLastOfItsRoute(handler: ExpressHandler, req: ExpressRequest): boolean {
  const { stack } = (req.route ?? {}) as {
    stack?: readonly { handle: unknown; method?: string }[];
  };
  return stack?.filter(({ method }) => !method || method === 'get').at(-1)?.handle === handler;
}

/** An Express application, as far as error middleware is added to it. */
interface Application {
  use(handler: ExpressErrorHandler): unknown;
}

/** The error middleware that each application has. */
const HANDLERS = new WeakMap<object, Set<ExpressErrorHandler>>();

/**
 * Adds error middleware to the application of a request, once: behind all of its routes, which are
 * mounted by the time the first request comes.
 */
export function handleErrors(req: ExpressRequest, handler: ExpressErrorHandler): void {
  const { app } = req as { readonly app?: Application };
  if (!app) return;
  let handlers = HANDLERS.get(app);
  if (!handlers) HANDLERS.set(app, (handlers = new Set()));
  if (handlers.has(handler)) return;
  handlers.add(handler);
  app.use(handler);
}

/**
 * Error middleware that answers an authenticated request on which the platform has rejected the
 * access token. All other errors go on.
 */
export function createErrorHandler({
  auth,
  config,
}: {
  readonly auth: AuthService;
  readonly config: PlatformConfig;
}): ExpressErrorHandler {
  return (error, req, res, next) => {
    const session = sessionOf(res);
    const refused = refusedRequestOf(error);
    const isOurs = session && refused?.app === config && refused === requestOf(session);
    if (!isOurs || res.headersSent) return next(error);
    const request = nodeRequest(req, config);
    const response = auth.tokenRefused(request, session.shop);
    if (!response) return next(error);
    sendReply(res, replyTo(request, auth.inPlace(response), config, session.shop));
  };
}

/** What {@link answering} works with. */
export interface AnsweringDependencies {
  readonly auth: AuthService;
  readonly config: PlatformConfig;
  readonly discovery: HandlerDiscovery;
}

/** Middleware that answers with decisions, once the app has booted. What it throws goes on. */
export function answering<Req extends ExpressRequest, Res extends ExpressResponse>(
  { auth, config, discovery }: AnsweringDependencies,
  answer: Answer<Req, Res>,
): ExpressHandler<Req, Res> {
  return async (req, res, next) => {
    try {
      if (discovery.pending) await discovery.pending;
      const request = nodeRequest(req, config);
      const decision = await answer({ req, res, request });
      if (decision === ANSWERED) return;
      if (decision)
        return sendReply(
          res,
          replyTo(request, auth.inPlace(decision), config, sessionOf(res)?.shop),
        );
    } catch (error) {
      return next(error);
    }
    // Outside of the `try`: what the handlers after this one do wrong is not ours to catch.
    next();
  };
}
