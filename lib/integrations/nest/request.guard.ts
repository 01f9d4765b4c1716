import type { CanActivate, ExecutionContext, HttpException } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';

import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { HeaderList, ResponseDecision } from '../../core/decision.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import { nodeRequest } from '../../core/http/node-http.js';
import type { NodeRequest } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { DEFAULT_APP } from '../../platform/nest/platform-tokens.js';
import { requestIn } from './guarded-request.js';
import type { GuardedRequest } from './guarded-request.js';
import { namedGuard } from './named-guard.js';
import type { PlatformGuardClass } from './named-guard.js';
import { addHeaders, exceptionFor } from './nest-response.js';

/** Makes the exception with which a guard ends a request. */
export type Refuse = (decision: ResponseDecision, shop?: string) => Error;

/** A guard of the toolkit: authenticates the request of a handler. */
export abstract class RequestGuard implements CanActivate {
  /** Name of the app that it authenticates for. */
  static readonly app: string = DEFAULT_APP;

  /** The classes of its dependencies that each app has of its own. */
  static readonly perApp: readonly Token[] = [PlatformConfig];

  constructor(
    protected readonly config: PlatformConfig,
    protected readonly host: HttpAdapterHost,
  ) {}

  /**
   * The guard of a named app, the same at each call.
   * @example
   * @UseGuards(AuthenticatedSessionGuard.of('b'))
   */
  static of<Guard extends PlatformGuardClass>(this: Guard, app: string): Guard {
    return app === DEFAULT_APP ? this : namedGuard(this, app);
  }

  abstract canActivate(context: ExecutionContext): boolean | Promise<boolean>;

  /** Name of the app of this guard. */
  protected get app(): string {
    return (this.constructor as typeof RequestGuard).app;
  }

  /**
   * The request to authenticate. Override it for a transport of your own, or where a resolver keeps
   * the request at another name; {@link sessionTokenRequest} makes one of a session token.
   * @throws {MissingRequiredArgument} when there is none
   */
  getRequest(context: ExecutionContext): GuardedRequest {
    const request = requestIn(context);
    if (request) return request;
    throw new MissingRequiredArgument(
      `${this.constructor.name} finds no HTTP request in a context of type "${context.getType<string>()}": extend the guard and override getRequest(context).`,
    );
  }

  /** The request as the authenticators see it. */
  protected inbound(context: ExecutionContext): InboundRequest {
    const request = this.getRequest(context);
    return nodeRequest((request.raw ?? request) as NodeRequest, this.config);
  }

  /** Puts headers on the response that the handler will make. */
  protected addHeaders(context: ExecutionContext, headers: HeaderList): void {
    addHeaders(this.host.httpAdapter, context.switchToHttp().getResponse(), headers);
  }

  /** How a request is refused: with the status, headers and body that its kind allows. */
  protected refusal(context: ExecutionContext, request: InboundRequest): Refuse {
    const response: unknown = context.switchToHttp().getResponse();
    return (decision, shop): HttpException =>
      exceptionFor(this.host.httpAdapter, response, replyTo(request, decision, this.config, shop));
  }
}
