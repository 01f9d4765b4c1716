import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import type { AuthService } from '../../auth/auth.service.js';
import type { LeaveOptions } from '../../auth/responses/auth-urls.js';
import type { ScopesCall, ScopesService } from '../../auth/scopes/scopes.service.js';
import { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { BillingService } from '../../billing/billing.service.js';
import { SessionBilling } from '../../billing/session-billing.js';
import type { ResponseDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { attachRequest, requestOf } from '../../core/session-request.js';
import { Session } from '../../sessions/session.js';

/** What the contexts of all requests are made with. */
interface RequestContextServices {
  readonly auth: AuthService;
  readonly billing: BillingService;
  readonly scopes: ScopesService;
}

/** How the host of a request answers. */
interface RequestAnswers<Response> {
  /** Makes the host's response of a decision. */
  readonly respond: (decision: ResponseDecision) => Response;
  /** The same once the platform has rejected the access token. @default as `respond` does */
  readonly whenTokenRefused?: ((decision: ResponseDecision) => Response) | undefined;
  /**
   * Makes what a call of `billing` throws whose access token was rejected for good. @default as
   * every other call of the session
   */
  readonly whenBillingRefused?: (() => unknown) | undefined;
}

/** What the handler of a granted request works with. Each part is made when it is first read. */
export class RequestContext<Response = unknown> {
  readonly #services: RequestContextServices;
  readonly #request: InboundRequest;
  readonly #answers: RequestAnswers<Response>;
  #billing: SessionBilling | undefined;
  #scopes: SessionScopes | undefined;

  #billingSession: Session | undefined;

  constructor(
    services: RequestContextServices,
    request: InboundRequest,
    readonly granted: AdminGranted,
    answers: RequestAnswers<Response>,
  ) {
    this.#services = services;
    this.#request = request;
    this.#answers = answers;
  }

  /** What the shop pays. */
  get billing(): SessionBilling {
    return (this.#billing ??= new SessionBilling(this.#services.billing, {
      session: this.billingSession,
    }));
  }

  /** The session as `billing` calls the platform with it. */
  get billingSession(): Session {
    const { session } = this.granted;
    const { whenBillingRefused: whenRefused } = this.#answers;
    if (!whenRefused) return session;
    if (this.#billingSession) return this.#billingSession;
    const copy = new Session(session);
    attachRequest(copy, { ...requestOf(session), whenRefused });
    return (this.#billingSession = copy);
  }

  /** What the shop has granted. */
  get scopes(): SessionScopes {
    return (this.#scopes ??= new SessionScopes(this.#services.scopes, this.#call, (url) =>
      this.leave(url),
    ));
  }

  /** The response that takes the whole window to `url`, as the host makes it of a decision. */
  leave(url: string, options?: LeaveOptions): Response {
    const { shop } = this.granted.session;
    return this.#answers.respond(this.#services.auth.leaveApp(this.#request, url, shop, options));
  }

  /**
   * The response after the platform has rejected the access token of the session; `undefined` for a
   * custom app.
   */
  tokenRefused(): Response | undefined {
    const { shop } = this.granted.session;
    const refused = this.#services.auth.tokenRefused(this.#request, shop);
    const { respond, whenTokenRefused = respond } = this.#answers;
    return refused && whenTokenRefused(refused);
  }

  get #call(): ScopesCall {
    return { session: this.granted.session };
  }
}

/** Makes the contexts of granted requests, for every host alike. */
export class RequestContexts {
  constructor(private readonly services: RequestContextServices) {}

  for<Response>(
    request: InboundRequest,
    granted: AdminGranted,
    answers: RequestAnswers<Response>,
  ): RequestContext<Response> {
    return new RequestContext(this.services, request, granted, answers);
  }
}
