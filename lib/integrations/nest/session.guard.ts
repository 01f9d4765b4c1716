import { HttpException, Inject, Injectable, mixin } from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { AuthService } from '../../auth/auth.service.js';
import { PlatformConfig } from '../../core/config/platform.config.js';
import { withFrameAncestors } from '../../core/http/content-security-policy.js';
import { nodeRequest } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { getPlatformToken } from '../../platform.tokens.js';
import { grant } from './grant.js';

const CSP = 'content-security-policy';

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
    private readonly host: HttpAdapterHost,
  ) {}

  /** The guard of a named app: `@UseGuards(AuthenticatedSessionGuard.of('b'))`. */
  static of(app: string): Type<CanActivate> {
    @Injectable()
    class NamedSessionGuard extends AuthenticatedSessionGuard {
      constructor(
        @Inject(getPlatformToken(AuthService, app)) auth: AuthService,
        @Inject(getPlatformToken(PlatformConfig, app)) config: PlatformConfig,
        host: HttpAdapterHost,
      ) {
        super(auth, config, host);
      }
    }
    return mixin(NamedSessionGuard);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<NodeRequest & { raw?: NodeRequest }>();
    const decision = await this.auth.authenticateAdmin(nodeRequest(request.raw ?? request, this.config));
    const response: unknown = http.getResponse();
    const { httpAdapter } = this.host;
    for (const [name, value] of decision.headers ?? []) {
      if (name === 'set-cookie') httpAdapter.appendHeader(response, name, value);
      else if (name === CSP) httpAdapter.setHeader(response, name, withFrameAncestors(httpAdapter.getHeader(response, name), value));
      else httpAdapter.setHeader(response, name, value);
    }
    switch (decision.kind) {
      case 'granted':
        grant(request, decision);
        return true;
      case 'redirect':
        httpAdapter.setHeader(response, 'location', decision.location);
        throw new HttpException({ statusCode: 302, error: decision.reason, message: 'Redirecting' }, 302);
      case 'denied':
        throw new HttpException({ statusCode: decision.status, error: decision.reason, message: decision.message }, decision.status);
    }
  }
}
