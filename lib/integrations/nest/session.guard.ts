import { RequestContexts } from '../../platform/host/request-context.js';
import { Inject, Injectable, mixin } from '@nestjs/common';
import type { CanActivate, ExecutionContext, HttpException, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { AuthService } from '../../auth/auth.service.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { ResponseDecision } from '../../core/decision.js';
import { nodeRequest } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import { DEFAULT_APP, getPlatformToken } from '../../platform/nest/platform-tokens.js';
import { grant, isGrantedBy } from './grant.js';
import { addHeaders, exceptionFor } from './nest-response.js';

/**
 * Lets a request through that comes with a valid session token (embedded apps) or session cookie,
 * and gives `@CurrentSession()` and `@AdminApi()` their values. Everything else is refused with the
 * status, headers and JSON reason App Bridge understands, or redirected to where the session can be
 * renewed. On a controller and its handler, it does its work once.
 */
@Injectable()
export class AuthenticatedSessionGuard implements CanActivate {
  protected readonly app: string = DEFAULT_APP;

  constructor(
    private readonly auth: AuthService,
    private readonly config: PlatformConfig,
    private readonly contexts: RequestContexts,
    private readonly host: HttpAdapterHost,
  ) {}

  /** The guard of a named app: `@UseGuards(AuthenticatedSessionGuard.of('b'))`. */
  static of(app: string): Type<CanActivate> {
    @Injectable()
    class NamedSessionGuard extends AuthenticatedSessionGuard {
      protected override readonly app = app;

      constructor(
        @Inject(getPlatformToken(AuthService, app)) auth: AuthService,
        @Inject(getPlatformToken(PlatformConfig, app)) config: PlatformConfig,
        @Inject(getPlatformToken(RequestContexts, app)) contexts: RequestContexts,
        host: HttpAdapterHost,
      ) {
        super(auth, config, contexts, host);
      }
    }
    return mixin(NamedSessionGuard);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<NodeRequest & { raw?: NodeRequest }>();
    if (isGrantedBy(this.app, request)) return true;
    const inbound = nodeRequest(request.raw ?? request, this.config);
    const decision = await this.auth.authenticateAdmin(inbound);
    const response: unknown = http.getResponse();
    const { httpAdapter } = this.host;
    const exception = (refusal: ResponseDecision, shop?: string): HttpException =>
      exceptionFor(httpAdapter, response, replyTo(inbound, refusal, this.config, shop));
    if (decision.kind !== 'granted') throw exception(decision);
    addHeaders(httpAdapter, response, decision.headers);
    const { shop } = decision.session;
    grant(request, {
      app: this.app,
      context: this.contexts.for(inbound, decision, {
        respond: (left) => exception(left, shop),
      }),
      met: new Set(),
    });
    return true;
  }
}
