import type { IncomingMessage } from 'node:http';

import { RequestMethod } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';

import { PlatformConfig } from '../../core/config/platform-config.js';
import type { PathName } from '../../core/config/config.options.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import { withoutTrailingSlashes } from '../../core/shop-domain.js';
import type { PlatformRoutes } from '../../platform/host/platform-routes.js';
import { WebhookRegistry } from '../../webhooks/handlers/webhook.registry.js';
import { AppFront } from './app-front.js';
import type { InFront } from './app-front.js';

/**
 * Answers the toolkit's own paths in front of the app: guards, interceptors, filters, body parsers
 * and URI versioning never see them. Middleware of `app.use()` does, and the global prefix applies,
 * with the app's own exclusions.
 */
export class NestRoutes implements InFront, OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly app: ApplicationConfig,
    private readonly config: PlatformConfig,
    private readonly routes: PlatformRoutes,
    private readonly handlers: WebhookRegistry,
  ) {
    handlers.receive();
    config.paths.mount((path, name) => this.#withPrefix(path, name));
    // A testing module gets its server after its providers, an application context never.
    if (host.httpAdapter) AppFront.of(host.httpAdapter).add(this);
    else host.init$.subscribe(() => host.httpAdapter && AppFront.of(host.httpAdapter).add(this));
  }

  /**
   * To be called when the modules of the app configure their middleware: Nest has added its body
   * parsers by then, unless it adds none.
   */
  open(): void {
    if (this.host.httpAdapter) AppFront.of(this.host.httpAdapter).open();
  }

  /** @throws {InvalidOptionsError} when a path of this app answers for another app already */
  onModuleInit(): void {
    this.#take(
      this.config.paths.entries().map(([name]) => [`paths.${name}`, this.config.paths[name]]),
    );
  }

  /**
   * By now the handlers of every app are known.
   * @throws {InvalidOptionsError} when a path that one of them names answers for another app
   */
  onApplicationBootstrap(): void {
    this.#take(
      this.handlers.addresses.flatMap(({ option, path }) => {
        const own = path(this.config);
        return own === undefined ? [] : [[option, own]];
      }),
    );
  }

  #take(paths: readonly (readonly [option: string, path: string])[]): void {
    const taken = PATHS.get(this.app) ?? new Map<string, NestRoutes>();
    PATHS.set(this.app, taken);
    const problems = paths.flatMap(([option, path]) => {
      const owner = taken.get(path) ?? this;
      taken.set(path, owner);
      const message = `"${path}" answers for another app of this process already: give each app paths of its own`;
      return owner === this ? [] : [{ option, message }];
    });
    if (problems.length > 0) throw new InvalidOptionsError(problems);
  }

  owns(req: IncomingMessage): boolean {
    return this.routes.owns(nodeRequest(req, this.config));
  }

  answer(...[req, res, next, onAnswered, headers]: Parameters<InFront['answer']>): void {
    const answer = this.routes.handle(nodeRequest(req, this.config));
    if (!answer) return next();
    answer.then((reply) => {
      if (!reply) return next();
      try {
        for (const [name, value] of Object.entries(headers?.() ?? {}))
          if (value !== undefined) res.setHeader(name, value);
        sendReply(res, reply);
        onAnswered?.();
      } catch (error) {
        next(error);
      }
    }, next);
  }

  #withPrefix(path: string, name: PathName): string {
    const given = this.app.getGlobalPrefix();
    // Asked for each path, of each request.
    const prefix = given && withoutTrailingSlashes(given).replace(/^\/+/, '');
    if (!prefix) return path;
    const method = name === 'webhooks' ? RequestMethod.POST : RequestMethod.GET;
    const excluded = this.app
      .getGlobalPrefixOptions()
      .exclude?.some(
        ({ pathRegex, requestMethod }) =>
          (requestMethod === RequestMethod.ALL || requestMethod === method) && pathRegex.test(path),
      );
    return excluded ? path : `/${prefix}${path}`;
  }
}

/** Which app answers on a path, in each Nest application. */
const PATHS = new WeakMap<ApplicationConfig, Map<string, NestRoutes>>();
