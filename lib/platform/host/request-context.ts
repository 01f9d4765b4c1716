import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import type { AuthService } from '../../auth/auth.service.js';
import type { ScopesCall, ScopesService } from '../../auth/scopes/scopes.service.js';
import { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { BillingService } from '../../billing/billing.service.js';
import { SessionBilling } from '../../billing/session-billing.js';
import type { ResponseDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';

/** What the contexts of all requests are made with. */
export interface RequestContextServices {
  readonly auth: AuthService;
  readonly billing: BillingService;
  readonly scopes: ScopesService;
}

/** What the handler of a granted request works with. Each part is made when it is first read. */
export class RequestContext<Response = unknown> {
  readonly #services: RequestContextServices;
  readonly #request: InboundRequest;
  readonly #respond: (decision: ResponseDecision) => Response;
  #billing: SessionBilling | undefined;
  #scopes: SessionScopes | undefined;

  /** @param respond makes the host's response of a decision */
  constructor(
    services: RequestContextServices,
    request: InboundRequest,
    readonly granted: AdminGranted,
    respond: (decision: ResponseDecision) => Response,
  ) {
    this.#services = services;
    this.#request = request;
    this.#respond = respond;
  }

  /** What the shop pays. */
  get billing(): SessionBilling {
    return (this.#billing ??= new SessionBilling(this.#services.billing, this.#call));
  }

  /** What the shop has granted. */
  get scopes(): SessionScopes {
    return (this.#scopes ??= new SessionScopes(this.#services.scopes, this.#call, (url) =>
      this.leave(url),
    ));
  }

  /** The response that takes the whole window to `url`, as the host makes it of a decision. */
  leave(url: string): Response {
    const { shop } = this.granted.session;
    return this.#respond(this.#services.auth.leaveApp(this.#request, url, shop));
  }

  /**
   * The response after the platform has rejected the access token of the session; `undefined` for a
   * custom app.
   */
  tokenRefused(): Response | undefined {
    const { shop } = this.granted.session;
    const refused = this.#services.auth.tokenRefused(this.#request, shop);
    return refused && this.#respond(refused);
  }

  get #call(): ScopesCall {
    return { session: this.granted.session };
  }
}

/** Makes the contexts of granted requests, for every host alike. */
export class RequestContexts {
  constructor(private readonly services: RequestContextServices) {}

  /** @param respond makes the host's response of a decision */
  for<Response>(
    request: InboundRequest,
    granted: AdminGranted,
    respond: (decision: ResponseDecision) => Response,
  ): RequestContext<Response> {
    return new RequestContext(this.services, request, granted, respond);
  }
}
