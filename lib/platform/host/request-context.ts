import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import type { AuthService } from '../../auth/auth.service.js';
import { sessionTokenOf } from '../../auth/credentials/session-token.verifier.js';
import type { ScopesService } from '../../auth/scopes/scopes.service.js';
import { SessionScopes } from '../../auth/scopes/session-scopes.js';
import type { BillingService } from '../../billing/billing.service.js';
import { SessionBilling } from '../../billing/session-billing.js';
import type { ResponseDecision } from '../../core/decision.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { once } from '../../core/once.js';

/** What the handler of a granted request works with. Each part is made when it is first read. */
export interface RequestContext {
  readonly granted: AdminGranted;
  /** What the shop pays. */
  readonly billing: SessionBilling;
  /** What the shop has granted. */
  readonly scopes: SessionScopes;
  /** The response that takes the whole window to `url`, as the host makes it of a decision. */
  leave(url: string): unknown;
}

/** Makes the contexts of granted requests, for every host alike. */
export class RequestContexts {
  constructor(
    private readonly auth: AuthService,
    private readonly billing: BillingService,
    private readonly scopes: ScopesService,
  ) {}

  /** @param respond makes the host's response of a decision */
  for<Response>(
    request: InboundRequest,
    granted: AdminGranted,
    respond: (decision: ResponseDecision) => Response,
  ): RequestContext & { leave(url: string): Response } {
    const { session } = granted;
    const leave = (url: string): Response =>
      respond(this.auth.leaveApp(request, url, session.shop));
    const call = once(() => ({ session, sessionToken: sessionTokenOf(request) }));
    const billing = once(() => new SessionBilling(this.billing, call()));
    const scopes = once(() => new SessionScopes(this.scopes, call(), leave));
    return {
      granted,
      leave,
      get billing() {
        return billing();
      },
      get scopes() {
        return scopes();
      },
    };
  }
}
