import { Inject, Injectable, mixin } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { AuthService } from '../../auth/auth.service.js';
import { ScopesService } from '../../auth/scopes/scopes.service.js';
import { SessionScopes } from '../../auth/scopes/session.scopes.js';
import { sessionTokenOf } from '../../auth/tokens/session-token.reader.js';
import { BillingService } from '../../billing/billing.service.js';
import { SessionBilling } from '../../billing/session.billing.js';
import { PlatformConfig } from '../../core/config/platform.config.js';
import { nodeRequest } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { getPlatformToken } from '../../platform.tokens.js';
import { grant } from './grant.js';
import { addHeaders, exceptionFor } from './nest.answer.js';

/**
 * Lets a request through that comes with a valid session token (embedded apps) or session cookie, and gives `@CurrentSession()` and
 * `@AdminApi()` their values. Everything else is refused with the status, headers and JSON reason App Bridge understands, or
 * redirected to where the session can be renewed.
 */
@Injectable()
export class AuthenticatedSessionGuard implements CanActivate {
  constructor(
    private readonly auth: AuthService,
    private readonly config: PlatformConfig,
    private readonly billing: BillingService,
    private readonly scopes: ScopesService,
    private readonly host: HttpAdapterHost,
  ) {}

  /** The guard of a named app: `@UseGuards(AuthenticatedSessionGuard.of('b'))`. */
  static of(app: string): Type<CanActivate> {
    @Injectable()
    class NamedSessionGuard extends AuthenticatedSessionGuard {
      constructor(
        @Inject(getPlatformToken(AuthService, app)) auth: AuthService,
        @Inject(getPlatformToken(PlatformConfig, app)) config: PlatformConfig,
        @Inject(getPlatformToken(BillingService, app)) billing: BillingService,
        @Inject(getPlatformToken(ScopesService, app)) scopes: ScopesService,
        host: HttpAdapterHost,
      ) {
        super(auth, config, billing, scopes, host);
      }
    }
    return mixin(NamedSessionGuard);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<NodeRequest & { raw?: NodeRequest }>();
    const inbound = nodeRequest(request.raw ?? request, this.config);
    const decision = await this.auth.authenticateAdmin(inbound);
    const response: unknown = http.getResponse();
    const { httpAdapter } = this.host;
    if (decision.kind !== 'granted') throw exceptionFor(httpAdapter, response, decision);
    addHeaders(httpAdapter, response, decision.headers);
    const { session } = decision;
    const call = { session, sessionToken: sessionTokenOf(inbound) };
    const leave = (url: string): unknown => exceptionFor(httpAdapter, response, this.auth.leaveApp(inbound, url, session.shop));
    grant(request, {
      granted: decision,
      billing: new SessionBilling(this.billing, call),
      scopes: new SessionScopes(this.scopes, call, leave),
    });
    return true;
  }
}
