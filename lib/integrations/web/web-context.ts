import type { AuthService } from '../../auth/auth.service.js';
import type { AdminContext } from '../../auth/clients/admin-context.js';
import type { SessionTokenPayload } from '../../auth/credentials/session-token.js';
import type { BillingGate } from '../../billing/billing-gate.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { Decision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { RequestContext } from '../../platform/host/request-context.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { Session } from '../../sessions/session.js';
import { createBilling } from './web-billing.js';
import type { WebBilling } from './web-billing.js';
import { createRedirect } from './web-redirect.js';
import type { RedirectFunction } from './web-redirect.js';
import { createScopes } from './web-scopes.js';
import type { WebScopes } from './web-scopes.js';

/** What a loader or an action of the app works with. */
export interface WebAdminContext<Resources extends ResourceSet = RegisteredResources> {
  readonly admin: AdminContext<Resources>;
  readonly session: Session;
  /** What the request's session token says; embedded apps only. */
  readonly sessionToken?: SessionTokenPayload | undefined;
  /** Goes on to another page; embedded apps only. */
  readonly redirect: RedirectFunction;
  /** What the shop pays. */
  readonly billing: WebBilling;
  /** What the shop has granted. */
  readonly scopes: WebScopes;
  /** Makes a response readable for pages of other origins, such as extensions of the admin. */
  readonly cors: (response: Response) => Response;
}

/** The context in an embedded app: its requests carry session tokens. */
export interface EmbeddedAdminContext<
  Resources extends ResourceSet = RegisteredResources,
> extends WebAdminContext<Resources> {
  /** What the request's session token says. */
  readonly sessionToken: SessionTokenPayload;
}

/** The context in an app with a window of its own. */
export type StandaloneAdminContext<Resources extends ResourceSet = RegisteredResources> = Omit<
  WebAdminContext<Resources>,
  'redirect' | 'sessionToken'
>;

/** What the context of one request is made of. */
interface WebVisit {
  readonly config: PlatformConfig;
  readonly auth: AuthService;
  readonly billingGate: BillingGate;
  readonly request: InboundRequest;
  readonly context: RequestContext<Response>;
  /** The response to the request that a decision comes to. */
  readonly answer: (decision: Decision) => Response;
  readonly cors: (response: Response) => Response;
}

/**
 * The members that are made when they are first read: most loaders use one or two of them. They are
 * defined on each object, so that a spread takes them along.
 */
const LAZY_MEMBERS = {
  admin: ({ context }: WebVisit) => context.granted.admin,
  redirect: ({ auth, request, context, answer }: WebVisit) => {
    const { shop } = context.granted.session;
    return createRedirect({
      decide: (url, target) => auth.redirect(request, shop, url, target),
      open: (url, target) => answer(auth.windowPage(url, target, shop)),
      leave: (url) => context.leave(url),
    });
  },
  billing: ({ billingGate, request, context, answer }: WebVisit) =>
    createBilling({
      ...{ billingGate, request, answer },
      billing: context.billing,
      session: context.billingSession,
      leave: (url) => context.leave(url, { verbatim: true }),
    }),
  scopes: ({ context, cors }: WebVisit) => createScopes(context.scopes, cors),
};

class LazyContext {
  static readonly #members = Object.entries(LAZY_MEMBERS).map(
    ([name, make]): readonly [string, PropertyDescriptor] => [
      name,
      {
        configurable: true,
        enumerable: true,
        get(this: LazyContext) {
          const value = make(this.#visit);
          Object.defineProperty(this, name, { value, enumerable: true });
          return value;
        },
      },
    ],
  );

  readonly session: Session;
  readonly sessionToken: SessionTokenPayload | undefined;
  readonly cors: (response: Response) => Response;
  readonly #visit: WebVisit;

  constructor(visit: WebVisit) {
    const { session, sessionToken } = visit.context.granted;
    this.session = session;
    this.sessionToken = sessionToken;
    this.cors = visit.cors;
    this.#visit = visit;
    const { isEmbeddedApp } = visit.config;
    for (const [name, member] of LazyContext.#members)
      if (isEmbeddedApp || name !== 'redirect') Object.defineProperty(this, name, member);
  }
}

/** The context of one request. */
export function createContext<Resources extends ResourceSet>(
  visit: WebVisit,
): WebAdminContext<Resources> {
  return new LazyContext(visit) as LazyContext & WebAdminContext<Resources>;
}
