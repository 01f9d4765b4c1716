import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import { AuthService } from '../../auth/auth.service.js';
import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { RequestContexts } from '../../platform/host/request-context.js';
import { grant, isGrantedBy } from './grant.js';
import { RequestGuard } from './request.guard.js';

/**
 * Lets a request through that comes with a valid session token (embedded apps) or session cookie,
 * and gives `@CurrentSession()` and `@AdminApi()` their values. Everything else is refused with the
 * status, headers and JSON reason App Bridge understands, or redirected to where the session can be
 * renewed. On a controller and its handler, it does its work once. In resolvers, gateways and
 * message handlers it refuses with the exception of the transport; {@link getRequest} can be
 * overridden there.
 * @throws {HttpException} or `WsException`, `RpcException`
 */
@Injectable()
export class AuthenticatedSessionGuard extends RequestGuard {
  static override readonly perApp: readonly Token[] = [
    AuthService,
    PlatformConfig,
    RequestContexts,
  ];

  constructor(
    private readonly auth: AuthService,
    config: PlatformConfig,
    private readonly contexts: RequestContexts,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isGrantedBy(this.app, context)) return true;
    const request = this.inbound(context);
    const decision = await this.auth.authenticateAdmin(request);
    if (decision.kind === 'granted') return this.letIn(context, request, decision);
    const refuse = await this.refusal(context, request);
    throw refuse(decision);
  }

  /** Lets a request through that was authenticated, with what its handler may use. */
  async letIn(
    context: ExecutionContext,
    request: InboundRequest,
    granted: AdminGranted,
  ): Promise<true> {
    const { shop } = granted.session;
    const refusal = this.refusal(context, request);
    const refuse = typeof refusal === 'function' ? refusal : await refusal;
    this.addHeaders(context, granted.headers);
    grant(context, {
      kind: 'session',
      app: this.app,
      shop,
      request,
      context: this.contexts.for(request, granted, { respond: (left) => refuse(left, shop) }),
      met: new Set(),
    });
    return true;
  }
}
