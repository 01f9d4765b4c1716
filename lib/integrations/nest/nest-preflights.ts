import type { IncomingMessage, ServerResponse } from 'node:http';

import { RequestMethod } from '@nestjs/common';
import type { MiddlewareConsumer } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

import type { ExtensionAuthenticator } from '../../auth/public/extension.authenticator.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import { replyTo } from '../../core/http/inbound-request.js';
import { ExtensionGuard } from './extension.guard.js';
import type { ExtensionGuardClass } from './extension.guard.js';
import { guardedRoutes } from './guarded-routes.js';
import type { GuardedRoute } from './guarded-routes.js';

type Next = (error?: unknown) => void;

/** What {@link NestPreflights} work with. */
interface NestPreflightsDependencies {
  readonly app: string;
  readonly modules: ModulesContainer;
  readonly config: PlatformConfig;
  readonly extensions: ExtensionAuthenticator;
}

/**
 * Answers the preflight requests of routes that a guard of extensions protects. As middleware: an
 * `OPTIONS` request matches no route of the app, so that no guard would run for it, and guards of
 * all of the app would refuse it, since a browser sends it without a token.
 */
export class NestPreflights {
  constructor(private readonly dependencies: NestPreflightsDependencies) {}

  /** Adds the middleware, below the app's prefixes and versions. */
  configure(consumer: MiddlewareConsumer): void {
    for (const route of guardedRoutes(this.dependencies.modules)) {
      const guard = route.guards.findLast((one) => this.#isOurs(one));
      if (!guard) continue;
      const { path, version } = route;
      consumer
        .apply((req: IncomingMessage, res: ServerResponse, next: Next) =>
          this.#answer(guard as ExtensionGuardClass, route, req, res, next),
        )
        .forRoutes({
          path,
          method: RequestMethod.OPTIONS,
          ...(version !== undefined && { version }),
        });
    }
  }

  #isOurs(guard: unknown): boolean {
    return (
      typeof guard === 'function' &&
      guard.prototype instanceof ExtensionGuard &&
      (guard as unknown as ExtensionGuardClass).app === this.dependencies.app
    );
  }

  #answer(
    { surface, options }: ExtensionGuardClass,
    { method }: GuardedRoute,
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
  ): void {
    const wanted = req.headers['access-control-request-method'];
    const isForRoute =
      wanted === undefined || method === RequestMethod.ALL || wanted === RequestMethod[method];
    if (!isForRoute) return next();
    const { config, extensions } = this.dependencies;
    const request = nodeRequest(req, config);
    const decision = extensions.authenticate(request, surface, options);
    switch (decision.kind) {
      case 'granted':
        return next();
      case 'preflight': {
        const { status, headers } = decision;
        return sendReply(res, { status, headers, body: '' });
      }
      case 'denied':
        return sendReply(res, replyTo(request, decision, config));
    }
  }
}
