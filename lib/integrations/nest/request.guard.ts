import type { CanActivate, ExecutionContext } from '@nestjs/common';
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
import { refusalIn } from './transport-exceptions.js';
import type { Refuse } from './transport-exceptions.js';

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
   * @param app name of the app. @default the unnamed app
   * @example
   * @UseGuards(AuthenticatedSessionGuard.of('b'))
   */
  static of<Guard extends PlatformGuardClass>(this: Guard, app: string = DEFAULT_APP): Guard {
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

  /**
   * The request as the authenticators see it; without an HTTP response, as one that a script has
   * sent, so that it is neither redirected nor answered with a page.
   */
  protected inbound(context: ExecutionContext, asScript = !isRoute(context)): InboundRequest {
    const given = this.getRequest(context);
    const request = given.raw ?? given;
    const seen = asScript ? sentByScript(request) : request;
    return nodeRequest(seen as NodeRequest, this.config);
  }

  /** The same for a request that only a route can get. @throws {MissingRequiredArgument} */
  protected inboundOfRoute(context: ExecutionContext): InboundRequest {
    if (isRoute(context)) return this.inbound(context);
    throw new MissingRequiredArgument(
      `${this.constructor.name} authenticates requests that the platform sends to a route: it cannot stand on a handler of type "${context.getType<string>()}".`,
    );
  }

  /** Puts headers on the response that the handler will make. */
  protected addHeaders(context: ExecutionContext, headers: HeaderList): void {
    if (isRoute(context))
      addHeaders(this.host.httpAdapter, context.switchToHttp().getResponse(), headers);
  }

  /** @throws {HttpException} or the exception of the transport, see {@link refusal} */
  protected async refuse(
    context: ExecutionContext,
    request: InboundRequest,
    decision: ResponseDecision,
  ): Promise<never> {
    throw (await this.refusal(context, request))(decision);
  }

  /**
   * How a request is refused: with the status, headers and body that its kind allows; without an
   * HTTP response, with the exception of the transport.
   */
  protected refusal(context: ExecutionContext, request: InboundRequest): Refuse | Promise<Refuse> {
    if (!isRoute(context)) return refusalIn(context);
    const response: unknown = context.switchToHttp().getResponse();
    return (decision, shop, seenAs = request) =>
      exceptionFor(this.host.httpAdapter, response, replyTo(seenAs, decision, this.config, shop));
  }
}

function isRoute(context: ExecutionContext): boolean {
  return context.getType() === 'http';
}

function sentByScript({ url, originalUrl, headers }: GuardedRequest): GuardedRequest {
  return { method: 'POST', url, originalUrl, headers: { ...headers, 'sec-fetch-dest': 'empty' } };
}
