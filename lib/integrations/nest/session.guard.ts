import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import type { AdminGranted } from '../../auth/admin/admin-responses.js';
import { AuthService } from '../../auth/auth.service.js';
import { withoutLeading } from '../../auth/responses/auth-responses.js';
import type { AuthResponse } from '../../auth/responses/auth-responses.js';
import type { Token } from '../../core/binding.js';
import type { AccessMode } from '../../core/config/config.options.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { RequestContexts } from '../../platform/host/request-context.js';
import { grant, isGrantedBy, withdraw } from './grant.js';
import { RequestGuard } from './request.guard.js';
import { accessModeOn, markOn, strategyKey } from './session-routes.js';

/**
 * What becomes of a request without a session. `redirect` answers as the kind of request allows;
 * `deny` with a status, 401 where it would be led elsewhere, and the reason as JSON, also once the
 * platform has rejected its access token. A function may throw an exception of the app's, or answer
 * with true to let the request through without a session.
 */
export type UnauthenticatedStrategy =
  | 'redirect'
  | 'deny'
  | ((refused: AuthResponse, context: ExecutionContext) => boolean | Promise<boolean>);

/**
 * Lets a request through that comes with a valid session token (embedded apps) or session cookie,
 * and gives `@CurrentSession()` and `@AdminApi()` their values. Everything else is refused with the
 * status, headers and JSON reason App Bridge understands, or redirected to where the session can be
 * renewed; `@OnUnauthenticated()` says otherwise, and `@UseOnlineSession()` whose session it is. On
 * a controller and its handler, it does its work once. In resolvers, gateways and message handlers
 * it refuses with the exception of the transport; {@link getRequest} can be overridden there.
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
    const accessMode = this.#accessModeOf(context);
    if (isGrantedBy(this.app, context, accessMode)) return true;
    const letThrough = LET_THROUGH.get(context);
    if (letThrough?.has(this.app)) return true;
    const request = this.inbound(context);
    const decision = await this.auth.authenticateAdmin(request, { accessMode });
    if (decision.kind === 'granted') return this.letIn(context, request, decision);
    // The user is authenticated, and a hook of the app leads elsewhere.
    if ('thrown' in decision && decision.thrown) return this.refuse(context, request, decision);
    const strategy = this.#strategyOf(context);
    if (typeof strategy === 'function') {
      // Refuse rather than guess what else it may have meant.
      const isLetThrough = (await strategy(decision, context)) === true;
      if (!isLetThrough) return false;
      withdraw(this.app, context);
      LET_THROUGH.set(context, new Set(letThrough).add(this.app));
      return true;
    }
    if (strategy !== 'deny') return this.refuse(context, request, decision);
    return this.refuse(context, this.inbound(context, true), withoutLeading(decision));
  }

  /** Lets a request through that was authenticated, with what its handler may use. */
  async letIn(
    context: ExecutionContext,
    request: InboundRequest,
    granted: AdminGranted,
  ): Promise<true> {
    const { shop } = granted.session;
    const accessMode = this.#accessModeOf(context);
    const refusal = this.refusal(context, request);
    const refuse = typeof refusal === 'function' ? refusal : await refusal;
    this.addHeaders(context, granted.headers);
    grant(context, {
      kind: 'session',
      app: this.app,
      shop,
      accessMode,
      isAppMode: accessMode === this.config.accessMode,
      request,
      context: this.contexts.for(request, granted, {
        respond: (left) => refuse(left, shop),
        whenTokenRefused: (refused) =>
          this.#strategyOf(context) === 'deny'
            ? refuse(withoutLeading(refused), shop, this.inbound(context, true))
            : refuse(refused, shop),
      }),
      met: new Set(),
    });
    return true;
  }

  #strategyOf(context: ExecutionContext): UnauthenticatedStrategy | undefined {
    return markOn(context, strategyKey(this.app));
  }

  #accessModeOf(context: ExecutionContext): AccessMode {
    return accessModeOn(context, this.app) ?? this.config.accessMode;
  }
}

/**
 * The apps whose requests were let through without a session. A call has one context, which the
 * guards of a controller and of its handler share.
 */
const LET_THROUGH = new WeakMap<ExecutionContext, ReadonlySet<string>>();
