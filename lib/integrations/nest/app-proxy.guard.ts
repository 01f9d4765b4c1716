import { Injectable, StreamableFile } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

import { withLazyClients } from '../../auth/clients/lazy-clients.js';
import { AppProxyAuthenticator } from '../../auth/public/app-proxy.authenticator.js';
import { liquidPage } from '../../auth/public/liquid.js';
import type { Token } from '../../core/binding.js';
import { PlatformConfig } from '../../core/config/platform-config.js';
import { grant } from './grant.js';
import { RequestGuard } from './request.guard.js';
import type { AppProxyContext } from './signed-contexts.js';

/**
 * Lets requests through, of any method, that a visitor of a shop has sent through the app proxy,
 * and gives `@AppProxy()` its value; answers all others with 400. A shop that lacks the app is let
 * through without a session.
 * @see https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies
 */
@Injectable()
export class AppProxyGuard extends RequestGuard {
  static override readonly perApp: readonly Token[] = [AppProxyAuthenticator, PlatformConfig];

  constructor(
    private readonly authenticator: AppProxyAuthenticator,
    config: PlatformConfig,
    host: HttpAdapterHost,
  ) {
    super(config, host);
  }

  /** @throws {HttpException} when the request is refused */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = this.inboundOfRoute(context);
    const decision = await this.authenticator.authenticate(request);
    if (decision.kind === 'denied') return this.refuse(context, request, decision);
    const { shop, session, clients } = decision;
    const liquid: AppProxyContext['liquid'] = (body, init) => this.#liquid(context, body, init);
    const proxy = clients
      ? withLazyClients({ shop, session, liquid }, clients, ['admin', 'storefront'])
      : { shop, session, liquid, admin: undefined, storefront: undefined };
    grant(context, { kind: 'app_proxy', app: this.app, shop, context: proxy });
    return true;
  }

  #liquid(context: ExecutionContext, ...given: Parameters<typeof liquidPage>): StreamableFile {
    const { status, headers, body } = liquidPage(...given);
    this.host.httpAdapter.status(context.switchToHttp().getResponse(), status);
    this.addHeaders(context, headers);
    // As a file: a framework would add a charset to the type of a text, under which the platform
    // does not know it.
    return new StreamableFile(Buffer.from(body));
  }
}
