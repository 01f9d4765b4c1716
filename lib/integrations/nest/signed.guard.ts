import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import { QueryHmacAuthenticator } from '../../auth/signed/query-hmac.authenticator.js';
import { SignedRequestAuthenticator } from '../../auth/signed/signed-request.authenticator.js';
import type { SignedDecision } from '../../auth/signed/signed-request.authenticator.js';
import type { SignedSource } from '../../auth/signed/signed-source.js';
import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import { grant } from './grant.js';
import { RequestGuard } from './request.guard.js';

/** A guard of requests whose body the platform has signed. */
@Injectable()
export abstract class SignedRequestGuard extends RequestGuard {
  static override readonly perApp: readonly Token[] = [SignedRequestAuthenticator, PlatformConfig];

  constructor(
    protected readonly authenticator: SignedRequestAuthenticator,
    config: PlatformConfig,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  /** What it grants, by the name of what sends the request. */
  protected abstract readonly kind: SignedSource;

  /** Decides about a request. */
  protected abstract decide(request: InboundRequest): Promise<SignedDecision>;

  /** @throws {HttpException} when the request is refused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = this.inboundOfRoute(context);
    const decision = await this.decide(request);
    if (decision.kind === 'denied') return this.refuse(context, request, decision);
    const { session, payload, clients } = decision;
    grant(context, {
      kind: this.kind,
      app: this.app,
      shop: session.shop,
      context: withLazyClients({ session, payload }, clients, ['admin']),
    });
    return true;
  }
}

/**
 * Lets actions of Flow through that the platform has signed, and gives `@FlowActionRun()` its
 * value; answers all others with 400, or 405 when they are no POST.
 * @see https://shopify.dev/docs/apps/build/flow/actions
 */
@Injectable()
export class FlowGuard extends SignedRequestGuard {
  protected override readonly kind = 'flow';

  protected override decide(request: InboundRequest): Promise<SignedDecision> {
    return this.authenticator.flow(request);
  }
}

/**
 * The same for requests to an app that fulfills orders, which `@FulfillmentNotification()` reads.
 * @see https://shopify.dev/docs/apps/build/orders-fulfillment/fulfillment-service-apps
 */
@Injectable()
export class FulfillmentServiceGuard extends SignedRequestGuard {
  protected override readonly kind = 'fulfillment_service';

  protected override decide(request: InboundRequest): Promise<SignedDecision> {
    return this.authenticator.fulfillmentService(request);
  }
}

/**
 * Lets any other request through whose body the platform has signed with a secret of the app, and
 * gives `@SignedBody()` its value; answers all others with 400. The signature covers no header: a
 * shop is known by what the body says.
 */
@Injectable()
export class BodyHmacGuard extends RequestGuard {
  static override readonly perApp: readonly Token[] = [SignedRequestAuthenticator, PlatformConfig];

  constructor(
    private readonly authenticator: SignedRequestAuthenticator,
    config: PlatformConfig,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  /** @throws {HttpException} when the request is refused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = this.inboundOfRoute(context);
    const decision = await this.authenticator.body(request);
    if (decision.kind === 'denied') return this.refuse(context, request, decision);
    grant(context, { kind: 'body', app: this.app, bytes: decision.bytes });
    return true;
  }
}

/**
 * Lets requests through whose query the admin has signed at most 90 seconds ago, such as that with
 * which a merchant opens the app, and gives `@Shop()` its value; answers all others with 400. It
 * authenticates the shop, not a user, and needs no session.
 */
@Injectable()
export class QueryHmacGuard extends RequestGuard {
  static override readonly perApp: readonly Token[] = [QueryHmacAuthenticator, PlatformConfig];

  constructor(
    private readonly authenticator: QueryHmacAuthenticator,
    config: PlatformConfig,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  /** @throws {HttpException} when the request is refused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = this.inboundOfRoute(context);
    const decision = this.authenticator.authenticate(request);
    if (decision.kind === 'denied') return this.refuse(context, request, decision);
    grant(context, { kind: 'query', app: this.app, shop: decision.shop });
    return true;
  }
}
